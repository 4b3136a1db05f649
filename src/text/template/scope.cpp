// Scopes, by the rules of the original's compiler. A loop body, macro, call, set, filter, with or
// generation block is a scope; the branches of an `if` are not. What a scope stores is its own: at
// its entry the variable starts as the outer one of that name, if an outer scope knows it.
#include <map>
#include <set>

#include "text/template/expression_children.h"
#include "text/template/name_uses.h"
#include "text/template/parser.h"
#include "text/template/scope_symbols.h"

namespace burnish::jinja {
namespace {

/// Gives every name its place.
class Resolver {
 public:
  explicit Resolver(Program& program) : program_(program) {}

  void run() {
    mark_uses(program_.body);
    Symbols root(owners_, program_.function, 0);
    Collector(root).body(program_.body);
    finish(root, program_.scope);
    body(program_.body, root);
  }

 private:
  /// A scope within `outer`, in a function of its own if `function` is given.
  Symbols inner(Symbols& outer, Function* function = nullptr) {
    if (function == nullptr) return {owners_, outer.function, outer.depth};
    return {owners_, *function, static_cast<uint16_t>(outer.depth + 1)};
  }

  /// Slots for what the scope stores, and what they start with.
  void finish(Symbols& symbols, Scope& scope) {
    for (const auto& [name, load] : symbols.loads) {
      if (!symbols.stores.contains(name)) continue;  // it reads a variable of the rendering
      const uint32_t slot = symbols.function.slots++;
      if (symbols.function.slots > 60000) {
        throw syntax_error(program_.name, {}, "the template has too many variables");
      }
      symbols.slots.emplace(name, slot);
    }
    for (const auto& [name, slot] : symbols.slots) {
      ScopeEntry entry;
      entry.slot = slot;
      const Symbols::Load load = symbols.loads.at(name);
      if (load == Symbols::Load::resolve) {
        entry.kind = ScopeEntry::Kind::copy;
        entry.from = global(name);
      } else if (load == Symbols::Load::alias) {
        entry.kind = ScopeEntry::Kind::copy;
        entry.from = place(symbols, name);  // of the outer scope: this one is not published yet
      }
      scope.entries.push_back(entry);
    }
    symbols.publish();
  }

  Place global(const std::string& name) {
    const auto [found, is_new] =
        globals_.emplace(name, static_cast<uint32_t>(program_.globals.size()));
    if (is_new) program_.globals.push_back(name);
    return {true, 0, found->second};
  }

  /// @param scope the innermost that is published, or one within it
  Place place(const Symbols& scope, const std::string& name) {
    const Symbols* owner = scope.owner(name);
    if (owner == nullptr) return global(name);
    const auto slot = owner->slots.find(name);
    if (slot == owner->slots.end()) return global(name);
    return {false, static_cast<uint16_t>(scope.depth - owner->depth), slot->second};
  }

  void expression(Expr& expr, Symbols& scope) {
    if (expr.kind == ExprKind::name) {
      auto& name = static_cast<Name&>(expr);
      name.place = place(scope, name.name);
      name.undefined = program_.arena.make<Undefined>(std::string_view{}, std::string_view{},
                                                      program_.arena.copy(name.name));
      return;
    }
    for_each_child(expr, [&](Expr& child) { expression(child, scope); });
  }
  void optional(ExprPtr& expr, Symbols& scope) {
    if (expr != nullptr) expression(*expr, scope);
  }
  void target(Target& target, Symbols& scope) {
    if (target.kind == Target::Kind::tuple) {
      for (Target& item : target.items) this->target(item, scope);
    } else {
      target.place = place(scope, target.name);
    }
  }

  void body(Body& body, Symbols& scope) {
    for (StatementPtr& statement : body) this->statement(*statement, scope);
  }
  void block(Body& body, Symbols& outer, Scope& scope, Function* function = nullptr) {
    Symbols symbols = inner(outer, function);
    Collector(symbols).body(body);
    finish(symbols, scope);
    this->body(body, symbols);
  }

  void statement(Statement& statement, Symbols& scope) {
    switch (statement.kind) {
      case StatementKind::output:
        for (ExprPtr& part : static_cast<Output&>(statement).parts) expression(*part, scope);
        return;
      case StatementKind::if_:
        for (auto& branch : static_cast<If&>(statement).branches) {
          expression(*branch.test, scope);
          body(branch.body, scope);
        }
        return body(static_cast<If&>(statement).otherwise, scope);
      case StatementKind::for_:
        return loop(static_cast<For&>(statement), scope);
      case StatementKind::set:
        expression(*static_cast<Set&>(statement).value, scope);
        return target(static_cast<Set&>(statement).target, scope);
      case StatementKind::set_block: {
        auto& node = static_cast<SetBlock&>(statement);
        optional(node.filter, scope);
        target(node.target, scope);
        return block(node.body, scope, node.scope);
      }
      case StatementKind::macro: {
        auto& node = static_cast<Macro&>(statement);
        target(node.target, scope);
        return macro(node.definition, scope, node.at);
      }
      case StatementKind::call_block: {
        auto& node = static_cast<CallBlock&>(statement);
        expression(*node.call, scope);
        return macro(node.caller, scope, node.at);
      }
      case StatementKind::filter_block: {
        auto& node = static_cast<FilterBlock&>(statement);
        Symbols symbols = inner(scope);
        Collector(symbols).body(node.body);
        Collector(symbols).expression(*node.filter);
        finish(symbols, node.scope);
        body(node.body, symbols);
        return expression(*node.filter, symbols);
      }
      case StatementKind::with: {
        auto& node = static_cast<With&>(statement);
        for (auto& variable : node.variables) expression(*variable.second, scope);
        Symbols symbols = inner(scope);
        for (auto& variable : node.variables) Collector(symbols).target(variable.first, true);
        Collector(symbols).body(node.body);
        finish(symbols, node.scope);
        for (auto& variable : node.variables) target(variable.first, symbols);
        return body(node.body, symbols);
      }
      case StatementKind::generation: {
        auto& node = static_cast<Generation&>(statement);
        return block(node.body, scope, node.scope);
      }
      case StatementKind::break_:
      case StatementKind::continue_:
        return;
    }
  }

  void loop(For& node, Symbols& scope) {
    expression(*node.iterable, scope);
    Function* function = node.recursive ? &node.function : nullptr;
    node.uses_loop = node.uses_loop || node.recursive;
    loop_body(node, scope, function);
    if (node.test != nullptr) loop_test(node, scope, function);
    block(node.otherwise, scope, node.else_scope, function);
  }

  void loop_body(For& node, Symbols& scope, Function* function) {
    Symbols inside = inner(scope, function);
    if (node.uses_loop) inside.declare_parameter("loop");
    Collector collector(inside);
    collector.target(node.target, true);
    collector.body(node.body);
    finish(inside, node.body_scope);
    target(node.target, inside);
    if (node.uses_loop) node.loop = place(inside, "loop");
    body(node.body, inside);
  }

  void loop_test(For& node, Symbols& scope, Function* function) {
    Symbols testing = inner(scope, function);
    node.test_target = node.target;
    Collector(testing).target(node.test_target, true);
    Collector(testing).expression(*node.test);
    finish(testing, node.test_scope);
    target(node.test_target, testing);
    expression(*node.test, testing);
  }

  void macro(MacroDefinition& definition, Symbols& scope, Position at) {
    Symbols symbols = inner(scope, &definition.function);
    std::set<std::string> named;
    for (const Target& parameter : definition.parameters) {
      symbols.declare_parameter(parameter.name);
      named.insert(parameter.name);
    }
    Collector collector(symbols);
    for (ExprPtr& value : definition.defaults) collector.expression(*value);
    collector.body(definition.body);

    definition.explicit_caller = named.contains("caller");
    const bool uses_caller = definition.uses_caller;
    const bool uses_kwargs = !named.contains("kwargs") && definition.uses_kwargs;
    const bool uses_varargs = !named.contains("varargs") && definition.uses_varargs;
    if (uses_caller && definition.explicit_caller) check_caller_default(definition, at);
    if (uses_caller && !definition.explicit_caller) symbols.declare_parameter("caller");
    if (uses_kwargs) symbols.declare_parameter("kwargs");
    if (uses_varargs) symbols.declare_parameter("varargs");

    finish(symbols, definition.scope);
    for (Target& parameter : definition.parameters) target(parameter, symbols);
    for (ExprPtr& value : definition.defaults) expression(*value, symbols);
    if (uses_caller) definition.caller = place(symbols, "caller");
    if (uses_kwargs) definition.kwargs = place(symbols, "kwargs");
    if (uses_varargs) definition.varargs = place(symbols, "varargs");
    body(definition.body, symbols);
  }

  void check_caller_default(const MacroDefinition& definition, Position at) {
    const size_t first_default = definition.parameters.size() - definition.defaults.size();
    for (size_t i = 0; i < first_default; ++i) {
      if (definition.parameters[i].name != "caller") continue;
      throw syntax_error(program_.name, at,
                         "the special \"caller\" argument must be omitted or be given a default");
    }
  }

  Program& program_;
  Owners owners_;
  std::map<std::string, uint32_t> globals_;
};

}  // namespace

void resolve_names(Program& program) {
  Resolver(program).run();
}

}  // namespace burnish::jinja
