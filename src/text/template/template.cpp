#include "text/template/template.h"

#include "base/error.h"
#include "format/utf8.h"
#include "text/template/evaluator.h"
#include "text/template/input.h"
#include "text/template/objects.h"
#include "text/template/parser.h"

namespace burnish {

struct Template::Program {
  std::string source;
  jinja::Program program{RenderLimits{}};
};

namespace {

Rendered rendered_from(const jinja::Str& text) {
  Rendered result;
  result.text = std::string(text.view());
  uint32_t generation = 0;
  size_t at = 0;
  text.for_each_piece([&](std::string_view piece, const jinja::Tag& tag) {
    const ByteSpan span{at, at + piece.size()};
    at = span.end;
    const Origin origin{tag.message, tag.part};
    if (!result.origins.empty() && result.origins.back().origin == origin) {
      result.origins.back().span.end = span.end;
    } else {
      result.origins.push_back({span, origin});
    }
    if (tag.generation != 0 && tag.generation == generation) {
      result.generation.back().end = span.end;
    } else if (tag.generation != 0) {
      result.generation.push_back(span);
    }
    generation = tag.generation;
  });
  return result;
}

Error error_from(const jinja::Failure& failure, const std::string& name, jinja::Position at) {
  const std::string where = name + ":" + std::to_string(at.line) + ":" + std::to_string(at.column);
  if (failure.kind == "TemplateError") {
    return {ErrorCode::data, failure.message, where,
            "the chat template refuses this conversation: change it or choose another template"};
  }
  const auto code =
      failure.kind == "NotImplementedError" ? ErrorCode::unsupported : ErrorCode::data;
  return {code, failure.kind + ": " + failure.message, where,
          "the chat template and the conversation do not fit together"};
}

std::vector<jinja::Value> globals_of(jinja::Runtime& runtime, const jinja::Program& program,
                                     const RenderInput& input) {
  std::vector<jinja::Value> globals;
  globals.reserve(program.globals.size());
  for (const std::string& name : program.globals) {
    jinja::Value value = jinja::input_variable(runtime, input, name);
    if (value.is(jinja::Type::missing)) value = jinja::builtin(runtime, name);
    globals.push_back(value);
  }
  return globals;
}

}  // namespace

Template::Template(std::unique_ptr<Program> program) : program_(std::move(program)) {}
Template::Template(Template&&) noexcept = default;
Template& Template::operator=(Template&&) noexcept = default;
Template::~Template() = default;

const std::string& Template::source() const {
  return program_->source;
}

Template Template::parse(std::string source, std::string name) {
  if (!is_utf8(source))
    throw Error(ErrorCode::model, "the template is not UTF-8", name, "Write it again as UTF-8");
  auto program = std::make_unique<Program>();
  program->source = std::move(source);
  program->program.name = std::move(name);
  try {
    jinja::parse(program->program, program->source);
  } catch (const jinja::Failure& failure) {  // a limit on memory
    throw Error(ErrorCode::model, failure.message, program->program.name);
  }
  return Template(std::move(program));
}

Rendered Template::render(const RenderInput& input, const RenderLimits& limits) const {
  const jinja::Program& program = program_->program;
  jinja::Runtime runtime(limits, input.now);
  jinja::Position place;
  try {
    const std::vector<jinja::Value> globals = globals_of(runtime, program, input);
    jinja::Evaluator evaluator(runtime, program, globals, limits);
    try {
      Rendered result = rendered_from(*evaluator.run());
      result.has_generation_tag = program.has_generation_tag;
      return result;
    } catch (const jinja::Failure&) {
      place = evaluator.place();
      throw;
    }
  } catch (const jinja::Failure& failure) {
    throw error_from(failure, program.name, place);
  }
}

}  // namespace burnish
