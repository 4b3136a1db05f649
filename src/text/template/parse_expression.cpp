#include <algorithm>

#include "text/template/parser.h"

namespace burnish::jinja {
namespace {

constexpr int kMaxDepth = 150;   // of the parser's own calls, one per bracket or statement
constexpr int kMaxHeight = 400;  // of a tree: a + b + c + ... grows to the left without a call

std::string describe(const Token& token) {
  switch (token.kind) {
    case TokenKind::data:
      return "template data / text";
    case TokenKind::block_begin:
      return "begin of statement block";
    case TokenKind::block_end:
      return "end of statement block";
    case TokenKind::variable_begin:
      return "begin of print statement";
    case TokenKind::variable_end:
      return "end of print statement";
    case TokenKind::end:
      return "end of template";
    case TokenKind::string:
      return "string";
    case TokenKind::integer:
      return "integer";
    case TokenKind::real:
      return "float";
    default:
      return token.text;
  }
}

void raise_to(Expr& expr, const ExprPtr& child) {
  if (child != nullptr) expr.height = std::max(expr.height, child->height + 1);
}

bool is_constant_name(std::string_view name) {
  return name == "true" || name == "false" || name == "none" || name == "True" || name == "False" ||
         name == "None";
}

}  // namespace

ExpressionParser::Depth::Depth(ExpressionParser& parser, Position at) : parser_(parser) {
  if (++parser_.depth_ > kMaxDepth) {
    --parser_.depth_;
    parser_.fail(at, "nested more than " + std::to_string(kMaxDepth) + " levels deep");
  }
}

void ExpressionParser::fail(Position at, const std::string& what) const {
  throw syntax_error(program_.name, at, what);
}

bool ExpressionParser::skip_name(std::string_view name) {
  if (!peek().is_name(name)) return false;
  next();
  return true;
}

bool ExpressionParser::skip_symbol(std::string_view symbol) {
  if (!peek().is_symbol(symbol)) return false;
  next();
  return true;
}

const Token& ExpressionParser::expect_name() {
  if (peek().kind != TokenKind::name) {
    fail(peek().at, "expected token 'name', got '" + describe(peek()) + "'");
  }
  return next();
}

void ExpressionParser::expect_name(std::string_view name) {
  if (!skip_name(name)) {
    fail(peek().at, "expected token '" + std::string(name) + "', got '" + describe(peek()) + "'");
  }
}

void ExpressionParser::expect_symbol(std::string_view symbol) {
  if (!skip_symbol(symbol)) {
    fail(peek().at, "expected token '" + std::string(symbol) + "', got '" + describe(peek()) + "'");
  }
}

void ExpressionParser::expect(TokenKind kind, const char* description) {
  if (peek().kind != kind) {
    fail(peek().at,
         "expected token '" + std::string(description) + "', got '" + describe(peek()) + "'");
  }
  next();
}

ExprPtr ExpressionParser::expression(bool with_conditional) {
  const Depth depth(*this, peek().at);
  return with_conditional ? conditional() : disjunction();
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
    if (node->height > kMaxHeight) fail(at, "the expression is too long");
    expr = std::move(node);
    at = peek().at;
  }
  if (is_conditional) unknown_.resize(unknown);
  return expr;
}

void ExpressionParser::check_unknown() {
  if (!unknown_.empty()) fail(unknown_.front().first, unknown_.front().second);
}

ExprPtr ExpressionParser::disjunction() {
  ExprPtr left = conjunction();
  while (peek().is_name("or")) {
    auto node = std::make_unique<Logical>(next().at);
    node->left = std::move(left);
    node->right = conjunction();
    raise_to(*node, node->left);
    raise_to(*node, node->right);
    if (node->height > kMaxHeight) fail(node->at, "the expression is too long");
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
    if (node->height > kMaxHeight) fail(node->at, "the expression is too long");
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
  if (node->height > kMaxHeight) fail(at, "the expression is too long");
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

ExprPtr ExpressionParser::postfix(ExprPtr expr) {
  while (true) {
    if (peek().is_symbol(".") || peek().is_symbol("[")) {
      expr = subscript(std::move(expr));
    } else if (peek().is_symbol("(")) {
      expr = call(std::move(expr));
    } else {
      return expr;
    }
    if (expr->height > kMaxHeight) fail(expr->at, "the expression is too long");
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
    if (expr->height > kMaxHeight) fail(expr->at, "the expression is too long");
  }
}

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
      for (const auto& keyword : arguments.keywords) {
        if (keyword.first == name) fail(at, "keyword argument repeated: " + name);
      }
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
    raise_to(*node, input);
    node->input = std::move(input);
    if (node->height > kMaxHeight) fail(node->at, "the expression is too long");
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
  raise_to(*node, input);
  node->input = std::move(input);
  if (!negated) return node;
  auto inverse = std::make_unique<Unary>(ExprKind::negation, at);
  inverse->operand = std::move(node);
  raise_to(*inverse, inverse->operand);
  return inverse;
}

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
