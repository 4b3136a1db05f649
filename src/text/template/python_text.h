// How Python writes values: str(), repr(), and numbers from and to text.
#pragma once

#include <optional>

#include "text/template/runtime.h"

namespace burnish::jinja {

/// str(value); the text of a message's number or list keeps its origin.
const Str* to_text(Runtime& runtime, const Value& value);
/// A text as it is, markup too; everything else as str() writes it.
const Str* soft_text(Runtime& runtime, const Value& value);
/// Appends str(value).
void append_text(Runtime& runtime, TextBuilder& out, const Value& value);
/// Appends repr(value).
void append_repr(Runtime& runtime, TextBuilder& out, const Value& value, int depth = 0);

/// repr(float): the shortest decimal that reads back as the same number.
std::string repr_of_real(double value);

/// int(text, base) and float(text) with Python's spelling rules (blanks around, underscores, any
/// script's digits). The integer may not fit: then `digits` holds it.
struct ParsedInteger {
  int64_t value = 0;
  std::string digits;  ///< canonical decimal form, if it is beyond 64 bits
};
std::optional<ParsedInteger> parse_integer(std::string_view text, int base = 10);
std::optional<double> parse_real(std::string_view text);

/// round(value, digits), half to even on the exact decimal value.
double round_half_even(double value, int64_t digits);

/// An integer out of its decimal digits, of any length.
Value make_integer(Runtime& runtime, const ParsedInteger& integer, const Tag& tag);

}  // namespace burnish::jinja
