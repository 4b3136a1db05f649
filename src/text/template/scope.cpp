// Scopes, by the rules of the original's compiler. A loop body, macro, call, set, filter, with or
// generation block is a scope; the branches of an `if` are not. What a scope stores is its own: at
// its entry the variable starts as the outer one of that name, if an outer scope knows it.
#include <map>
#include <set>

#include "text/template/parser.h"

namespace burnish::jinja {
namespace {

/// Calls visit(Expr&) for the direct children, in the order in which they are evaluated.
template <class Visit>
void for_each_argument(CallArguments& arguments, Visit visit) {
  for (ExprPtr& argument : arguments.positional) visit(*argument);
  for (auto& keyword : arguments.keywords) visit(*keyword.second);
  if (arguments.star != nullptr) visit(*arguments.star);
  if (arguments.double_star != nullptr) visit(*arguments.double_star);
}

template <class Visit>
void for_each_child(Expr& expr, Visit visit) {
  const auto if_there = [&](ExprPtr& child) {
    if (child != nullptr) visit(*child);
  };
  switch (expr.kind) {
    case ExprKind::literal:
    case ExprKind::name:
      return;
    case ExprKind::list:
    case ExprKind::tuple:
    case ExprKind::concat:
      for (ExprPtr& item : static_cast<Sequence&>(expr).items) visit(*item);
      return;
    case ExprKind::dict:
      for (auto& [key, value] : static_cast<DictDisplay&>(expr).entries) {
        visit(*key);
        visit(*value);
      }
      return;
    case ExprKind::unary:
    case ExprKind::negation:
      return visit(*static_cast<Unary&>(expr).operand);
    case ExprKind::binary:
      visit(*static_cast<Binary&>(expr).left);
      return visit(*static_cast<Binary&>(expr).right);
    case ExprKind::logical:
      visit(*static_cast<Logical&>(expr).left);
      return visit(*static_cast<Logical&>(expr).right);
    case ExprKind::compare:
      visit(*static_cast<Compare&>(expr).first);
      for (auto& operand : static_cast<Compare&>(expr).rest) visit(*operand.second);
      return;
    case ExprKind::conditional:
      visit(*static_cast<Conditional&>(expr).test);
      visit(*static_cast<Conditional&>(expr).then);
      return if_there(static_cast<Conditional&>(expr).otherwise);
    case ExprKind::attribute:
      return visit(*static_cast<Attribute&>(expr).object);
    case ExprKind::element:
      visit(*static_cast<Element&>(expr).object);
      return visit(*static_cast<Element&>(expr).key);
    case ExprKind::slice: {
      auto& slice = static_cast<SliceExpr&>(expr);
      visit(*slice.object);
      if_there(slice.start);
      if_there(slice.stop);
      return if_there(slice.step);
    }
    case ExprKind::call:
      visit(*static_cast<Call&>(expr).callee);
      return for_each_argument(static_cast<Call&>(expr).arguments, visit);
    case ExprKind::filter:
      if_there(static_cast<Filter&>(expr).input);
      return for_each_argument(static_cast<Filter&>(expr).arguments, visit);
    case ExprKind::test:
      visit(*static_cast<Test&>(expr).input);
      return for_each_argument(static_cast<Test&>(expr).arguments, visit);
  }
}

/// What a scope knows of its names.
struct Symbols {
  enum class Load : uint8_t { parameter, resolve, alias, unset };

  Symbols* parent = nullptr;
  Function* function = nullptr;
  std::map<std::string, Load> loads;
  std::set<std::string> stores;
  std::map<std::string, uint32_t> slots;

  bool knows(const std::string& name) const {
    return loads.contains(name) || (parent != nullptr && parent->knows(name));
  }
  void load(const std::string& name) {
    if (!knows(name)) loads.emplace(name, Load::resolve);
  }
  void store(const std::string& name) {
    stores.insert(name);
    if (loads.contains(name)) return;
    const bool outer = parent != nullptr && parent->knows(name);
    loads.emplace(name, outer ? Load::alias : Load::unset);
  }
  void declare_parameter(const std::string& name) {
    stores.insert(name);
    loads[name] = Load::parameter;
  }
  /// After branches: what only some of them may have stored starts as the outer variable.
  void merge(const std::vector<Symbols>& branches) {
    std::set<std::string> stored;
    for (const Symbols& branch : branches)
      stored.insert(branch.stores.begin(), branch.stores.end());
    for (const std::string& name : stores) stored.erase(name);
    for (const Symbols& branch : branches) {
      for (const auto& [name, load] : branch.loads) loads[name] = load;
      stores.insert(branch.stores.begin(), branch.stores.end());
    }
    for (const std::string& name : stored) {
      loads[name] = parent != nullptr && parent->knows(name) ? Load::alias : Load::resolve;
    }
  }
};

/// Collects the names of one scope, without entering the scopes within.
class Collector {
 public:
  explicit Collector(Symbols& symbols) : symbols_(&symbols) {}

  void expression(Expr& expr) {
    if (expr.kind == ExprKind::name) return symbols_->load(static_cast<Name&>(expr).name);
    for_each_child(expr, [this](Expr& child) { expression(child); });
  }
  void target(const Target& target, bool as_parameter = false) {
    switch (target.kind) {
      case Target::Kind::attribute:
        return symbols_->load(target.name);
      case Target::Kind::tuple:
        for (const Target& item : target.items) this->target(item, as_parameter);
        return;
      case Target::Kind::name:
        if (as_parameter) return symbols_->declare_parameter(target.name);
        return symbols_->store(target.name);
    }
  }
  void body(Body& body) {
    for (StatementPtr& statement : body) this->statement(*statement);
  }

 private:
  void branches(If& node) {
    expression(*node.branches.front().test);
    Symbols* outer = symbols_;
    std::vector<Symbols> parts;
    const auto part = [&](auto visit) {
      Symbols copy = *outer;
      symbols_ = &copy;
      visit();
      symbols_ = outer;
      parts.push_back(std::move(copy));
    };
    part([&] { body(node.branches.front().body); });
    part([&] {
      for (size_t i = 1; i < node.branches.size(); ++i) elif (node.branches[i]);
    });
    part([&] { body(node.otherwise); });
    outer->merge(parts);
  }
  /// An elif is an `if` without further branches.
  void elif (If::Branch& branch) {
    expression(*branch.test);
    Symbols* outer = symbols_;
    Symbols copy = *outer;
    symbols_ = &copy;
    body(branch.body);
    symbols_ = outer;
    outer->merge({std::move(copy), *outer, *outer});
  }
  void statement(Statement& statement) {
    switch (statement.kind) {
      case StatementKind::output:
        for (ExprPtr& part : static_cast<Output&>(statement).parts) expression(*part);
        return;
      case StatementKind::if_:
        return branches(static_cast<If&>(statement));
      case StatementKind::for_:
        return expression(*static_cast<For&>(statement).iterable);
      case StatementKind::set:
        expression(*static_cast<Set&>(statement).value);
        return target(static_cast<Set&>(statement).target);
      case StatementKind::set_block: {
        auto& node = static_cast<SetBlock&>(statement);
        if (node.filter != nullptr) expression(*node.filter);
        return target(node.target);
      }
      case StatementKind::macro:
        return target(static_cast<Macro&>(statement).target);
      case StatementKind::call_block:
        return expression(*static_cast<CallBlock&>(statement).call);
      case StatementKind::filter_block:
        return expression(*static_cast<FilterBlock&>(statement).filter);
      case StatementKind::with:
        for (auto& variable : static_cast<With&>(statement).variables) expression(*variable.second);
        return;
      case StatementKind::generation:
      case StatementKind::break_:
      case StatementKind::continue_:
        return;
    }
  }

  Symbols* symbols_;
};

/// Whether a body reads `name` before it stores it, scopes within included.
class Uses {
 public:
  explicit Uses(std::string_view name) : name_(name) {}

  bool in(Body& body) {
    for (StatementPtr& statement : body) visit(*statement);
    return found_;
  }

 private:
  void expression(Expr& expr) {
    if (expr.kind == ExprKind::name) {
      found_ = found_ || (!stored_ && static_cast<Name&>(expr).name == name_);
      return;
    }
    for_each_child(expr, [this](Expr& child) { expression(child); });
  }
  void target(const Target& target) {
    for (const Target& item : target.items) this->target(item);
    if (target.kind == Target::Kind::name && target.name == name_) stored_ = true;
  }
  void definition(MacroDefinition& definition) {
    for (const Target& parameter : definition.parameters) target(parameter);
    for (ExprPtr& value : definition.defaults) expression(*value);
    in(definition.body);
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
        in(node.body);
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

  std::string_view name_;
  bool found_ = false, stored_ = false;
};

/// Gives every name its place.
class Resolver {
 public:
  explicit Resolver(Program& program) : program_(program) {}

  void run() {
    Symbols root;
    root.function = &program_.function;
    Collector(root).body(program_.body);
    finish(root, program_.scope);
    body(program_.body, root);
  }

 private:
  static Symbols inner(Symbols& outer, Function* function = nullptr) {
    Symbols symbols;
    symbols.parent = &outer;
    symbols.function = function != nullptr ? function : outer.function;
    return symbols;
  }

  /// Slots for what the scope stores, and what they start with.
  void finish(Symbols& symbols, Scope& scope) {
    for (const auto& [name, load] : symbols.loads) {
      if (!symbols.stores.contains(name)) continue;  // it reads a variable of the rendering
      const uint32_t slot = symbols.function->slots++;
      if (symbols.function->slots > 60000) {
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
        entry.from = place_from(*symbols.parent, symbols.function, name);
      }
      scope.entries.push_back(entry);
    }
  }

  Place global(const std::string& name) {
    const auto [found, is_new] =
        globals_.emplace(name, static_cast<uint32_t>(program_.globals.size()));
    if (is_new) program_.globals.push_back(name);
    return {true, 0, found->second};
  }

  Place place_from(const Symbols& scope, const Function* function, const std::string& name) {
    uint16_t hops = 0;
    for (const Symbols* at = &scope; at != nullptr; at = at->parent) {
      if (at->function != function) {
        ++hops;
        function = at->function;
      }
      if (const auto found = at->slots.find(name); found != at->slots.end()) {
        return {false, hops, found->second};
      }
      if (at->loads.contains(name)) break;
    }
    return global(name);
  }
  Place place(const Symbols& scope, const std::string& name) {
    return place_from(scope, scope.function, name);
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
  void block(Body& body, Symbols& outer, Scope& scope) {
    Symbols symbols = inner(outer);
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
        Symbols symbols = inner(scope);
        for (auto& variable : node.variables) Collector(symbols).target(variable.first, true);
        Collector(symbols).body(node.body);
        finish(symbols, node.scope);
        for (auto& [variable, value] : node.variables) {
          expression(*value, scope);
          target(variable, symbols);
        }
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
    node.uses_loop = node.recursive || Uses("loop").in(node.body);
    Symbols inside = inner(scope, function);
    if (node.uses_loop) inside.declare_parameter("loop");
    Collector collector(inside);
    collector.target(node.target, true);
    collector.body(node.body);
    finish(inside, node.body_scope);
    target(node.target, inside);
    if (node.uses_loop) node.loop = place(inside, "loop");
    body(node.body, inside);

    if (node.test != nullptr) {
      Symbols testing = inner(scope, function);
      node.test_target = node.target;
      Collector(testing).target(node.test_target, true);
      Collector(testing).expression(*node.test);
      finish(testing, node.test_scope);
      target(node.test_target, testing);
      expression(*node.test, testing);
    }
    Symbols otherwise = inner(scope, function);
    Collector(otherwise).body(node.otherwise);
    finish(otherwise, node.else_scope);
    body(node.otherwise, otherwise);
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
    const bool uses_caller = Uses("caller").in(definition.body);
    const bool uses_kwargs = !named.contains("kwargs") && Uses("kwargs").in(definition.body);
    const bool uses_varargs = !named.contains("varargs") && Uses("varargs").in(definition.body);
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
  std::map<std::string, uint32_t> globals_;
};

}  // namespace

void resolve_names(Program& program) {
  Resolver(program).run();
}

}  // namespace burnish::jinja
