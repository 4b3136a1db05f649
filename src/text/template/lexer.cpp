// Between the tags: text, comments, raw blocks, and which white space around a tag goes.
#include "text/template/lexer.h"

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

}  // namespace

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

/// Behind a tag: `-` strips all white space, `+` nothing; else one line break is dropped.
void Lexer::behind_tag(char sign) {
  if (sign == '-') {
    skip_spaces();
  } else if (sign != '+' && peek(0) == '\n') {
    ++at_;
  }
  line_starts_ = source_[at_ - 1] == '\n';
}

void Lexer::comment(size_t begin) {
  const size_t end = source_.find("#}", at_);
  if (end == std::string::npos) fail(begin, "Missing end of comment tag");
  const char sign = end > at_ ? source_[end - 1] : '\0';
  at_ = end + 2;
  behind_tag(sign);
}

bool Lexer::skip_word(std::string_view wanted) {
  skip_spaces();
  if (!starts(at_, wanted)) return false;
  at_ += wanted.size();
  skip_spaces();
  return true;
}

/// The sign at the border of a tag, or '\0'; it is read.
char Lexer::read_sign() {
  const char sign = peek(0);
  if (sign != '-' && sign != '+') return '\0';
  ++at_;
  return sign;
}

/// {% raw %}; false (and nothing is read) if the tag is another one.
bool Lexer::raw_begin(size_t tag) {
  const size_t before = at_;
  at_ = tag + 2;
  read_sign();
  const bool is_raw = skip_word("raw");
  if (is_raw && starts(at_, "-%}")) {
    at_ += 3;
    skip_spaces();
  } else if (is_raw && starts(at_, "%}")) {
    at_ += 2;
  } else {
    at_ = before;
    return false;
  }
  line_starts_ = source_[at_ - 1] == '\n';
  return true;
}

/// {% raw %} ... {% endraw %}; false if the tag is another one.
bool Lexer::raw(size_t tag) {
  if (!raw_begin(tag)) return false;
  const size_t begin = at_;
  for (size_t end = source_.find("{%", begin); end != std::string::npos;
       end = source_.find("{%", end + 1)) {
    at_ = end + 2;
    const char begin_sign = read_sign();
    if (!skip_word("endraw")) continue;
    const char end_sign = read_sign();
    if (!starts(at_, "%}")) continue;
    at_ += 2;
    const std::string_view text = std::string_view(source_).substr(begin, end - begin);
    const std::string_view kept = stripped(text, begin_sign, false);
    if (!kept.empty()) add(TokenKind::data, begin, std::string(kept));
    behind_tag(end_sign);
    return true;
  }
  fail(tag, "Missing end of raw directive");
}

void Lexer::skip_spaces() {
  at_ += skip_space(std::string_view(source_).substr(at_));
}

std::vector<Token> tokenize(std::string_view source, const std::string& name) {
  return Lexer(normalized(source), name).run();
}

}  // namespace burnish::jinja
