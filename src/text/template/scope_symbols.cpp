#include "text/template/scope_symbols.h"

#include <utility>

#include "text/template/expression_children.h"

namespace burnish::jinja {

Symbols::~Symbols() {
  if (!published_) return;
  for (const auto& [name, load] : loads) owners_.at(name).pop_back();
}

void Symbols::publish() {
  for (const auto& [name, load] : loads) owners_[name].push_back(this);
  published_ = true;
}

const Symbols* Symbols::owner(const std::string& name) const {
  const auto found = owners_.find(name);
  return found == owners_.end() || found->second.empty() ? nullptr : found->second.back();
}

void Symbols::load(const std::string& name) {
  if (!loads.contains(name) && owner(name) == nullptr) loads.emplace(name, Load::resolve);
}

void Symbols::store(const std::string& name, bool in_branch) {
  stores.insert(name);
  if (loads.contains(name)) return;
  const Load otherwise = in_branch ? Load::resolve : Load::unset;
  loads.emplace(name, owner(name) != nullptr ? Load::alias : otherwise);
}

void Symbols::declare_parameter(const std::string& name) {
  stores.insert(name);
  loads[name] = Load::parameter;
}

void Collector::expression(Expr& expr) {
  if (expr.kind == ExprKind::name) return symbols_.load(static_cast<Name&>(expr).name);
  for_each_child(expr, [this](Expr& child) { expression(child); });
}

void Collector::target(const Target& target, bool as_parameter) {
  switch (target.kind) {
    case Target::Kind::attribute:
      return symbols_.load(target.name);
    case Target::Kind::tuple:
      for (const Target& item : target.items) this->target(item, as_parameter);
      return;
    case Target::Kind::name:
      if (as_parameter) return symbols_.declare_parameter(target.name);
      return symbols_.store(target.name, in_branch_);
  }
}

void Collector::body(Body& body) {
  for (StatementPtr& statement : body) this->statement(*statement);
}

void Collector::branches(If& node) {
  const bool outside = std::exchange(in_branch_, true);
  for (If::Branch& branch : node.branches) {
    expression(*branch.test);
    body(branch.body);
  }
  body(node.otherwise);
  in_branch_ = outside;
}

void Collector::statement(Statement& statement) {
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

}  // namespace burnish::jinja
