// The syntax tree of a template. Names are resolved to places in frames (scope.cpp).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "text/template/filters.h"
#include "text/template/operators.h"
#include "text/template/token.h"

namespace burnish::jinja {

// ---- expressions

enum class ExprKind : uint8_t {
  literal,
  name,
  list,
  tuple,
  dict,
  unary,
  binary,
  concat,
  compare,
  logical,
  negation,
  conditional,
  attribute,
  element,
  slice,
  call,
  filter,
  test,
};

struct Expr {
  ExprKind kind;
  Position at;
  int height = 1;  ///< of the tree below

  explicit Expr(ExprKind kind, Position at) : kind(kind), at(at) {}
  virtual ~Expr() = default;
};
using ExprPtr = std::unique_ptr<Expr>;

struct Literal : Expr {
  Value value;
  Literal(Position at, const Value& value) : Expr(ExprKind::literal, at), value(value) {}
};

/// Where a variable lies: slot `slot` of the frame `hops` functions outward, or a variable of the
/// rendering itself (global).
struct Place {
  bool global = true;
  uint16_t hops = 0;
  uint32_t slot = 0;
};

struct Name : Expr {
  std::string name;
  Place place;
  const Undefined* undefined = nullptr;  ///< what it is where it was never set
  Name(Position at, std::string name) : Expr(ExprKind::name, at), name(std::move(name)) {}
};

struct Sequence : Expr {  // list, tuple, concat
  std::vector<ExprPtr> items;
  using Expr::Expr;
};

struct DictDisplay : Expr {
  std::vector<std::pair<ExprPtr, ExprPtr>> entries;
  explicit DictDisplay(Position at) : Expr(ExprKind::dict, at) {}
};

struct Unary : Expr {  // unary, negation
  bool minus = false;
  ExprPtr operand;
  using Expr::Expr;
};

struct Binary : Expr {
  Arithmetic operation = Arithmetic::add;
  ExprPtr left, right;
  explicit Binary(Position at) : Expr(ExprKind::binary, at) {}
};

struct Logical : Expr {
  bool is_and = false;
  ExprPtr left, right;
  explicit Logical(Position at) : Expr(ExprKind::logical, at) {}
};

struct Compare : Expr {
  ExprPtr first;
  std::vector<std::pair<Comparison, ExprPtr>> rest;
  explicit Compare(Position at) : Expr(ExprKind::compare, at) {}
};

struct Conditional : Expr {
  ExprPtr test, then, otherwise;  ///< `otherwise` may be null
  explicit Conditional(Position at) : Expr(ExprKind::conditional, at) {}
};

struct Attribute : Expr {
  ExprPtr object;
  std::string name;
  explicit Attribute(Position at) : Expr(ExprKind::attribute, at) {}
};

struct Element : Expr {
  ExprPtr object, key;
  explicit Element(Position at) : Expr(ExprKind::element, at) {}
};

struct SliceExpr : Expr {
  ExprPtr object, start, stop, step;  ///< null: left out
  explicit SliceExpr(Position at) : Expr(ExprKind::slice, at) {}
};

struct CallArguments {
  std::vector<ExprPtr> positional;
  std::vector<std::pair<std::string, ExprPtr>> keywords;
  ExprPtr star, double_star;
};

struct Call : Expr {
  ExprPtr callee;
  CallArguments arguments;
  explicit Call(Position at) : Expr(ExprKind::call, at) {}
};

struct Filter : Expr {
  ExprPtr input;  ///< null: the text of a block
  std::string name;
  FilterFunction function = nullptr;
  CallArguments arguments;
  explicit Filter(Position at) : Expr(ExprKind::filter, at) {}
};

struct Test : Expr {
  ExprPtr input;
  std::string name;
  TestFunction function = nullptr;
  CallArguments arguments;
  explicit Test(Position at) : Expr(ExprKind::test, at) {}
};

// ---- statements

enum class StatementKind : uint8_t {
  output,
  if_,
  for_,
  set,
  set_block,
  macro,
  call_block,
  filter_block,
  with,
  generation,
  break_,
  continue_,
};

struct Statement {
  StatementKind kind;
  Position at;
  explicit Statement(StatementKind kind, Position at) : kind(kind), at(at) {}
  virtual ~Statement() = default;
};
using StatementPtr = std::unique_ptr<Statement>;
using Body = std::vector<StatementPtr>;

/// What happens to the variables of a scope when it is entered.
struct ScopeEntry {
  enum class Kind : uint8_t { unset, copy } kind = Kind::unset;
  uint32_t slot = 0;
  Place from;  ///< copy: of an outer variable or a global
};

struct Scope {
  std::vector<ScopeEntry> entries;
};

/// A body that has a frame of its own: the template, a macro, a recursive loop.
struct Function {
  uint32_t slots = 0;
};

struct Output : Statement {
  std::vector<ExprPtr> parts;
  explicit Output(Position at) : Statement(StatementKind::output, at) {}
};

struct If : Statement {
  struct Branch {
    ExprPtr test;
    Body body;
  };
  std::vector<Branch> branches;
  Body otherwise;
  explicit If(Position at) : Statement(StatementKind::if_, at) {}
};

/// name, ns.attribute, or a tuple of targets.
struct Target {
  enum class Kind : uint8_t { name, attribute, tuple } kind = Kind::name;
  Position at;
  std::string name, attribute;
  Place place;
  std::vector<Target> items;
};

struct For : Statement {
  Target target, test_target;  ///< the loop filter has variables of its own
  ExprPtr iterable, test;
  bool recursive = false, uses_loop = false;
  Body body, otherwise;
  Scope body_scope, test_scope, else_scope;
  Place loop;
  Function function;  ///< if recursive
  explicit For(Position at) : Statement(StatementKind::for_, at) {}
};

struct Set : Statement {
  Target target;
  ExprPtr value;
  explicit Set(Position at) : Statement(StatementKind::set, at) {}
};

struct SetBlock : Statement {
  Target target;
  ExprPtr filter;  ///< may be null
  Body body;
  Scope scope;
  explicit SetBlock(Position at) : Statement(StatementKind::set_block, at) {}
};

struct MacroDefinition {
  std::string name;
  std::vector<Target> parameters;
  std::vector<ExprPtr> defaults;  ///< of the last parameters
  Body body;
  Scope scope;
  Function function;
  bool uses_caller = false, uses_varargs = false, uses_kwargs = false;  ///< in the body
  std::optional<Place> caller, varargs, kwargs;  ///< where the body uses them
  bool explicit_caller = false;
};

struct Macro : Statement {
  MacroDefinition definition;
  Target target;
  explicit Macro(Position at) : Statement(StatementKind::macro, at) {}
};

struct CallBlock : Statement {
  MacroDefinition caller;
  ExprPtr call;
  explicit CallBlock(Position at) : Statement(StatementKind::call_block, at) {}
};

struct FilterBlock : Statement {
  ExprPtr filter;
  Body body;
  Scope scope;
  explicit FilterBlock(Position at) : Statement(StatementKind::filter_block, at) {}
};

struct With : Statement {
  std::vector<std::pair<Target, ExprPtr>> variables;
  Body body;
  Scope scope;
  explicit With(Position at) : Statement(StatementKind::with, at) {}
};

struct Generation : Statement {
  Body body;
  Scope scope;
  explicit Generation(Position at) : Statement(StatementKind::generation, at) {}
};

/// A parsed template.
struct Program {
  Program(const RenderLimits& limits) : arena(limits.memory_bytes, limits.output_bytes) {}
  std::string name;
  Arena arena;  ///< literals
  Body body;
  Scope scope;
  Function function;
  std::vector<std::string> globals;  ///< names that come from outside
  bool has_generation_tag = false;
};

}  // namespace burnish::jinja
