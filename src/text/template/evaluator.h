// Runs a program: statements write to a text, expressions give values.
#pragma once

#include "text/template/ast.h"

namespace burnish::jinja {

/// The variables of one call of a function.
struct Frame {
  Value* slots;
  Frame* outer;  ///< of the function that the code stands in
};

class Evaluator {
 public:
  /// @param globals the values of program.globals, in their order
  Evaluator(Runtime& runtime, const Program& program, std::span<const Value> globals,
            const RenderLimits& limits);

  /// The whole template.
  const Str* run();

  /// Where the last operation stands in the template, for errors.
  Position place() const { return place_; }

  /// Calls a macro. @param outer the frame in which it was defined
  Value call_macro(const MacroDefinition& macro, Frame* outer, const Arguments& arguments);
  /// The body of a recursive loop over `iterable`.
  Value recurse(const For& loop, Frame* outer, const Value& iterable, int depth);
  /// Whether the filter of a loop keeps `item`.
  bool keeps(const For& loop, Frame* frame, const Value& item);

 private:
  enum class Flow : uint8_t { normal, break_, continue_ };

  Value evaluate(const Expr& expr);
  Value evaluate_name(const Name& name);
  Value evaluate_sequence(const Sequence& sequence);
  Value evaluate_dict(const DictDisplay& dict);
  Value evaluate_concat(const Sequence& concat);
  Value evaluate_compare(const Compare& compare);
  Value evaluate_slice(const SliceExpr& slice);
  Value evaluate_call(const Call& call, const Value* caller);
  Value evaluate_filter(const Filter& filter, const Str* block_text);
  Value evaluate_test(const Test& test);
  Arguments evaluate_arguments(const CallArguments& arguments, const Value* caller = nullptr);

  Flow run(const Body& body);
  Flow execute(const Statement& statement);
  void write(const Output& output);
  Flow branch(const If& node);
  Flow loop(const For& node);
  Flow iterate_loop(const For& node, const Value& iterable, Frame* outer, int depth);
  Flow set_block(const SetBlock& node);
  void set_macro(const Macro& node);
  void call_block(const CallBlock& node);
  Flow filter_block(const FilterBlock& node);
  Flow with(const With& node);
  Flow generation(const Generation& node);
  Value filtered(const Expr& filter, const Str* text);

  void enter(const Scope& scope);
  void leave(const Scope& scope);
  void assign(const Target& target, const Value& value);
  void check_namespaces(const Target& target);
  Value& slot(const Place& place);
  const Value& variable(const Place& place);
  Frame* new_frame(const Function& function, Frame* outer);

  Runtime& runtime_;
  const Program& program_;
  std::span<const Value> globals_;
  const int max_macro_depth_;
  Frame* frame_ = nullptr;
  TextBuilder* out_ = nullptr;
  Position place_;
  int macro_depth_ = 0;
  uint32_t generations_ = 0;
};

}  // namespace burnish::jinja
