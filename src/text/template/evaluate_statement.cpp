#include <vector>

#include "text/template/evaluator.h"
#include "text/template/iterate.h"
#include "text/template/objects.h"
#include "text/template/python_text.h"

namespace burnish::jinja {
namespace {

/// What a loop with a filter walks over.
struct KeptItems final : Iterator {
  Evaluator& evaluator;
  const For& loop;
  Frame* frame;
  Iterator* items;

  KeptItems(Evaluator& evaluator, const For& loop, Frame* frame, Iterator* items)
      : evaluator(evaluator), loop(loop), frame(frame), items(items) {}
  bool next(Runtime& runtime, Value& item) override {
    while (items->next(runtime, item)) {
      runtime.charge(1);
      if (evaluator.keeps(loop, frame, item)) return true;
    }
    return false;
  }
};

}  // namespace

Evaluator::Flow Evaluator::run(const Body& body) {
  for (const StatementPtr& statement : body) {
    const Flow flow = execute(*statement);
    if (flow != Flow::normal) return flow;
  }
  return Flow::normal;
}

Evaluator::Flow Evaluator::execute(const Statement& statement) {
  const Runtime::Nested nested(runtime_);
  runtime_.charge(1);
  switch (statement.kind) {
    case StatementKind::output:
      write(static_cast<const Output&>(statement));
      return Flow::normal;
    case StatementKind::if_:
      return branch(static_cast<const If&>(statement));
    case StatementKind::for_:
      return loop(static_cast<const For&>(statement));
    case StatementKind::set: {
      const auto& node = static_cast<const Set&>(statement);
      place_ = node.at;
      check_namespaces(node.target);
      assign(node.target, evaluate(*node.value));
      return Flow::normal;
    }
    case StatementKind::set_block:
      return set_block(static_cast<const SetBlock&>(statement));
    case StatementKind::macro:
      set_macro(static_cast<const Macro&>(statement));
      return Flow::normal;
    case StatementKind::call_block:
      call_block(static_cast<const CallBlock&>(statement));
      return Flow::normal;
    case StatementKind::filter_block:
      return filter_block(static_cast<const FilterBlock&>(statement));
    case StatementKind::with:
      return with(static_cast<const With&>(statement));
    case StatementKind::generation:
      return generation(static_cast<const Generation&>(statement));
    case StatementKind::break_:
      return Flow::break_;
    case StatementKind::continue_:
      return Flow::continue_;
  }
  return Flow::normal;
}

void Evaluator::write(const Output& output) {
  for (const ExprPtr& part : output.parts) {
    const Value value = evaluate(*part);
    place_ = part->at;
    if (value.is_string()) {
      runtime_.charge(value.text->size / 64);
      out_->append(*value.text);
    } else {
      append_text(runtime_, *out_, value);
    }
  }
}

Evaluator::Flow Evaluator::branch(const If& node) {
  for (const If::Branch& branch : node.branches) {
    if (is_true(runtime_, evaluate(*branch.test))) return run(branch.body);
  }
  return run(node.otherwise);
}

void Evaluator::check_namespaces(const Target& target) {
  for (const Target& item : target.items) check_namespaces(item);
  if (target.kind != Target::Kind::attribute) return;
  const Value& value = variable(target.place);
  if (!value.is(Type::object) || value.object->as_namespace() == nullptr) {
    fail("TemplateRuntimeError", "cannot assign attribute on non-namespace object");
  }
}

void Evaluator::assign(const Target& target, const Value& value) {
  switch (target.kind) {
    case Target::Kind::name:
      slot(target.place) = value;
      return;
    case Target::Kind::attribute:
      place_ = target.at;
      check_namespaces(target);
      variable(target.place).object->as_namespace()->set(runtime_, target.attribute, value);
      return;
    case Target::Kind::tuple: {
      place_ = target.at;
      if (!value.is_undefined() && !is_iterable(runtime_, value)) {
        fail("TypeError",
             "cannot unpack non-iterable " + std::string(type_name(value)) + " object");
      }
      const List& items = *to_list(runtime_, value);
      if (items.size != target.items.size()) {
        fail("ValueError", (items.size < target.items.size() ? "not enough" : "too many") +
                               std::string(" values to unpack (expected ") +
                               std::to_string(target.items.size()) + ")");
      }
      for (uint32_t i = 0; i < items.size; ++i) assign(target.items[i], items.items[i]);
      return;
    }
  }
}

Evaluator::Flow Evaluator::loop(const For& node) {
  const Value iterable = evaluate(*node.iterable);
  place_ = node.iterable->at;
  if (node.recursive) {
    append_text(runtime_, *out_, recurse(node, frame_, iterable, 0));
    return Flow::normal;
  }
  return iterate_loop(node, iterable, frame_, 0);
}

Value Evaluator::recurse(const For& node, Frame* outer, const Value& iterable, int depth) {
  const Runtime::Nested nested(runtime_);
  TextBuilder text(runtime_.arena);
  TextBuilder* out = out_;
  Frame* frame = frame_;
  out_ = &text;
  frame_ = new_frame(node.function, outer);
  iterate_loop(node, iterable, outer, depth);
  out_ = out;
  frame_ = frame;
  return Value::of(text.finish());
}

bool Evaluator::keeps(const For& loop, Frame* frame, const Value& item) {
  Frame* current = frame_;
  frame_ = frame;
  enter(loop.test_scope);
  assign(loop.test_target, item);
  const bool kept = is_true(runtime_, evaluate(*loop.test));
  frame_ = current;
  return kept;
}

Evaluator::Flow Evaluator::iterate_loop(const For& node, const Value& iterable, Frame* outer,
                                        int depth) {
  Iterator* items = jinja::iterate(runtime_, iterable);
  if (node.test != nullptr) {
    items = runtime_.arena.make<KeptItems>(*this, node, frame_, items);
  }
  LoopObject* loop = nullptr;
  if (node.uses_loop) {
    const int64_t length = node.test == nullptr ? length_of(runtime_, iterable) : -1;
    loop = runtime_.arena.make<LoopObject>(items, length, depth);
    loop->evaluator = this;
    loop->frame = outer;
    if (node.recursive) loop->recursive = &node;
  }
  bool completed = false;  // one pass through the body at least, to its end
  for (Value item; loop != nullptr ? loop->advance(runtime_, item) : items->next(runtime_, item);) {
    runtime_.charge(1);
    enter(node.body_scope);
    assign(node.target, item);
    if (loop != nullptr) slot(node.loop) = Value::of(static_cast<Object*>(loop));
    const Flow flow = run(node.body);
    if (flow == Flow::break_) break;
    completed = completed || flow == Flow::normal;
  }
  leave(node.body_scope);
  if (completed || node.otherwise.empty()) return Flow::normal;
  enter(node.else_scope);
  const Flow flow = run(node.otherwise);
  leave(node.else_scope);
  return flow;
}

Evaluator::Flow Evaluator::set_block(const SetBlock& node) {
  place_ = node.at;
  check_namespaces(node.target);
  TextBuilder text(runtime_.arena);
  TextBuilder* out = out_;
  out_ = &text;
  enter(node.scope);
  const Flow flow = run(node.body);
  out_ = out;
  if (flow != Flow::normal) return flow;
  const Str* content = text.finish();
  assign(node.target,
         node.filter != nullptr ? filtered(*node.filter, content) : Value::of(content));
  leave(node.scope);
  return Flow::normal;
}

Evaluator::Flow Evaluator::filter_block(const FilterBlock& node) {
  TextBuilder text(runtime_.arena);
  TextBuilder* out = out_;
  out_ = &text;
  enter(node.scope);
  const Flow flow = run(node.body);
  out_ = out;
  if (flow != Flow::normal) return flow;
  append_text(runtime_, *out_, filtered(*node.filter, text.finish()));
  leave(node.scope);
  return Flow::normal;
}

Evaluator::Flow Evaluator::with(const With& node) {
  std::vector<Value> values;
  for (const auto& variable : node.variables) values.push_back(evaluate(*variable.second));
  enter(node.scope);
  for (size_t i = 0; i < values.size(); ++i) assign(node.variables[i].first, values[i]);
  const Flow flow = run(node.body);
  leave(node.scope);
  return flow;
}

Evaluator::Flow Evaluator::generation(const Generation& node) {
  const uint32_t before = out_->generation();
  const uint32_t number = ++generations_;
  if (before == 0) out_->set_generation(number);  // one within another belongs to the outer one
  enter(node.scope);
  const Flow flow = run(node.body);
  leave(node.scope);
  out_->set_generation(before);
  return flow;
}

void Evaluator::set_macro(const Macro& node) {
  assign(node.target, Value::of(static_cast<Object*>(
                          runtime_.arena.make<MacroObject>(*this, node.definition, frame_))));
}

void Evaluator::call_block(const CallBlock& node) {
  const Value caller =
      Value::of(static_cast<Object*>(runtime_.arena.make<MacroObject>(*this, node.caller, frame_)));
  const Value result = evaluate_call(static_cast<const Call&>(*node.call), &caller);
  append_text(runtime_, *out_, result);
}

}  // namespace burnish::jinja
