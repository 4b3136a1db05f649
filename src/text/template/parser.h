// Tokens to syntax tree.
#pragma once

#include "text/template/ast.h"

namespace burnish::jinja {

/// @throws Error(model) with NAME:line:column for wrong syntax or nesting that is too deep;
/// Error(unsupported) for tags that need other templates (include, import, extends, block).
void parse(Program& program, std::string_view source);

/// Finds the place of every name, as the original's compiler scopes them.
void resolve_names(Program& program);

class ExpressionParser {
 public:
  ExpressionParser(Program& program, std::vector<Token> tokens)
      : program_(program), tokens_(std::move(tokens)) {}

 protected:
  ExprPtr expression(bool with_conditional = true);
  /// An expression, or several with commas: a tuple. `end_name` is a name that ends it.
  ExprPtr tuple(bool with_conditional = true, std::string_view end_name = {},
                bool in_parentheses = false);
  ExprPtr filters(ExprPtr input, bool starts_inline = false);
  Target target(bool with_attributes, std::string_view end_name = {});
  Target name_target();

  const Token& peek(size_t ahead = 0) const {
    return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
  }
  const Token& next() {
    const Token& token = peek();
    if (at_ + 1 < tokens_.size()) ++at_;
    return token;
  }
  bool skip_name(std::string_view name);
  bool skip_symbol(std::string_view symbol);
  const Token& expect_name();
  void expect_name(std::string_view name);
  void expect_symbol(std::string_view symbol);
  void expect(TokenKind kind, const char* description);
  [[noreturn]] void fail(Position at, const std::string& what) const;

  /// Bounds how deep the parser calls itself.
  class Depth {
   public:
    Depth(ExpressionParser& parser, Position at);
    ~Depth() { --parser_.depth_; }
    Depth(const Depth&) = delete;
    Depth& operator=(const Depth&) = delete;

   private:
    ExpressionParser& parser_;
  };

  Program& program_;
  /// In a branch (of a statement or an inline if) an unknown filter is an error only when it is
  /// used; elsewhere at once. @throws Error(model)
  bool in_branch_ = false;
  void check_unknown();

 private:
  ExprPtr conditional();
  ExprPtr disjunction();
  ExprPtr conjunction();
  ExprPtr negation();
  ExprPtr comparison();
  ExprPtr sum();
  ExprPtr concatenation();
  ExprPtr product();
  ExprPtr power();
  ExprPtr unary(bool with_filters = true);
  ExprPtr postfix(ExprPtr expr);
  ExprPtr filters_and_tests(ExprPtr expr);
  ExprPtr primary();
  ExprPtr string();
  ExprPtr number();
  ExprPtr list();
  ExprPtr dict();
  ExprPtr subscript(ExprPtr object);
  ExprPtr bracketed(ExprPtr object, Position at);
  ExprPtr slice(ExprPtr object, ExprPtr start, Position at);
  ExprPtr call(ExprPtr callee);
  ExprPtr test(ExprPtr input);
  CallArguments call_arguments();
  Target single_target(bool with_attributes);
  std::string dotted_name();
  bool ends_tuple(std::string_view end_name) const;
  bool starts_test_argument() const;
  ExprPtr binary(Arithmetic operation, ExprPtr left, ExprPtr right, Position at);

  std::vector<Token> tokens_;
  size_t at_ = 0;
  int depth_ = 0;
  std::vector<std::pair<Position, std::string>> unknown_;
};

}  // namespace burnish::jinja
