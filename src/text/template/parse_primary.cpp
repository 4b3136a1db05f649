// What an expression starts from: names, literals, displays of lists and dicts, tuples.
#include "text/template/parser.h"

namespace burnish::jinja {

ExprPtr ExpressionParser::primary() {
  const Token& token = peek();
  if (token.kind == TokenKind::string) return string();
  if (token.kind == TokenKind::integer || token.kind == TokenKind::real) return number();
  if (token.is_symbol("[")) return list();
  if (token.is_symbol("{")) return dict();
  if (skip_symbol("(")) {
    ExprPtr inner = tuple(true, {}, true);
    expect_symbol(")");
    return inner;
  }
  if (token.kind != TokenKind::name) fail(token.at, "unexpected '" + describe(token) + "'");
  next();
  if (token.text == "true" || token.text == "True") {
    return std::make_unique<Literal>(token.at, Value::of(true));
  }
  if (token.text == "false" || token.text == "False") {
    return std::make_unique<Literal>(token.at, Value::of(false));
  }
  if (is_constant_name(token.text)) return std::make_unique<Literal>(token.at, Value::none());
  return std::make_unique<Name>(token.at, token.text);
}

ExprPtr ExpressionParser::string() {
  const Position at = peek().at;
  std::string text;
  while (peek().kind == TokenKind::string) text += next().text;  // neighbours are one
  Arena& arena = program_.arena;
  const Str* literal = make_text(arena, arena.copy(text));
  literal->character_count();  // counted now: a template is shared by threads
  return std::make_unique<Literal>(at, Value::of(literal));
}

ExprPtr ExpressionParser::number() {
  const Token& token = next();
  if (token.kind == TokenKind::real) {
    return std::make_unique<Literal>(token.at, Value::of(token.real));
  }
  if (token.text.empty()) return std::make_unique<Literal>(token.at, Value::of(token.integer));
  Arena& arena = program_.arena;
  Value big = Value::of(make_text(arena, arena.copy(token.text)));
  big.text->character_count();
  big.type = Type::big_integer;
  return std::make_unique<Literal>(token.at, big);
}

ExprPtr ExpressionParser::list() {
  auto node = std::make_unique<Sequence>(ExprKind::list, next().at);
  while (!peek().is_symbol("]")) {
    if (!node->items.empty()) {
      expect_symbol(",");
      if (peek().is_symbol("]")) break;
    }
    node->items.push_back(expression());
    raise_to(*node, node->items.back());
  }
  expect_symbol("]");
  return node;
}

ExprPtr ExpressionParser::dict() {
  auto node = std::make_unique<DictDisplay>(next().at);
  while (!peek().is_symbol("}")) {
    if (!node->entries.empty()) {
      expect_symbol(",");
      if (peek().is_symbol("}")) break;
    }
    ExprPtr key = expression();
    expect_symbol(":");
    ExprPtr value = expression();
    raise_to(*node, key);
    raise_to(*node, value);
    node->entries.emplace_back(std::move(key), std::move(value));
  }
  expect_symbol("}");
  return node;
}

bool ExpressionParser::ends_tuple(std::string_view end_name) const {
  const Token& token = peek();
  return token.kind == TokenKind::variable_end || token.kind == TokenKind::block_end ||
         token.is_symbol(")") || (!end_name.empty() && token.is_name(end_name));
}

ExprPtr ExpressionParser::tuple(bool with_conditional, std::string_view end_name,
                                bool in_parentheses) {
  auto node = std::make_unique<Sequence>(ExprKind::tuple, peek().at);
  bool is_tuple = false;
  while (true) {
    if (!node->items.empty()) expect_symbol(",");
    if (ends_tuple(end_name)) break;
    node->items.push_back(expression(with_conditional));
    raise_to(*node, node->items.back());
    if (!peek().is_symbol(",")) break;
    is_tuple = true;
  }
  if (is_tuple) return node;
  if (!node->items.empty()) return std::move(node->items.front());
  if (!in_parentheses) fail(peek().at, "Expected an expression, got '" + describe(peek()) + "'");
  return node;
}

}  // namespace burnish::jinja
