// The methods of str that ask what its characters are.
#include "text/template/parameters.h"
#include "text/template/string_methods.h"
#include "text/template/unicode.h"

namespace burnish::jinja {
namespace {

using Predicate = bool (*)(char32_t);
/// True if the text is not empty and all characters are such.
template <Predicate kIs>
Value method_all(Runtime& runtime, const Value& self, const Arguments& arguments) {
  Parameters("predicate", arguments, {});
  runtime.charge(self.text->size / 16);
  for (size_t at = 0; at < self.text->size;) {
    if (!kIs(next_character(self.view(), at))) return Value::of(false);
  }
  return Value::of(self.text->size != 0);
}

/// Some character is `kIs`, and none of the other case.
template <Predicate kIs, Predicate kIsOther>
Value method_cased(Runtime& runtime, const Value& self, const Arguments& arguments) {
  Parameters("predicate", arguments, {});
  runtime.charge(self.text->size / 16);
  bool any = false;
  for (size_t at = 0; at < self.text->size;) {
    const char32_t c = next_character(self.view(), at);
    if (kIsOther(c) || is_title(c)) return Value::of(false);
    any = any || kIs(c);
  }
  return Value::of(any);
}

Value method_istitle(Runtime& runtime, const Value& self, const Arguments& arguments) {
  Parameters("istitle", arguments, {});
  runtime.charge(self.text->size / 16);
  bool any = false, in_word = false;
  for (size_t at = 0; at < self.text->size;) {
    const char32_t c = next_character(self.view(), at);
    if ((is_upper(c) || is_title(c)) && in_word) return Value::of(false);
    if (is_lower(c) && !in_word) return Value::of(false);
    in_word = is_cased(c);
    any = any || in_word;
  }
  return Value::of(any);
}

Value method_isascii(Runtime& runtime, const Value& self, const Arguments& arguments) {
  Parameters("isascii", arguments, {});
  return Value::of(self.text->is_ascii());
}

Value method_isprintable(Runtime& runtime, const Value& self, const Arguments& arguments) {
  const Value all = method_all<is_printable>(runtime, self, arguments);
  return Value::of(self.text->size == 0 || all.boolean);
}

Value method_isidentifier(Runtime& runtime, const Value& self, const Arguments& arguments) {
  Parameters("isidentifier", arguments, {});
  runtime.charge(self.text->size / 16);
  size_t at = 0;
  if (self.text->size == 0 || !is_identifier_start(next_character(self.view(), at))) {
    return Value::of(false);
  }
  while (at < self.text->size) {
    if (!is_identifier_part(next_character(self.view(), at))) return Value::of(false);
  }
  return Value::of(true);
}

bool is_alphanumeric(char32_t c) {
  return is_alpha(c) || is_numeric(c);
}

constexpr Method kMethods[] = {
    {"isalnum", method_all<is_alphanumeric>},
    {"isalpha", method_all<is_alpha>},
    {"isascii", method_isascii},
    {"isdecimal", method_all<is_decimal>},
    {"isdigit", method_all<is_digit>},
    {"isidentifier", method_isidentifier},
    {"islower", method_cased<is_lower, is_upper>},
    {"isnumeric", method_all<is_numeric>},
    {"isprintable", method_isprintable},
    {"isspace", method_all<is_space>},
    {"istitle", method_istitle},
    {"isupper", method_cased<is_upper, is_lower>},
};

}  // namespace

std::span<const Method> string_predicate_methods() {
  return kMethods;
}

}  // namespace burnish::jinja
