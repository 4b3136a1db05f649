#include "text/template/unicode.h"

#include <utf8proc.h>

#include <algorithm>
#include <iterator>

#include "text/template/unicode_tables.h"

namespace burnish::jinja {
namespace {

bool continues(char byte) {
  return (static_cast<unsigned char>(byte) & 0xc0) == 0x80;
}

template <size_t N>
bool contains(const tables::Range (&ranges)[N], char32_t c) {
  const auto* after = std::upper_bound(
      std::begin(ranges), std::end(ranges), c,
      [](char32_t value, const tables::Range& range) { return value < range.first; });
  return after != std::begin(ranges) && c <= (after - 1)->last;
}

const tables::SpecialCase* special_case(char32_t c) {
  const auto* found = std::lower_bound(
      std::begin(tables::kSpecialCases), std::end(tables::kSpecialCases), c,
      [](const tables::SpecialCase& entry, char32_t value) { return entry.character < value; });
  return found != std::end(tables::kSpecialCases) && found->character == c ? found : nullptr;
}

utf8proc_category_t category(char32_t c) {
  return utf8proc_category(static_cast<utf8proc_int32_t>(c));
}

void append_all(std::string& out, const std::array<char32_t, 3>& characters) {
  for (char32_t c : characters) {
    if (c != 0) append_utf8(out, c);
  }
}

/// Neither cased nor a letter of its own: what a final sigma looks through.
bool is_case_ignorable(char32_t c) {
  switch (category(c)) {
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_ME:
    case UTF8PROC_CATEGORY_CF:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_SK:
      return true;
    default:
      return c == '\'' || c == '.' || c == ':' || c == 0xb7 || c == 0x2018 || c == 0x2019 ||
             c == 0x2024 || c == 0x2027;
  }
}

/// Unicode 3.13, Final_Sigma: a cased letter before, none behind.
bool is_final(std::string_view text, size_t position) {
  size_t before = position;
  bool cased_before = false;
  while (before > 0) {
    const char32_t c = previous_character(text, before);
    if (is_case_ignorable(c)) continue;
    cased_before = is_cased(c);
    break;
  }
  if (!cased_before) return false;
  next_character(text, position);
  while (position < text.size()) {
    const char32_t c = next_character(text, position);
    if (is_case_ignorable(c)) continue;
    return !is_cased(c);
  }
  return true;
}

}  // namespace

size_t count_characters(std::string_view text) {
  size_t count = 0;
  for (char byte : text) count += continues(byte) ? 0 : 1;
  return count;
}

size_t byte_of_character(std::string_view text, size_t index) {
  size_t position = 0;
  while (position < text.size()) {
    if (!continues(text[position]) && index-- == 0) return position;
    ++position;
  }
  return text.size();
}

char32_t next_character(std::string_view text, size_t& position) {
  const auto first = static_cast<unsigned char>(text[position]);
  if (first < 0x80) {
    ++position;
    return first;
  }
  utf8proc_int32_t c = 0;
  const auto length =
      utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()) + position,
                       static_cast<utf8proc_ssize_t>(text.size() - position), &c);
  if (length <= 0) {
    ++position;
    return first;
  }
  position += static_cast<size_t>(length);
  return static_cast<char32_t>(c);
}

char32_t previous_character(std::string_view text, size_t& position) {
  --position;
  while (position > 0 && continues(text[position])) --position;
  size_t end = position;
  return next_character(text, end);
}

void append_utf8(std::string& out, char32_t character) {
  if (character < 0x80) {
    out += static_cast<char>(character);
    return;
  }
  utf8proc_uint8_t bytes[4];
  const auto length = utf8proc_encode_char(static_cast<utf8proc_int32_t>(character), bytes);
  out.append(reinterpret_cast<const char*>(bytes), static_cast<size_t>(length));
}

bool is_space(char32_t c) {
  if (c < 0x80) return (c >= 9 && c <= 13) || (c >= 0x1c && c <= 0x20);
  return c == 0x85 || c == 0xa0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200a) || c == 0x2028 ||
         c == 0x2029 || c == 0x202f || c == 0x205f || c == 0x3000;
}

bool is_line_break(char32_t c) {
  return (c >= 10 && c <= 13) || (c >= 0x1c && c <= 0x1e) || c == 0x85 || c == 0x2028 ||
         c == 0x2029;
}

bool is_printable(char32_t c) {
  if (c < 0x80) return c >= 0x20 && c < 0x7f;
  switch (category(c)) {
    case UTF8PROC_CATEGORY_CN:
    case UTF8PROC_CATEGORY_CC:
    case UTF8PROC_CATEGORY_CF:
    case UTF8PROC_CATEGORY_CS:
    case UTF8PROC_CATEGORY_CO:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP:
    case UTF8PROC_CATEGORY_ZS:
      return false;
    default:
      return true;
  }
}

bool is_upper(char32_t c) {
  if (c < 0x80) return c >= 'A' && c <= 'Z';
  return category(c) == UTF8PROC_CATEGORY_LU || contains(tables::kOtherUpper, c);
}
bool is_lower(char32_t c) {
  if (c < 0x80) return c >= 'a' && c <= 'z';
  return category(c) == UTF8PROC_CATEGORY_LL || contains(tables::kOtherLower, c);
}
bool is_title(char32_t c) {
  return c >= 0x80 && category(c) == UTF8PROC_CATEGORY_LT;
}
bool is_cased(char32_t c) {
  return is_upper(c) || is_lower(c) || is_title(c);
}

bool is_alpha(char32_t c) {
  switch (category(c)) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
      return true;
    default:
      return false;
  }
}

bool is_decimal(char32_t c) {
  if (c < 0x80) return c >= '0' && c <= '9';
  return category(c) == UTF8PROC_CATEGORY_ND;
}
bool is_digit(char32_t c) {
  return is_decimal(c) || contains(tables::kOtherDigits, c);
}
bool is_numeric(char32_t c) {
  const auto kind = category(c);
  return kind == UTF8PROC_CATEGORY_ND || kind == UTF8PROC_CATEGORY_NL ||
         kind == UTF8PROC_CATEGORY_NO || contains(tables::kOtherNumbers, c);
}
bool is_word(char32_t c) {
  return c == '_' || is_alpha(c) || is_numeric(c);
}

bool is_identifier_start(char32_t c) {
  return c == '_' || is_alpha(c) || category(c) == UTF8PROC_CATEGORY_NL;
}
bool is_identifier_part(char32_t c) {
  if (is_identifier_start(c) || is_decimal(c)) return true;
  const auto kind = category(c);
  return kind == UTF8PROC_CATEGORY_MN || kind == UTF8PROC_CATEGORY_MC ||
         kind == UTF8PROC_CATEGORY_PC || c == 0xb7 || c == 0x387;
}

int decimal_value(char32_t c) {
  if (c < 0x80) return c >= '0' && c <= '9' ? static_cast<int>(c - '0') : -1;
  if (!is_decimal(c)) return -1;
  // each script has its ten digits in order; only the mathematical ones follow one another closely
  if (c >= 0x1d7ce && c <= 0x1d7ff) return static_cast<int>((c - 0x1d7ce) % 10);
  int value = 0;
  while (value < 9 && is_decimal(c - 1 - static_cast<char32_t>(value))) ++value;
  return value;
}

void append_upper(std::string& out, char32_t c) {
  if (c < 0x80) {
    out += static_cast<char>(c >= 'a' && c <= 'z' ? c - 32 : c);
  } else if (const auto* special = special_case(c)) {
    append_all(out, special->upper);
  } else {
    append_utf8(out, static_cast<char32_t>(utf8proc_toupper(static_cast<utf8proc_int32_t>(c))));
  }
}

void append_title(std::string& out, char32_t c) {
  if (c < 0x80) {
    append_upper(out, c);
  } else if (const auto* special = special_case(c)) {
    append_all(out, special->title);
  } else {
    append_utf8(out, static_cast<char32_t>(utf8proc_totitle(static_cast<utf8proc_int32_t>(c))));
  }
}

void append_lower(std::string& out, char32_t c, std::string_view text, size_t position) {
  constexpr char32_t kCapitalSigma = 0x3a3, kSigma = 0x3c3, kFinalSigma = 0x3c2;
  constexpr char32_t kDottedI = 0x130, kDotAbove = 0x307;
  if (c < 0x80) {
    out += static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
  } else if (c == kCapitalSigma) {
    append_utf8(out, is_final(text, position) ? kFinalSigma : kSigma);
  } else if (c == kDottedI) {
    out += 'i';
    append_utf8(out, kDotAbove);
  } else {
    append_utf8(out, static_cast<char32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(c))));
  }
}

void append_folded(std::string& out, char32_t c) {
  std::string one;
  append_utf8(one, c);
  utf8proc_uint8_t* folded = nullptr;
  const auto length =
      utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(one.data()),
                   static_cast<utf8proc_ssize_t>(one.size()), &folded, UTF8PROC_CASEFOLD);
  if (length >= 0) out.append(reinterpret_cast<char*>(folded), static_cast<size_t>(length));
  std::free(folded);  // NOLINT: the C interface hands out malloc'ed memory
}

size_t skip_space(std::string_view text) {
  size_t position = 0;
  while (position < text.size()) {
    size_t next = position;
    if (!is_space(next_character(text, next))) break;
    position = next;
  }
  return position;
}

size_t end_without_space(std::string_view text) {
  size_t end = text.size();
  while (end > 0) {
    size_t before = end;
    if (!is_space(previous_character(text, before))) break;
    end = before;
  }
  return end;
}

}  // namespace burnish::jinja
