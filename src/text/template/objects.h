// The objects that templates meet: namespaces, macros, loops, functions.
#pragma once

#include "text/template/evaluator.h"

namespace burnish::jinja {

/// namespace(...): the only thing whose attributes can be set.
struct Namespace final : Object {
  Dict* attributes;

  explicit Namespace(Dict* attributes) : attributes(attributes) {}
  std::string_view type_name() const override { return "Namespace"; }
  bool attribute(Runtime& runtime, std::string_view name, Value& result) override;
  std::string describe(Runtime& runtime, int depth) const override;
  Namespace* as_namespace() override { return this; }
  void set(Runtime& runtime, std::string_view name, const Value& value);
};

struct MacroObject final : Object {
  Evaluator& evaluator;
  const MacroDefinition& definition;
  Frame* frame;

  MacroObject(Evaluator& evaluator, const MacroDefinition& definition, Frame* frame)
      : evaluator(evaluator), definition(definition), frame(frame) {}
  std::string_view type_name() const override { return "Macro"; }
  bool attribute(Runtime& runtime, std::string_view name, Value& result) override;
  bool is_callable() const override { return true; }
  Value call(Runtime& runtime, const Arguments& arguments) override;
  std::string describe(Runtime& runtime, int depth) const override;
};

/// The variable `loop`. It looks ahead only when it is asked to.
struct LoopObject final : Object {
  Iterator* items;
  int64_t known_length;  ///< -1: not known yet
  int depth;
  const For* recursive = nullptr;  ///< how to call the loop again
  Evaluator* evaluator = nullptr;
  Frame* frame = nullptr;

  int64_t index = -1;
  Value before, current, after;
  bool has_after = false;
  const List* last_changed = nullptr;

  LoopObject(Iterator* items, int64_t length, int depth)
      : items(items), known_length(length), depth(depth) {}
  bool advance(Runtime& runtime, Value& item);
  std::string_view type_name() const override { return "LoopContext"; }
  bool attribute(Runtime& runtime, std::string_view name, Value& result) override;
  bool is_callable() const override { return true; }
  Value call(Runtime& runtime, const Arguments& arguments) override;
  int64_t length(Runtime& runtime) override;
  std::string describe(Runtime& runtime, int depth) const override;
  bool peek(Runtime& runtime);
};

/// A built-in function.
struct FunctionObject final : Object {
  using Function = Value (*)(Runtime& runtime, Object* self, const Arguments& arguments);
  std::string_view name;
  Function function;
  Object* self;

  FunctionObject(std::string_view name, Function function, Object* self = nullptr)
      : name(name), function(function), self(self) {}
  std::string_view type_name() const override { return "function"; }
  bool is_callable() const override { return true; }
  bool attribute(Runtime& runtime, std::string_view attribute, Value& result) override;
  Value call(Runtime& runtime, const Arguments& arguments) override {
    return function(runtime, self, arguments);
  }
  std::string describe(Runtime& runtime, int depth) const override {
    return "<function " + std::string(name) + ">";
  }
};

/// A variable that every template has (range, namespace, raise_exception, ...); missing if there is
/// none of that name.
Value builtin(Runtime& runtime, std::string_view name);

/// strftime of a UTC time, as datetime.strftime writes a time without zone.
std::string format_time(std::time_t time, const std::string& format);

}  // namespace burnish::jinja
