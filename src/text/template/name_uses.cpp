#include "text/template/name_uses.h"

#include <array>
#include <string_view>

#include "text/template/expression_children.h"

namespace burnish::jinja {
namespace {

constexpr std::array<std::string_view, 4> kNames = {"loop", "caller", "varargs", "kwargs"};
enum Provided : uint8_t { loop, caller, varargs, kwargs };

/// What a stretch of a template does first with each of the names; one walk marks all within.
class Uses {
 public:
  bool reads(Provided name) const { return first_[name] == First::read; }

  void in(Body& body) {
    for (StatementPtr& statement : body) visit(*statement);
  }

 private:
  enum class First : uint8_t { nothing, read, store };

  void note(std::string_view name, First use) {
    for (size_t i = 0; i < kNames.size(); ++i) {
      if (name == kNames[i]) note(i, use);
    }
  }
  void note(size_t name, First use) {
    if (first_[name] == First::nothing) first_[name] = use;
  }

  void expression(Expr& expr) {
    if (expr.kind == ExprKind::name) return note(static_cast<Name&>(expr).name, First::read);
    for_each_child(expr, [this](Expr& child) { expression(child); });
  }
  void target(const Target& target) {
    for (const Target& item : target.items) this->target(item);
    if (target.kind == Target::Kind::name) note(target.name, First::store);
  }
  /// What the body alone does; it counts for what stands around it too.
  Uses within(Body& body) {
    Uses inside;
    inside.in(body);
    for (size_t i = 0; i < kNames.size(); ++i) note(i, inside.first_[i]);
    return inside;
  }
  void definition(MacroDefinition& definition) {
    for (const Target& parameter : definition.parameters) target(parameter);
    for (ExprPtr& value : definition.defaults) expression(*value);
    const Uses inside = within(definition.body);
    definition.uses_caller = inside.reads(caller);
    definition.uses_varargs = inside.reads(varargs);
    definition.uses_kwargs = inside.reads(kwargs);
  }
  void visit(Statement& statement) {
    switch (statement.kind) {
      case StatementKind::output:
        for (ExprPtr& part : static_cast<Output&>(statement).parts) expression(*part);
        return;
      case StatementKind::if_:
        for (auto& branch : static_cast<If&>(statement).branches) {
          expression(*branch.test);
          in(branch.body);
        }
        in(static_cast<If&>(statement).otherwise);
        return;
      case StatementKind::for_: {
        auto& node = static_cast<For&>(statement);
        target(node.target);
        expression(*node.iterable);
        node.uses_loop = within(node.body).reads(loop);
        in(node.otherwise);
        if (node.test != nullptr) expression(*node.test);
        return;
      }
      case StatementKind::set:
        expression(*static_cast<Set&>(statement).value);
        return target(static_cast<Set&>(statement).target);
      case StatementKind::set_block: {
        auto& node = static_cast<SetBlock&>(statement);
        if (node.filter != nullptr) expression(*node.filter);
        target(node.target);
        in(node.body);
        return;
      }
      case StatementKind::macro:
        target(static_cast<Macro&>(statement).target);
        return definition(static_cast<Macro&>(statement).definition);
      case StatementKind::call_block:
        expression(*static_cast<CallBlock&>(statement).call);
        return definition(static_cast<CallBlock&>(statement).caller);
      case StatementKind::filter_block:
        in(static_cast<FilterBlock&>(statement).body);
        return expression(*static_cast<FilterBlock&>(statement).filter);
      case StatementKind::with:
        for (auto& variable : static_cast<With&>(statement).variables) {
          expression(*variable.second);
          target(variable.first);
        }
        in(static_cast<With&>(statement).body);
        return;
      case StatementKind::generation:
        in(static_cast<Generation&>(statement).body);
        return;
      case StatementKind::break_:
      case StatementKind::continue_:
        return;
    }
  }

  std::array<First, kNames.size()> first_ = {};
};

}  // namespace

void mark_uses(Body& body) {
  Uses().in(body);
}

}  // namespace burnish::jinja
