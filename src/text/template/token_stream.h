// The tokens of a template, read from left to right.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "text/template/token.h"

namespace burnish::jinja {

/// true, false and none, with a capital too: names that are values.
bool is_constant_name(std::string_view name);

class TokenStream {
 public:
  /// @param name of the template, for errors; it must outlive the stream.
  TokenStream(const std::string& name, std::vector<Token> tokens)
      : name_(name), tokens_(std::move(tokens)) {}

 protected:
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

 private:
  const std::string& name_;
  std::vector<Token> tokens_;
  size_t at_ = 0;
};

}  // namespace burnish::jinja
