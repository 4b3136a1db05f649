#include <vector>

#include "text/template/evaluator.h"

#include "text/template/access.h"
#include "text/template/iterate.h"
#include "text/template/objects.h"
#include "text/template/python_text.h"

namespace burnish::jinja {

Evaluator::Evaluator(Runtime& runtime, const Program& program, std::span<const Value> globals,
                     const RenderLimits& limits)
    : runtime_(runtime), program_(program), globals_(globals), max_macro_depth_(limits.depth) {}

const Str* Evaluator::run() {
  TextBuilder out(runtime_.arena, 4096);
  out_ = &out;
  frame_ = new_frame(program_.function, nullptr);
  enter(program_.scope);
  run(program_.body);
  return out.finish();
}

Frame* Evaluator::new_frame(const Function& function, Frame* outer) {
  Value* slots = runtime_.arena.allocate_array<Value>(function.slots);
  std::uninitialized_default_construct_n(slots, function.slots);
  return runtime_.arena.make<Frame>(slots, outer);
}

Value& Evaluator::slot(const Place& place) {
  Frame* frame = frame_;
  for (uint16_t hop = 0; hop < place.hops; ++hop) frame = frame->outer;
  return frame->slots[place.slot];
}

const Value& Evaluator::variable(const Place& place) {
  return place.global ? globals_[place.slot] : slot(place);
}

void Evaluator::enter(const Scope& scope) {
  runtime_.charge(scope.entries.size() / 8);
  for (const ScopeEntry& entry : scope.entries) {
    frame_->slots[entry.slot] =
        entry.kind == ScopeEntry::Kind::copy ? variable(entry.from) : Value();
  }
}

void Evaluator::leave(const Scope& scope) {
  for (const ScopeEntry& entry : scope.entries) frame_->slots[entry.slot] = Value();
}

Value Evaluator::evaluate(const Expr& expr) {
  const Runtime::Nested nested(runtime_);
  runtime_.charge(1);
  switch (expr.kind) {
    case ExprKind::literal:
      return static_cast<const Literal&>(expr).value;
    case ExprKind::name:
      return evaluate_name(static_cast<const Name&>(expr));
    case ExprKind::list:
    case ExprKind::tuple:
      return evaluate_sequence(static_cast<const Sequence&>(expr));
    case ExprKind::concat:
      return evaluate_concat(static_cast<const Sequence&>(expr));
    case ExprKind::dict:
      return evaluate_dict(static_cast<const DictDisplay&>(expr));
    case ExprKind::compare:
      return evaluate_compare(static_cast<const Compare&>(expr));
    case ExprKind::slice:
      return evaluate_slice(static_cast<const SliceExpr&>(expr));
    case ExprKind::call:
      return evaluate_call(static_cast<const Call&>(expr), nullptr);
    case ExprKind::filter:
      return evaluate_filter(static_cast<const Filter&>(expr), nullptr);
    case ExprKind::test:
      return evaluate_test(static_cast<const Test&>(expr));
    case ExprKind::unary: {
      const auto& node = static_cast<const Unary&>(expr);
      const Value operand = evaluate(*node.operand);
      place_ = node.at;
      return node.minus ? negate(operand) : unary_plus(operand);
    }
    case ExprKind::negation: {
      const Value operand = evaluate(*static_cast<const Unary&>(expr).operand);
      return Value::of(!is_true(runtime_, operand));
    }
    case ExprKind::binary: {
      const auto& node = static_cast<const Binary&>(expr);
      const Value left = evaluate(*node.left);
      const Value right = evaluate(*node.right);
      place_ = node.at;
      return calculate(runtime_, node.operation, left, right);
    }
    case ExprKind::logical: {
      const auto& node = static_cast<const Logical&>(expr);
      const Value left = evaluate(*node.left);
      return is_true(runtime_, left) == node.is_and ? evaluate(*node.right) : left;
    }
    case ExprKind::conditional: {
      const auto& node = static_cast<const Conditional&>(expr);
      if (is_true(runtime_, evaluate(*node.test))) return evaluate(*node.then);
      if (node.otherwise != nullptr) return evaluate(*node.otherwise);
      return runtime_.undefined(
          "the inline if-expression evaluated to false and no else section was defined.");
    }
    case ExprKind::attribute: {
      const auto& node = static_cast<const Attribute&>(expr);
      const Value object = evaluate(*node.object);
      place_ = node.at;
      return get_attribute(runtime_, object, node.name);
    }
    case ExprKind::element: {
      const auto& node = static_cast<const Element&>(expr);
      const Value object = evaluate(*node.object);
      const Value key = evaluate(*node.key);
      place_ = node.at;
      return get_element(runtime_, object, key);
    }
  }
  return {};
}

Value Evaluator::evaluate_name(const Name& name) {
  const Value& value = variable(name.place);
  return value.is(Type::missing) ? Value::of(name.undefined) : value;
}

Value Evaluator::evaluate_sequence(const Sequence& sequence) {
  ListBuilder items(runtime_.arena, sequence.items.size());
  for (const ExprPtr& item : sequence.items) items.append(evaluate(*item));
  Value result = Value::list_of(items.finish());
  if (sequence.kind == ExprKind::tuple) result.type = Type::tuple;
  return result;
}

Value Evaluator::evaluate_dict(const DictDisplay& display) {
  Dict* dict = make_dict(runtime_, display.entries.size());
  for (const auto& [key, value] : display.entries) {
    const Value key_value = evaluate(*key);
    const Value entry = evaluate(*value);
    place_ = display.at;
    insert(runtime_, *dict, key_value, entry);
  }
  return Value::of(static_cast<const Dict*>(dict));
}

Value Evaluator::evaluate_concat(const Sequence& concat) {
  TextBuilder text(runtime_.arena, 64);
  for (const ExprPtr& item : concat.items) append_text(runtime_, text, evaluate(*item));
  place_ = concat.at;
  runtime_.charge(text.size() / 64);
  return Value::of(text.finish());
}

Value Evaluator::evaluate_compare(const Compare& node) {
  Value left = evaluate(*node.first);
  for (const auto& [comparison, operand] : node.rest) {
    const Value right = evaluate(*operand);
    place_ = node.at;
    if (!compare(runtime_, comparison, left, right)) return Value::of(false);
    left = right;
  }
  return Value::of(true);
}

Value Evaluator::evaluate_slice(const SliceExpr& node) {
  const Value object = evaluate(*node.object);
  const auto part = [this](const ExprPtr& expr) {
    return expr == nullptr ? Value::none() : evaluate(*expr);
  };
  const Value start = part(node.start), stop = part(node.stop), step = part(node.step);
  place_ = node.at;
  // of a constant the original takes slices before it runs, by other rules
  const bool constant = node.object->kind == ExprKind::literal && !object.is_string();
  if (constant) return runtime_.no_element(object, Value::none());
  return get_slice(runtime_, object, start, stop, step);
}

Arguments Evaluator::evaluate_arguments(const CallArguments& given, const Value* caller) {
  // in the arena: a generator keeps its arguments until it is walked
  std::span<const Value> positional;
  if (!given.positional.empty() || given.star != nullptr) {
    ListBuilder values(runtime_.arena, given.positional.size());
    for (const ExprPtr& argument : given.positional) values.append(evaluate(*argument));
    if (given.star != nullptr) {
      const List& more = *to_list(runtime_, evaluate(*given.star));
      for (uint32_t i = 0; i < more.size; ++i) values.append(more.items[i]);
    }
    positional = {values.data(), values.size()};
  }
  Value double_star = Value::none();
  std::vector<Value> named;
  named.reserve(given.keywords.size());
  for (const auto& keyword : given.keywords) named.push_back(evaluate(*keyword.second));
  size_t count = given.keywords.size() + (caller != nullptr ? 1 : 0);
  if (given.double_star != nullptr) {
    double_star = evaluate(*given.double_star);
    if (!double_star.is(Type::dict)) {
      fail("TypeError",
           "argument after ** must be a mapping, not " + std::string(type_name(double_star)));
    }
    count += double_star.dict->size;
  }
  if (count == 0) return {positional, {}};
  Keyword* keywords = runtime_.arena.allocate_array<Keyword>(count);
  size_t used = 0;
  const auto add = [&](std::string_view name, const Value& value) {
    runtime_.charge(used / 16);
    for (size_t i = 0; i < used; ++i) {
      if (keywords[i].name == name) {
        fail("TypeError", "got multiple values for keyword argument '" + std::string(name) + "'");
      }
    }
    new (&keywords[used++]) Keyword{name, value};
  };
  for (size_t i = 0; i < named.size(); ++i) add(given.keywords[i].first, named[i]);
  if (caller != nullptr) add("caller", *caller);
  for (uint32_t i = 0; double_star.is(Type::dict) && i < double_star.dict->size; ++i) {
    const Value& name = double_star.dict->keys[i];
    if (!name.is_string()) fail("TypeError", "keywords must be strings");
    add(name.view(), double_star.dict->values[i]);
  }
  return {positional, {keywords, used}};
}

Value Evaluator::evaluate_call(const Call& node, const Value* caller) {
  const Value callee = evaluate(*node.callee);
  const Arguments arguments = evaluate_arguments(node.arguments, caller);
  place_ = node.at;
  if (callee.is_undefined()) fail_undefined(callee);
  if (!callee.is(Type::object) || !callee.object->is_callable()) {
    fail("TypeError", "'" + std::string(type_name(callee)) + "' object is not callable");
  }
  return callee.object->call(runtime_, arguments);
}

Value Evaluator::evaluate_filter(const Filter& node, const Str* block_text) {
  const Value input = node.input != nullptr ? node.input->kind == ExprKind::filter
                                                  ? filtered(*node.input, block_text)
                                                  : evaluate(*node.input)
                                            : Value::of(block_text);
  const Arguments arguments = evaluate_arguments(node.arguments);
  place_ = node.at;
  if (node.function == nullptr) {
    fail("TemplateRuntimeError", "No filter named '" + node.name + "' found.");
  }
  return node.function(runtime_, input, arguments);
}

Value Evaluator::filtered(const Expr& filter, const Str* text) {
  const Runtime::Nested nested(runtime_);
  runtime_.charge(1);
  return evaluate_filter(static_cast<const Filter&>(filter), text);
}

Value Evaluator::evaluate_test(const Test& node) {
  const Value input = evaluate(*node.input);
  const Arguments arguments = evaluate_arguments(node.arguments);
  place_ = node.at;
  if (node.function == nullptr) {
    fail("TemplateRuntimeError", "No test named '" + node.name + "' found.");
  }
  return Value::of(node.function(runtime_, input, arguments));
}

}  // namespace burnish::jinja
