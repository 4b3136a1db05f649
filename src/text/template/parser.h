// Tokens to syntax tree.
#pragma once

#include <algorithm>

#include "text/template/ast.h"
#include "text/template/token_stream.h"

namespace burnish::jinja {

/// @throws Error(model) with NAME:line:column for wrong syntax or nesting that is too deep;
/// Error(unsupported) for tags that need other templates (include, import, extends, block).
void parse(Program& program, std::string_view source);

/// Finds the place of every name, as the original's compiler scopes them.
void resolve_names(Program& program);

/// `expr` stands above `child` (which may be null).
inline void raise_to(Expr& expr, const ExprPtr& child) {
  if (child != nullptr) expr.height = std::max(expr.height, child->height + 1);
}
void raise_to(Expr& expr, const CallArguments& arguments);

class ExpressionParser : protected TokenStream {
 public:
  ExpressionParser(Program& program, std::vector<Token> tokens)
      : TokenStream(program.name, std::move(tokens)), program_(program) {}

 protected:
  ExprPtr expression(bool with_conditional = true);
  /// An expression, or several with commas: a tuple. `end_name` is a name that ends it.
  ExprPtr tuple(bool with_conditional = true, std::string_view end_name = {},
                bool in_parentheses = false);
  ExprPtr filters(ExprPtr input, bool starts_inline = false);
  Target target(bool with_attributes, std::string_view end_name = {});
  Target name_target();

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
  void check_height(const Expr& expr) const;
  ExprPtr binary(Arithmetic operation, ExprPtr left, ExprPtr right, Position at);

  int depth_ = 0;
  std::vector<std::pair<Position, std::string>> unknown_;
};

}  // namespace burnish::jinja
