// Within a tag: names, literals, operators and brackets.
#include "text/template/lexer.h"
#include "text/template/number_literal.h"
#include "text/template/string_literal.h"
#include "text/template/unicode.h"

namespace burnish::jinja {

/// The end of a block or variable tag, only outside of brackets.
bool Lexer::end_of_tag(bool block) {
  const std::string_view close = block ? "%}" : "}}";
  const size_t begin = at_;
  const char sign = peek(0);
  const bool has_sign = sign == '-' || (block && sign == '+');
  if (!brackets_.empty() || !starts(at_ + (has_sign ? 1 : 0), close)) return false;
  at_ += has_sign ? 3 : 2;
  behind_tag(has_sign || block ? sign : '+');  // behind a variable a line break stays
  add(block ? TokenKind::block_end : TokenKind::variable_end, begin);
  return true;
}

void Lexer::expression(bool block) {
  while (true) {
    if (end_of_tag(block)) return;
    skip_spaces();
    if (at_ == source_.size()) return;  // the parser says what is missing
    if (end_of_tag(block)) return;
    const char c = peek(0);
    if (c >= '0' && c <= '9') {
      number();
    } else if (c == '\'' || c == '"') {
      string();
    } else {
      size_t next = at_;
      if (is_identifier_start(next_character(source_, next))) {
        identifier();
      } else {
        symbol();
      }
    }
  }
}

void Lexer::number() {
  const size_t begin = at_;
  std::string problem;
  Token token = read_number(source_, at_, problem);
  if (!problem.empty()) fail(begin, problem);
  token.at = position_of(begin);
  tokens_.push_back(std::move(token));
}

void Lexer::identifier() {
  const size_t begin = at_;
  while (at_ < source_.size()) {
    size_t next = at_;
    if (!is_identifier_part(next_character(source_, next))) break;
    at_ = next;
  }
  add(TokenKind::name, begin, source_.substr(begin, at_ - begin));
}

void Lexer::string() {
  const size_t begin = at_;
  const char quote = peek(0);
  size_t end = at_ + 1;
  while (end < source_.size() && source_[end] != quote) end += source_[end] == '\\' ? 2 : 1;
  if (end >= source_.size()) {
    fail(begin, std::string("unexpected char '") + quote + "': the string has no end");
  }
  const std::string_view body = std::string_view(source_).substr(begin + 1, end - begin - 1);
  std::string problem;
  std::string text = unescaped(body, problem);
  if (!problem.empty()) fail(begin, problem);
  at_ = end + 1;
  add(TokenKind::string, begin, std::move(text));
}

void Lexer::symbol() {
  constexpr std::string_view kDouble[] = {"//", "**", "==", "!=", ">=", "<="};
  constexpr std::string_view kSingle = "+-/*%~[](){}><=.:|,;";
  const size_t begin = at_;
  for (const std::string_view two : kDouble) {
    if (starts(at_, two)) {
      at_ += 2;
      return add(TokenKind::symbol, begin, std::string(two));
    }
  }
  const char c = peek(0);
  if (kSingle.find(c) == std::string_view::npos) {
    size_t next = begin;
    next_character(source_, next);
    fail(begin, "unexpected char '" + source_.substr(begin, next - begin) + "'");
  }
  if (c == '(' || c == '[' || c == '{') {
    brackets_ += c == '(' ? ')' : c == '[' ? ']' : '}';
  } else if (c == ')' || c == ']' || c == '}') {
    if (brackets_.empty()) fail(begin, std::string("unexpected '") + c + "'");
    if (brackets_.back() != c) {
      fail(begin, std::string("unexpected '") + c + "', expected '" + brackets_.back() + "'");
    }
    brackets_.pop_back();
  }
  ++at_;
  add(TokenKind::symbol, begin, std::string(1, c));
}

}  // namespace burnish::jinja
