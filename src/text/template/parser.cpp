#include "text/template/parser.h"

#include <set>

#include "text/template/lexer.h"

namespace burnish::jinja {
namespace {

class Parser : public ExpressionParser {
 public:
  using ExpressionParser::ExpressionParser;
  void run() {
    program_.body = body({});
    if (peek().kind != TokenKind::end) fail(peek().at, "unexpected end of a block");
  }

 private:
  using Names = std::initializer_list<std::string_view>;

  Body body(Names ends);
  Body block(Names ends);               // behind the head of a tag, up to one of the end tags
  Body block_to(std::string_view end);  // the same, with the end tag behind it read too
  StatementPtr statement(Names ends);
  StatementPtr if_statement(Position at);
  StatementPtr for_statement(Position at);
  StatementPtr set_statement(Position at);
  StatementPtr macro_statement(Position at);
  StatementPtr call_statement(Position at);
  StatementPtr with_statement(Position at);
  StatementPtr print_statement(Position at);
  StatementPtr jump(StatementKind kind, Position at);
  void signature(MacroDefinition& definition);
  [[noreturn]] void fail_tag(const Token& token, Names ends);

  /// Sets a state for a part of the template.
  template <class T>
  class Within {
   public:
    Within(T& state, T value) : state_(state), before_(state) { state = value; }
    ~Within() { state_ = before_; }
    Within(const Within&) = delete;
    Within& operator=(const Within&) = delete;

   private:
    T& state_;
    T before_;
  };

  int loops_ = 0;  ///< that a break would leave
};

void Parser::fail_tag(const Token& token, Names ends) {
  std::string wanted;
  for (const std::string_view end : ends) {
    wanted += (wanted.empty() ? "'" : " or '") + std::string(end) + "'";
  }
  const std::string looking =
      wanted.empty() ? "" : " Jinja was looking for the following tags: " + wanted + ".";
  if (token.kind == TokenKind::end) fail(token.at, "Unexpected end of template." + looking);
  fail(token.at, "Encountered unknown tag '" + token.text + "'." + looking);
}

Body Parser::body(Names ends) {
  const Depth depth(*this, peek().at);
  Body result;
  const auto output = [&]() -> Output& {
    if (result.empty() || result.back()->kind != StatementKind::output) {
      result.push_back(std::make_unique<Output>(peek().at));
    }
    return static_cast<Output&>(*result.back());
  };
  while (peek().kind != TokenKind::end) {
    if (peek().kind == TokenKind::data) {
      const Token& data = next();
      const Str* text = make_text(program_.arena, program_.arena.copy(data.text));
      text->character_count();
      output().parts.push_back(std::make_unique<Literal>(data.at, Value::of(text)));
    } else if (peek().kind == TokenKind::variable_begin) {
      next();
      ExprPtr printed = tuple();
      check_unknown();
      expect(TokenKind::variable_end, "end of print statement");
      output().parts.push_back(std::move(printed));
    } else {
      next();  // the begin of a block
      for (const std::string_view end : ends) {
        if (peek().is_name(end)) return result;
      }
      result.push_back(statement(ends));
      check_unknown();
      expect(TokenKind::block_end, "end of statement block");
    }
  }
  if (ends.size() != 0) fail_tag(peek(), ends);
  return result;
}

Body Parser::block(Names ends) {
  skip_symbol(":");
  expect(TokenKind::block_end, "end of statement block");
  return body(ends);
}

Body Parser::block_to(std::string_view end) {
  Body result = block({end});
  next();
  return result;
}

StatementPtr Parser::statement(Names ends) {
  const Token& tag = peek();
  if (tag.kind != TokenKind::name) fail(tag.at, "tag name expected");
  next();
  if (tag.text == "if") return if_statement(tag.at);
  if (tag.text == "for") return for_statement(tag.at);
  if (tag.text == "set") return set_statement(tag.at);
  if (tag.text == "break") return jump(StatementKind::break_, tag.at);
  if (tag.text == "continue") return jump(StatementKind::continue_, tag.at);
  if (tag.text == "print") return print_statement(tag.at);
  // the rest has scopes of its own, where an unknown filter is an error at once
  const Within<bool> branch(in_branch_, false);
  if (tag.text == "macro") return macro_statement(tag.at);
  if (tag.text == "call") return call_statement(tag.at);
  if (tag.text == "with") return with_statement(tag.at);
  if (tag.text == "filter") {
    auto node = std::make_unique<FilterBlock>(tag.at);
    node->filter = filters(nullptr, true);
    node->body = block_to("endfilter");
    return node;
  }
  if (tag.text == "generation") {
    const Within<int> loops(loops_, 0);  // it is a function of its own in the original
    auto node = std::make_unique<Generation>(tag.at);
    node->body = block_to("endgeneration");
    program_.has_generation_tag = true;
    return node;
  }
  for (const std::string_view known :
       {"block", "extends", "include", "import", "from", "autoescape"}) {
    if (tag.text != known) continue;
    throw Error(
        ErrorCode::unsupported, "the tag '" + tag.text + "' is not supported in templates",
        program_.name + ":" + std::to_string(tag.at.line) + ":" + std::to_string(tag.at.column),
        "a chat template stands alone: write its text out");
  }
  fail_tag(tag, ends);
}

StatementPtr Parser::if_statement(Position at) {
  const Within<bool> branch(in_branch_, true);
  auto node = std::make_unique<If>(at);
  while (true) {
    If::Branch branch_node;
    branch_node.test = tuple(false);
    branch_node.body = block({"elif", "else", "endif"});
    node->branches.push_back(std::move(branch_node));
    const Token& end = next();
    if (end.text == "elif") continue;
    if (end.text == "else") node->otherwise = block_to("endif");
    return node;
  }
}

StatementPtr Parser::for_statement(Position at) {
  auto node = std::make_unique<For>(at);
  node->target = target(false, "in");
  expect_name("in");
  node->iterable = tuple(false, "recursive");
  const Within<bool> branch(in_branch_, false);
  if (skip_name("if")) node->test = expression();
  node->recursive = skip_name("recursive");
  {
    const Within<int> loops(loops_, loops_ + 1);
    node->body = block({"endfor", "else"});
  }
  const Within<int> loops(loops_, node->recursive ? 0 : loops_);
  if (next().text == "else") node->otherwise = block_to("endfor");
  return node;
}

StatementPtr Parser::set_statement(Position at) {
  Target assigned = target(true);
  if (skip_symbol("=")) {
    auto node = std::make_unique<Set>(at);
    node->target = std::move(assigned);
    node->value = tuple();
    return node;
  }
  const Within<bool> branch(in_branch_, false);
  auto node = std::make_unique<SetBlock>(at);
  node->target = std::move(assigned);
  if (peek().is_symbol("|")) node->filter = filters(nullptr);
  node->body = block_to("endset");
  return node;
}

void Parser::signature(MacroDefinition& definition) {
  expect_symbol("(");
  std::set<std::string> named;
  while (!peek().is_symbol(")")) {
    if (!definition.parameters.empty()) expect_symbol(",");
    Target parameter = name_target();
    if (!named.insert(parameter.name).second) {
      fail(parameter.at, "duplicate argument '" + parameter.name + "'");
    }
    if (skip_symbol("=")) {
      definition.defaults.push_back(expression());
    } else if (!definition.defaults.empty()) {
      fail(peek().at, "non-default argument follows default argument");
    }
    definition.parameters.push_back(std::move(parameter));
  }
  expect_symbol(")");
}

StatementPtr Parser::macro_statement(Position at) {
  const Within<int> loops(loops_, 0);
  auto node = std::make_unique<Macro>(at);
  node->target = name_target();
  node->definition.name = node->target.name;
  signature(node->definition);
  node->definition.body = block_to("endmacro");
  return node;
}

StatementPtr Parser::call_statement(Position at) {
  auto node = std::make_unique<CallBlock>(at);
  if (peek().is_symbol("(")) signature(node->caller);
  node->call = expression();
  if (node->call->kind != ExprKind::call) fail(at, "expected call");
  const Within<int> loops(loops_, 0);
  node->caller.body = block_to("endcall");
  return node;
}

StatementPtr Parser::with_statement(Position at) {
  auto node = std::make_unique<With>(at);
  while (peek().kind != TokenKind::block_end) {
    if (!node->variables.empty()) expect_symbol(",");
    Target variable = target(false);
    expect_symbol("=");
    node->variables.emplace_back(std::move(variable), expression());
  }
  node->body = block_to("endwith");
  return node;
}

StatementPtr Parser::print_statement(Position at) {
  auto node = std::make_unique<Output>(at);
  while (peek().kind != TokenKind::block_end) {
    if (!node->parts.empty()) expect_symbol(",");
    node->parts.push_back(expression());
  }
  return node;
}

StatementPtr Parser::jump(StatementKind kind, Position at) {
  const char* name = kind == StatementKind::break_ ? "break" : "continue";
  if (loops_ == 0) fail(at, std::string("'") + name + "' outside of a loop");
  return std::make_unique<Statement>(kind, at);
}

}  // namespace

void parse(Program& program, std::string_view source) {
  Parser(program, tokenize(source, program.name)).run();
  resolve_names(program);
}

}  // namespace burnish::jinja
