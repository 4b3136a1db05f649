// Operators by precedence, from the inline if down to the sign.
#include <algorithm>

#include "text/template/parser.h"

namespace burnish::jinja {
namespace {

constexpr int kMaxDepth = 150;   // of the parser's own calls, one per bracket or statement
constexpr int kMaxHeight = 400;  // of a tree: a + b + c + ... grows to the left without a call

}  // namespace

ExpressionParser::Depth::Depth(ExpressionParser& parser, Position at) : parser_(parser) {
  if (++parser_.depth_ > kMaxDepth) {
    --parser_.depth_;
    parser_.fail(at, "nested more than " + std::to_string(kMaxDepth) + " levels deep");
  }
}

void ExpressionParser::check_height(const Expr& expr) const {
  if (expr.height > kMaxHeight) fail(expr.at, "the expression is too long");
}

void ExpressionParser::check_unknown() {
  if (!unknown_.empty()) fail(unknown_.front().first, unknown_.front().second);
}

ExprPtr ExpressionParser::expression(bool with_conditional) {
  const Depth depth(*this, peek().at);
  ExprPtr expr = with_conditional ? conditional() : disjunction();
  check_height(*expr);
  return expr;
}

ExprPtr ExpressionParser::conditional() {
  Position at = peek().at;
  const size_t unknown = unknown_.size();
  ExprPtr expr = disjunction();
  const bool is_conditional = peek().is_name("if");
  while (skip_name("if")) {
    auto node = std::make_unique<Conditional>(at);
    node->then = std::move(expr);
    node->test = disjunction();
    if (skip_name("else")) {
      const Depth depth(*this, peek().at);
      node->otherwise = conditional();
    }
    raise_to(*node, node->then);
    raise_to(*node, node->test);
    raise_to(*node, node->otherwise);
    check_height(*node);
    expr = std::move(node);
    at = peek().at;
  }
  if (is_conditional) unknown_.resize(unknown);
  return expr;
}

ExprPtr ExpressionParser::disjunction() {
  ExprPtr left = conjunction();
  while (peek().is_name("or")) {
    auto node = std::make_unique<Logical>(next().at);
    node->left = std::move(left);
    node->right = conjunction();
    raise_to(*node, node->left);
    raise_to(*node, node->right);
    check_height(*node);
    left = std::move(node);
  }
  return left;
}

ExprPtr ExpressionParser::conjunction() {
  ExprPtr left = negation();
  while (peek().is_name("and")) {
    auto node = std::make_unique<Logical>(next().at);
    node->is_and = true;
    node->left = std::move(left);
    node->right = negation();
    raise_to(*node, node->left);
    raise_to(*node, node->right);
    check_height(*node);
    left = std::move(node);
  }
  return left;
}

ExprPtr ExpressionParser::negation() {
  if (!peek().is_name("not")) return comparison();
  const Depth depth(*this, peek().at);
  auto node = std::make_unique<Unary>(ExprKind::negation, next().at);
  node->operand = negation();
  raise_to(*node, node->operand);
  return node;
}

ExprPtr ExpressionParser::comparison() {
  constexpr std::pair<std::string_view, Comparison> kSymbols[] = {
      {"==", Comparison::equal},  {"!=", Comparison::not_equal},
      {"<", Comparison::less},    {"<=", Comparison::less_equal},
      {">", Comparison::greater}, {">=", Comparison::greater_equal},
  };
  const auto next_comparison = [&]() -> std::optional<Comparison> {
    for (const auto& [symbol, comparison] : kSymbols) {
      if (skip_symbol(symbol)) return comparison;
    }
    if (skip_name("in")) return Comparison::in;
    if (peek().is_name("not") && peek(1).is_name("in")) {
      next();
      next();
      return Comparison::not_in;
    }
    return std::nullopt;
  };
  ExprPtr first = sum();
  Position at = peek().at;
  auto comparison = next_comparison();
  if (!comparison) return first;
  auto node = std::make_unique<Compare>(at);
  node->first = std::move(first);
  raise_to(*node, node->first);
  for (; comparison; comparison = next_comparison()) {
    node->rest.emplace_back(*comparison, sum());
    raise_to(*node, node->rest.back().second);
  }
  return node;
}

ExprPtr ExpressionParser::binary(Arithmetic operation, ExprPtr left, ExprPtr right, Position at) {
  auto node = std::make_unique<Binary>(at);
  node->operation = operation;
  node->left = std::move(left);
  node->right = std::move(right);
  raise_to(*node, node->left);
  raise_to(*node, node->right);
  check_height(*node);
  return node;
}

ExprPtr ExpressionParser::sum() {
  ExprPtr left = concatenation();
  while (peek().is_symbol("+") || peek().is_symbol("-")) {
    const Token& sign = next();
    const auto operation = sign.text == "+" ? Arithmetic::add : Arithmetic::subtract;
    const Position at = sign.at;
    left = binary(operation, std::move(left), concatenation(), at);
  }
  return left;
}

ExprPtr ExpressionParser::concatenation() {
  ExprPtr first = product();
  if (!peek().is_symbol("~")) return first;
  auto node = std::make_unique<Sequence>(ExprKind::concat, peek().at);
  raise_to(*node, first);
  node->items.push_back(std::move(first));
  while (skip_symbol("~")) {
    node->items.push_back(product());
    raise_to(*node, node->items.back());
  }
  return node;
}

ExprPtr ExpressionParser::product() {
  constexpr std::pair<std::string_view, Arithmetic> kSymbols[] = {
      {"*", Arithmetic::multiply},
      {"/", Arithmetic::divide},
      {"//", Arithmetic::floor_divide},
      {"%", Arithmetic::modulo},
  };
  ExprPtr left = power();
  while (true) {
    const auto* found =
        std::find_if(std::begin(kSymbols), std::end(kSymbols),
                     [this](const auto& entry) { return peek().is_symbol(entry.first); });
    if (found == std::end(kSymbols)) return left;
    const Position at = next().at;
    left = binary(found->second, std::move(left), power(), at);
  }
}

ExprPtr ExpressionParser::power() {
  ExprPtr left = unary();
  while (peek().is_symbol("**")) {
    const Position at = next().at;
    left = binary(Arithmetic::power, std::move(left), unary(), at);
  }
  return left;
}

ExprPtr ExpressionParser::unary(bool with_filters) {
  ExprPtr expr;
  if (peek().is_symbol("-") || peek().is_symbol("+")) {
    const Depth depth(*this, peek().at);
    const Token& sign = next();
    auto node = std::make_unique<Unary>(ExprKind::unary, sign.at);
    node->minus = sign.text == "-";
    node->operand = unary(false);
    raise_to(*node, node->operand);
    expr = std::move(node);
  } else {
    expr = primary();
  }
  expr = postfix(std::move(expr));
  return with_filters ? filters_and_tests(std::move(expr)) : std::move(expr);
}

}  // namespace burnish::jinja
