// Macros: binding their arguments and running their bodies.
#include <algorithm>
#include <vector>

#include "text/template/evaluator.h"
#include "text/template/objects.h"

namespace burnish::jinja {
namespace {

/// The arguments of one call, as they are used up.
struct Given {
  std::span<const Value> positional;
  std::vector<Keyword> keywords;

  /// Takes the keyword of that name out; nullptr if there is none.
  bool take(std::string_view name, Value& value) {
    const auto found = std::find_if(keywords.begin(), keywords.end(),
                                    [&](const Keyword& keyword) { return keyword.name == name; });
    if (found == keywords.end()) return false;
    value = found->value;
    keywords.erase(found);
    return true;
  }
};

std::string in_quotes(std::string_view name) {
  return "'" + std::string(name) + "'";
}

}  // namespace

Value Evaluator::call_macro(const MacroDefinition& macro, Frame* outer,
                            const Arguments& arguments) {
  const Runtime::Nested nested(runtime_);
  if (macro_depth_ >= max_macro_depth_) {
    fail("RecursionError",
         "macros call one another more than " + std::to_string(max_macro_depth_) + " levels deep");
  }
  Given given{arguments.positional, {arguments.keywords.begin(), arguments.keywords.end()}};
  Frame* const frame_before = frame_;
  TextBuilder* const out_before = out_;
  TextBuilder text(runtime_.arena);
  Frame* const frame = new_frame(macro.function, outer);
  const size_t count = macro.parameters.size();
  runtime_.charge(count * given.keywords.size() / 16);
  frame_ = frame;
  enter(macro.scope);
  for (size_t i = 0; i < count; ++i) {
    Value& parameter = slot(macro.parameters[i].place);
    if (i < given.positional.size()) {
      parameter = given.positional[i];
    } else {
      given.take(macro.parameters[i].name, parameter);
    }
  }
  if (macro.caller && !macro.explicit_caller) {
    Value& caller = slot(*macro.caller);
    if (!given.take("caller", caller) || caller.is_none()) {
      caller = runtime_.undefined("No caller defined");
    }
  }
  if (macro.kwargs) {
    Dict* rest = make_dict(runtime_, given.keywords.size());
    for (const Keyword& keyword : given.keywords) {
      insert(runtime_, *rest, runtime_.text(keyword.name), keyword.value);
    }
    slot(*macro.kwargs) = Value::of(static_cast<const Dict*>(rest));
  } else if (!given.keywords.empty()) {
    fail("TypeError", "macro " + in_quotes(macro.name) + " takes no keyword argument " +
                          in_quotes(given.keywords.front().name));
  }
  const auto surplus = given.positional.subspan(std::min(count, given.positional.size()));
  if (macro.varargs) {
    slot(*macro.varargs) = runtime_.tuple(surplus);
  } else if (!surplus.empty()) {
    fail("TypeError", "macro " + in_quotes(macro.name) + " takes not more than " +
                          std::to_string(count) + " argument(s)");
  }

  ++macro_depth_;
  out_ = &text;
  const size_t first_default = count - macro.defaults.size();
  for (size_t i = 0; i < count; ++i) {
    if (!slot(macro.parameters[i].place).is(Type::missing)) continue;
    const Value value =
        i >= first_default
            ? evaluate(*macro.defaults[i - first_default])
            : runtime_.undefined(runtime_.arena.copy(
                  "parameter " + in_quotes(macro.parameters[i].name) + " was not provided"));
    slot(macro.parameters[i].place) = value;
  }
  run(macro.body);
  --macro_depth_;
  out_ = out_before;
  frame_ = frame_before;
  return Value::of(text.finish());
}

Value MacroObject::call(Runtime&, const Arguments& arguments) {
  return evaluator.call_macro(definition, frame, arguments);
}

bool MacroObject::attribute(Runtime& runtime, std::string_view name, Value& result) {
  if (name == "name") {
    result = definition.name.empty() ? Value::none() : runtime.text(definition.name);
  } else if (name == "arguments") {
    ListBuilder names(runtime.arena);
    for (const Target& parameter : definition.parameters)
      names.append(runtime.text(parameter.name));
    result = Value::tuple_of(names.finish());
  } else if (name == "catch_kwargs") {
    result = Value::of(definition.kwargs.has_value());
  } else if (name == "catch_varargs") {
    result = Value::of(definition.varargs.has_value());
  } else if (name == "caller") {
    result = Value::of(definition.caller.has_value());
  } else {
    return false;
  }
  return true;
}

std::string MacroObject::describe(Runtime&, int) const {
  return definition.name.empty() ? "<Macro anonymous>"
                                 : "<Macro " + in_quotes(definition.name) + ">";
}

}  // namespace burnish::jinja
