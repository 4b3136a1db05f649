#include "text/template/string_literal.h"

#include "text/template/unicode.h"

namespace burnish::jinja {
namespace {

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/// \xhh, \uhhhh, \Uhhhhhhhh: `digits` of them at `at`, which moves behind.
bool append_code(std::string& out, std::string_view body, size_t& at, size_t digits) {
  char32_t code = 0;
  for (size_t i = 0; i < digits; ++i) {
    const int value = at + i < body.size() ? hex_value(body[at + i]) : -1;
    if (value < 0) return false;
    code = code * 16 + static_cast<char32_t>(value);
  }
  if (code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return false;
  append_utf8(out, code);
  at += digits;
  return true;
}

/// Before a character beyond ASCII the backslash stays, and the character turns into the text of
/// its own escape: the original encodes to ASCII first.
void append_odd(std::string& out, char32_t c) {
  constexpr char kDigits[] = "0123456789abcdef";
  const int digits = c < 0x100 ? 2 : c < 0x10000 ? 4 : 8;
  out += '\\';
  out += digits == 2 ? 'x' : digits == 4 ? 'u' : 'U';
  for (int shift = (digits - 1) * 4; shift >= 0; shift -= 4) out += kDigits[(c >> shift) & 15];
}

void append_octal(std::string& out, std::string_view body, size_t& at) {
  char32_t code = 0;
  for (int i = 0; i < 3 && at < body.size() && body[at] >= '0' && body[at] <= '7'; ++i) {
    code = code * 8 + static_cast<char32_t>(body[at++] - '0');
  }
  append_utf8(out, code);
}

}  // namespace

std::string unescaped(std::string_view body, std::string& problem) {
  std::string out;
  for (size_t at = 0; at < body.size();) {
    const char c = body[at++];
    if (c != '\\') {
      out += c;
      continue;
    }
    if (at == body.size()) {
      problem = "a backslash at the end of a string";
      return out;
    }
    const char kind = body[at];
    constexpr std::string_view kLetters = "abfnrtv'\"\\", kMeant = "\a\b\f\n\r\t\v'\"\\";
    const size_t letter = kLetters.find(kind);
    if (letter != std::string_view::npos) {
      out += kMeant[letter];
      ++at;
    } else if (kind == '\n') {
      ++at;  // a line goes on
    } else if (kind == 'x' || kind == 'u' || kind == 'U') {
      ++at;
      if (!append_code(out, body, at, kind == 'x' ? 2 : kind == 'u' ? 4 : 8)) {
        problem =
            std::string("the escape \\") + kind + " needs a character's number in hexadecimal";
        return out;
      }
    } else if (kind == 'N') {
      problem = "the escape \\N{...} is not supported";
      return out;
    } else if (kind >= '0' && kind <= '7') {
      append_octal(out, body, at);
    } else if (static_cast<unsigned char>(kind) >= 0x80) {
      append_odd(out, next_character(body, at));
    } else {
      out += '\\';  // an escape that is none stays
      out += kind;
      ++at;
    }
  }
  return out;
}

}  // namespace burnish::jinja
