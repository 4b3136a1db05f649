#include "text/template/lexer.h"

#include <array>
#include <charconv>

#include "text/template/string_literal.h"
#include "text/template/unicode.h"

namespace burnish::jinja {
namespace {

/// All line ends become \n; one at the very end is dropped.
std::string normalized(std::string_view source) {
  std::string text;
  text.reserve(source.size());
  for (size_t i = 0; i < source.size(); ++i) {
    if (source[i] == '\r') {
      text += '\n';
      if (i + 1 < source.size() && source[i + 1] == '\n') ++i;
    } else {
      text += source[i];
    }
  }
  if (text.ends_with('\n')) text.pop_back();
  return text;
}

class Lexer {
 public:
  Lexer(std::string source, const std::string& name) : source_(std::move(source)), name_(name) {}

  std::vector<Token> run();

 private:
  void data();
  void comment(size_t begin);
  bool raw(size_t tag);
  void expression(bool block);
  bool end_of_tag(bool block);
  void number();
  void identifier();
  void string();
  void symbol();
  void skip_spaces();

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

Position Lexer::position_of(size_t at) {
  if (at < counted_) counted_ = 0, counted_position_ = {};  // only for an error
  for (; counted_ < at; ++counted_) {
    const char c = source_[counted_];
    if (c == '\n') {
      ++counted_position_.line;
      counted_position_.column = 1;
    } else if ((static_cast<unsigned char>(c) & 0xc0) != 0x80) {
      ++counted_position_.column;
    }
  }
  return counted_position_;
}

void Lexer::add(TokenKind kind, size_t at, std::string text) {
  tokens_.push_back({kind, position_of(at), std::move(text)});
}

/// The text before a tag: `-` strips all white space, `+` nothing; else the blanks between a line's
/// start and a tag that prints nothing are dropped.
std::string_view Lexer::stripped(std::string_view text, char sign, bool variable) const {
  if (sign == '-') return text.substr(0, end_without_space(text));
  if (sign == '+' || variable) return text;
  const size_t line = text.rfind('\n') + 1;  // npos + 1 is 0
  if (line == 0 && !line_starts_) return text;
  return skip_space(text.substr(line)) == text.size() - line ? text.substr(0, line) : text;
}

std::vector<Token> Lexer::run() {
  while (at_ < source_.size()) data();
  add(TokenKind::end, source_.size());
  return std::move(tokens_);
}

void Lexer::data() {
  size_t tag = at_;
  while ((tag = source_.find('{', tag)) != std::string::npos) {
    const char next = tag + 1 < source_.size() ? source_[tag + 1] : '\0';
    if (next == '%' || next == '{' || next == '#') break;
    ++tag;
  }
  if (tag == std::string::npos) {
    add(TokenKind::data, at_, source_.substr(at_));
    at_ = source_.size();
    return;
  }
  const char kind = source_[tag + 1];
  const char sign = tag + 2 < source_.size() ? source_[tag + 2] : '\0';
  const bool has_sign = sign == '-' || sign == '+';
  const std::string_view text = std::string_view(source_).substr(at_, tag - at_);
  const std::string_view kept = stripped(text, has_sign ? sign : '\0', kind == '{');
  if (!kept.empty()) add(TokenKind::data, at_, std::string(kept));
  if (kind == '%' && raw(tag)) return;
  at_ = tag + (has_sign ? 3 : 2);
  if (kind == '#') return comment(tag);
  add(kind == '%' ? TokenKind::block_begin : TokenKind::variable_begin, tag);
  expression(kind == '%');
}

void Lexer::comment(size_t begin) {
  const size_t end = source_.find("#}", at_);
  if (end == std::string::npos) fail(begin, "Missing end of comment tag");
  const char sign = end > at_ ? source_[end - 1] : '\0';
  at_ = end + 2;
  if (sign == '-') {
    skip_spaces();
  } else if (sign != '+' && peek(0) == '\n') {
    ++at_;
  }
  line_starts_ = source_[at_ - 1] == '\n';
}

/// {% raw %} ... {% endraw %}; false if the tag is another one.
bool Lexer::raw(size_t tag) {
  const size_t before = at_;
  const auto word = [this](std::string_view wanted) {
    skip_spaces();
    if (!starts(at_, wanted)) return false;
    at_ += wanted.size();
    skip_spaces();
    return true;
  };
  at_ = tag + 2;
  if (peek(0) == '-' || peek(0) == '+') ++at_;
  bool is_raw = word("raw");
  if (is_raw && starts(at_, "-%}")) {
    at_ += 3;
    skip_spaces();
  } else if (is_raw && starts(at_, "%}")) {
    at_ += 2;
  } else {
    is_raw = false;
  }
  if (!is_raw) {
    at_ = before;
    return false;
  }
  line_starts_ = source_[at_ - 1] == '\n';
  const size_t begin = at_;
  for (size_t end = source_.find("{%", begin); end != std::string::npos;
       end = source_.find("{%", end + 1)) {
    at_ = end + 2;
    const char sign = peek(0) == '-' || peek(0) == '+' ? peek(0) : '\0';
    if (sign != '\0') ++at_;
    if (!word("endraw")) continue;
    const char end_sign = peek(0) == '-' || peek(0) == '+' ? peek(0) : '\0';
    if (end_sign != '\0') ++at_;
    if (!starts(at_, "%}")) continue;
    at_ += 2;
    if (end_sign == '-') {
      skip_spaces();
    } else if (end_sign == '\0' && peek(0) == '\n') {
      ++at_;
    }
    const std::string_view text = std::string_view(source_).substr(begin, end - begin);
    const std::string_view kept = stripped(text, sign, false);
    if (!kept.empty()) add(TokenKind::data, begin, std::string(kept));
    line_starts_ = source_[at_ - 1] == '\n';
    return true;
  }
  fail(tag, "Missing end of raw directive");
}

void Lexer::skip_spaces() {
  at_ += skip_space(std::string_view(source_).substr(at_));
}

/// The end of a block or variable tag, only outside of brackets.
bool Lexer::end_of_tag(bool block) {
  const std::string_view close = block ? "%}" : "}}";
  const size_t begin = at_;
  const char sign = peek(0);
  const bool has_sign = sign == '-' || (block && sign == '+');
  if (!brackets_.empty() || !starts(at_ + (has_sign ? 1 : 0), close)) return false;
  at_ += has_sign ? 3 : 2;
  if (has_sign && sign == '-') {
    skip_spaces();
  } else if (block && !has_sign && peek(0) == '\n') {
    ++at_;
  }
  line_starts_ = source_[at_ - 1] == '\n';
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

bool is_digit_of(char c, int base) {
  const int value = c >= '0' && c <= '9'   ? c - '0'
                    : c >= 'a' && c <= 'f' ? c - 'a' + 10
                    : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                           : 99;
  return value < base;
}

/// Digits with single underscores between them; `at` moves behind.
std::string digits_at(std::string_view text, size_t& at, int base) {
  std::string digits;
  while (at < text.size()) {
    if (is_digit_of(text[at], base)) {
      digits += text[at++];
    } else if (text[at] == '_' && !digits.empty() && at + 1 < text.size() &&
               is_digit_of(text[at + 1], base)) {
      ++at;
    } else {
      break;
    }
  }
  return digits;
}

void Lexer::number() {
  const std::string_view text(source_);
  const size_t begin = at_;
  const char marker = static_cast<char>(peek(1) | 0x20);
  const int base = peek(0) != '0'  ? 10
                   : marker == 'x' ? 16
                   : marker == 'o' ? 8
                   : marker == 'b' ? 2
                                   : 10;
  const bool prefixed = base != 10;
  const size_t first = prefixed && peek(2) == '_' ? 3 : 2;
  if (prefixed && is_digit_of(peek(first), base)) {
    at_ += first;
    const std::string digits = digits_at(text, at_, base);
    add(TokenKind::integer, begin, digits);
    Token& token = tokens_.back();
    const auto parsed =
        std::from_chars(digits.data(), digits.data() + digits.size(), token.integer, base);
    if (parsed.ec != std::errc()) fail(begin, "the integer is beyond 64 bits");
    token.text.clear();
    return;
  }
  std::string digits = digits_at(text, at_, 10);
  size_t end = at_;
  std::string fraction, exponent;
  if (end < text.size() && text[end] == '.') {
    size_t behind = end + 1;
    fraction = digits_at(text, behind, 10);
    if (!fraction.empty()) end = behind;
  }
  if (end < text.size() && (text[end] == 'e' || text[end] == 'E')) {
    size_t behind = end + 1;
    const bool is_signed = behind < text.size() && (text[behind] == '+' || text[behind] == '-');
    const std::string sign = is_signed ? std::string(1, text[behind++]) : "";
    exponent = digits_at(text, behind, 10);
    if (!exponent.empty()) {
      exponent = "e" + sign + exponent;
      end = behind;
    }
  }
  // `a.0.1`: digits behind a dot are a position, not a fraction
  const bool after_dot = begin > 0 && text[begin - 1] == '.';
  if ((!fraction.empty() || !exponent.empty()) && !after_dot) {
    at_ = end;
    add(TokenKind::real, begin);
    const std::string all = digits + (fraction.empty() ? "" : "." + fraction) + exponent;
    tokens_.back().real = std::strtod(all.c_str(), nullptr);
    return;
  }
  if (digits.size() > 1 && digits[0] == '0' && digits.find_first_not_of('0') != std::string::npos) {
    at_ = begin;  // 007 is 00 and 7, as the original reads it
    while (peek(0) == '0') ++at_;
    digits = "0";
  }
  add(TokenKind::integer, begin, digits);
  Token& token = tokens_.back();
  const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), token.integer);
  if (parsed.ec == std::errc()) token.text.clear();  // else it stays: too big for 64 bits
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
  constexpr std::array<std::string_view, 7> kDouble = {"//", "**", "==", "!=", ">=", "<=", ""};
  constexpr std::string_view kSingle = "+-/*%~[](){}><=.:|,;";
  const size_t begin = at_;
  for (const std::string_view two : kDouble) {
    if (!two.empty() && starts(at_, two)) {
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

}  // namespace

Error syntax_error(const std::string& name, Position at, const std::string& what) {
  return {ErrorCode::model, what,
          name + ":" + std::to_string(at.line) + ":" + std::to_string(at.column),
          "mend the chat template, or choose another"};
}

std::vector<Token> tokenize(std::string_view source, const std::string& name) {
  return Lexer(normalized(source), name).run();
}

}  // namespace burnish::jinja
