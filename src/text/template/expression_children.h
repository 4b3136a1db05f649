// Walking over an expression's children.
#pragma once

#include "text/template/ast.h"

namespace burnish::jinja {

template <class Visit>
void for_each_argument(CallArguments& arguments, Visit visit) {
  for (ExprPtr& argument : arguments.positional) visit(*argument);
  for (auto& keyword : arguments.keywords) visit(*keyword.second);
  if (arguments.star != nullptr) visit(*arguments.star);
  if (arguments.double_star != nullptr) visit(*arguments.double_star);
}

/// Calls visit(Expr&) for the direct children, in the order in which they are evaluated.
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

}  // namespace burnish::jinja
