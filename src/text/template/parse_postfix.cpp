// What stands behind a primary: attributes, subscripts, calls, filters and tests.
#include <set>

#include "text/template/parser.h"

namespace burnish::jinja {

void raise_to(Expr& expr, const CallArguments& arguments) {
  for (const ExprPtr& argument : arguments.positional) raise_to(expr, argument);
  for (const auto& keyword : arguments.keywords) raise_to(expr, keyword.second);
  raise_to(expr, arguments.star);
  raise_to(expr, arguments.double_star);
}

ExprPtr ExpressionParser::postfix(ExprPtr expr) {
  while (true) {
    if (peek().is_symbol(".") || peek().is_symbol("[")) {
      expr = subscript(std::move(expr));
    } else if (peek().is_symbol("(")) {
      expr = call(std::move(expr));
    } else {
      return expr;
    }
    check_height(*expr);
  }
}

ExprPtr ExpressionParser::filters_and_tests(ExprPtr expr) {
  while (true) {
    if (peek().is_symbol("|")) {
      expr = filters(std::move(expr));
    } else if (peek().is_name("is")) {
      expr = test(std::move(expr));
    } else if (peek().is_symbol("(")) {
      expr = call(std::move(expr));
    } else {
      return expr;
    }
    check_height(*expr);
  }
}

ExprPtr ExpressionParser::subscript(ExprPtr object) {
  const Token& token = next();
  const Position at = token.at;
  if (token.text == "[") return bracketed(std::move(object), at);
  const Token& name = next();
  if (name.kind == TokenKind::name) {
    auto node = std::make_unique<Attribute>(at);
    raise_to(*node, object);
    node->object = std::move(object);
    node->name = name.text;
    return node;
  }
  if (name.kind != TokenKind::integer || !name.text.empty()) {
    fail(name.at, "expected name or number");
  }
  auto node = std::make_unique<Element>(at);
  raise_to(*node, object);
  node->object = std::move(object);
  node->key = std::make_unique<Literal>(name.at, Value::of(name.integer));
  return node;
}

ExprPtr ExpressionParser::bracketed(ExprPtr object, Position at) {
  auto keys = std::make_unique<Sequence>(ExprKind::tuple, at);
  while (!peek().is_symbol("]")) {
    if (!keys->items.empty()) expect_symbol(",");
    ExprPtr start;
    if (!peek().is_symbol(":")) start = expression();
    if (skip_symbol(":")) {
      if (!keys->items.empty()) fail(at, "a slice cannot be part of a tuple");
      return slice(std::move(object), std::move(start), at);
    }
    if (start == nullptr) fail(peek().at, "expected subscript expression");
    raise_to(*keys, start);
    keys->items.push_back(std::move(start));
  }
  expect_symbol("]");
  auto node = std::make_unique<Element>(at);
  node->object = std::move(object);
  if (keys->items.size() == 1) {
    node->key = std::move(keys->items.front());
  } else {
    node->key = std::move(keys);
  }
  raise_to(*node, node->object);
  raise_to(*node, node->key);
  return node;
}

ExprPtr ExpressionParser::slice(ExprPtr object, ExprPtr start, Position at) {
  auto node = std::make_unique<SliceExpr>(at);
  node->object = std::move(object);
  node->start = std::move(start);
  if (!peek().is_symbol(":") && !peek().is_symbol("]")) node->stop = expression();
  if (skip_symbol(":") && !peek().is_symbol("]")) node->step = expression();
  expect_symbol("]");
  for (const ExprPtr* part : {&node->object, &node->start, &node->stop, &node->step}) {
    raise_to(*node, *part);
  }
  return node;
}

CallArguments ExpressionParser::call_arguments() {
  CallArguments arguments;
  const Position at = peek().at;
  const auto ensure = [&](bool condition) {
    if (!condition) fail(at, "invalid syntax for function call expression");
  };
  expect_symbol("(");
  bool first = true;
  std::set<std::string> named;
  while (!peek().is_symbol(")")) {
    if (!first) {
      expect_symbol(",");
      if (peek().is_symbol(")")) break;
    }
    first = false;
    if (skip_symbol("*")) {
      ensure(arguments.star == nullptr && arguments.double_star == nullptr);
      arguments.star = expression();
    } else if (skip_symbol("**")) {
      ensure(arguments.double_star == nullptr);
      arguments.double_star = expression();
    } else if (peek().kind == TokenKind::name && peek(1).is_symbol("=")) {
      ensure(arguments.double_star == nullptr);
      std::string name = next().text;
      next();
      if (!named.insert(name).second) fail(at, "keyword argument repeated: " + name);
      arguments.keywords.emplace_back(std::move(name), expression());
    } else {
      ensure(arguments.star == nullptr && arguments.double_star == nullptr &&
             arguments.keywords.empty());
      arguments.positional.push_back(expression());
    }
  }
  expect_symbol(")");
  return arguments;
}

ExprPtr ExpressionParser::call(ExprPtr callee) {
  auto node = std::make_unique<Call>(peek().at);
  raise_to(*node, callee);
  node->callee = std::move(callee);
  node->arguments = call_arguments();
  raise_to(*node, node->arguments);
  return node;
}

std::string ExpressionParser::dotted_name() {
  std::string name = expect_name().text;
  while (skip_symbol(".")) name += "." + expect_name().text;
  return name;
}

ExprPtr ExpressionParser::filters(ExprPtr input, bool starts_inline) {
  while (starts_inline || peek().is_symbol("|")) {
    if (!starts_inline) next();
    starts_inline = false;
    auto node = std::make_unique<Filter>(peek().at);
    node->name = dotted_name();
    node->function = find_filter(node->name);
    if (node->function == nullptr && !in_branch_) {
      unknown_.emplace_back(node->at, "No filter named '" + node->name + "'.");
    }
    if (peek().is_symbol("(")) node->arguments = call_arguments();
    raise_to(*node, node->arguments);
    raise_to(*node, input);
    node->input = std::move(input);
    check_height(*node);
    input = std::move(node);
  }
  return input;
}

/// `x is divisibleby 3`: the argument needs no parentheses.
bool ExpressionParser::starts_test_argument() const {
  const Token& token = peek();
  if (token.kind == TokenKind::name) {
    return token.text != "else" && token.text != "or" && token.text != "and";
  }
  return token.kind == TokenKind::string || token.kind == TokenKind::integer ||
         token.kind == TokenKind::real || token.is_symbol("[") || token.is_symbol("{");
}

ExprPtr ExpressionParser::test(ExprPtr input) {
  const Position at = next().at;
  const bool negated = skip_name("not");
  auto node = std::make_unique<Test>(at);
  node->name = dotted_name();
  node->function = find_test(node->name);
  if (node->function == nullptr && !in_branch_) {
    unknown_.emplace_back(at, "No test named '" + node->name + "'.");
  }
  if (peek().is_symbol("(")) {
    node->arguments = call_arguments();
  } else if (starts_test_argument()) {
    if (peek().is_name("is")) fail(peek().at, "You cannot chain multiple tests with is");
    node->arguments.positional.push_back(postfix(primary()));
  }
  raise_to(*node, node->arguments);
  raise_to(*node, input);
  node->input = std::move(input);
  if (!negated) return node;
  auto inverse = std::make_unique<Unary>(ExprKind::negation, at);
  inverse->operand = std::move(node);
  raise_to(*inverse, inverse->operand);
  return inverse;
}

}  // namespace burnish::jinja
