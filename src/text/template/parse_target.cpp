// What an assignment, a loop or a parameter stores to.
#include "text/template/parser.h"

namespace burnish::jinja {

Target ExpressionParser::name_target() {
  const Token& token = expect_name();
  if (is_constant_name(token.text)) fail(token.at, "can't assign to '" + token.text + "'");
  Target target;
  target.at = token.at;
  target.name = token.text;
  return target;
}

Target ExpressionParser::single_target(bool with_attributes) {
  if (skip_symbol("(")) {
    const Depth depth(*this, peek().at);
    Target inner = target(with_attributes);
    expect_symbol(")");
    return inner;
  }
  Target result = name_target();
  if (with_attributes && skip_symbol(".")) {
    result.kind = Target::Kind::attribute;
    result.attribute = expect_name().text;
  }
  return result;
}

Target ExpressionParser::target(bool with_attributes, std::string_view end_name) {
  Target result;
  result.at = peek().at;
  result.kind = Target::Kind::tuple;
  bool is_tuple = false;
  while (true) {
    if (!result.items.empty()) expect_symbol(",");
    if (ends_tuple(end_name) || peek().is_symbol("=")) break;
    result.items.push_back(single_target(with_attributes));
    if (!peek().is_symbol(",")) break;
    is_tuple = true;
  }
  if (result.items.empty()) fail(result.at, "can't assign to '" + describe(peek()) + "'");
  if (is_tuple) return result;
  Target only = std::move(result.items.front());
  return only;
}

}  // namespace burnish::jinja
