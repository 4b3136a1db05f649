// Text to tokens, with trim_blocks and lstrip_blocks as chat templates are compiled.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "text/template/token.h"

namespace burnish::jinja {

/// Reads one template; lines end with \n.
class Lexer {
 public:
  Lexer(std::string source, const std::string& name) : source_(std::move(source)), name_(name) {}

  std::vector<Token> run();

 private:
  void data();
  void comment(size_t begin);
  bool raw(size_t tag);
  bool raw_begin(size_t tag);
  void expression(bool block);
  bool end_of_tag(bool block);
  void number();
  void identifier();
  void string();
  void symbol();
  void skip_spaces();
  bool skip_word(std::string_view wanted);
  char read_sign();
  void behind_tag(char sign);

  void add(TokenKind kind, size_t at, std::string text = {});
  std::string_view stripped(std::string_view text, char sign, bool variable) const;
  Position position_of(size_t at);
  bool starts(size_t at, std::string_view text) const {
    return std::string_view(source_).substr(std::min(at, source_.size())).starts_with(text);
  }
  char peek(size_t ahead) const {
    return at_ + ahead < source_.size() ? source_[at_ + ahead] : '\0';
  }
  [[noreturn]] void fail(size_t at, const std::string& what) {
    throw syntax_error(name_, position_of(at), what);
  }

  std::string source_;
  const std::string& name_;
  std::vector<Token> tokens_;
  size_t at_ = 0;
  bool line_starts_ = true;  ///< the last tag ended with a line break, or the template begins
  std::string brackets_;     ///< the closing ones that are awaited
  size_t counted_ = 0;       ///< up to here lines and columns are counted
  Position counted_position_;
};

/// The last token is `end`. @throws Error(model)
std::vector<Token> tokenize(std::string_view source, const std::string& name);

}  // namespace burnish::jinja
