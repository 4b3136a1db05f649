"""Makes src/text/template/unicode_tables.h out of Python's own Unicode database.

    python3.11 scripts/goldens/make_unicode_tables.py && clang-format-14 -i src/text/template/unicode_tables.h
"""
import pathlib
import unicodedata

OUT = pathlib.Path(__file__).parents[2] / "src/text/template/unicode_tables.h"
HEAD = """// Parts of the Unicode character database (SpecialCasing.txt, Numeric_Type, Other_Lowercase,
// Other_Uppercase) that utf8proc does not offer. Made by scripts/goldens/make_unicode_tables.py.
#pragma once

#include <array>
#include <cstdint>

namespace burnish::jinja::tables {

/// Characters whose upper or title case is more than one character; unused places are 0.
struct SpecialCase {
  char32_t character;
  std::array<char32_t, 3> upper, title;
};
struct Range {
  char32_t first, last;
};

"""


def characters():
    return (chr(c) for c in range(0x110000) if not 0xD800 <= c < 0xE000)


def ranges(test):
    found = []
    for c in map(ord, filter(test, characters())):
        if found and found[-1][1] == c - 1:
            found[-1][1] = c
        else:
            found.append([c, c])
    return found


def three(text):
    return "{" + ", ".join([hex(ord(c)) for c in text] + ["0"] * (3 - len(text))) + "}"


def category(c):
    return unicodedata.category(c)


TABLES = {
    "kOtherDigits": ("Numeric_Type=Digit", lambda c: c.isdigit() and not c.isdecimal()),
    "kOtherNumbers": ("numeric, but not of a number category",
                      lambda c: c.isnumeric() and category(c) not in ("Nd", "Nl", "No")),
    "kOtherLower": ("lower case, but not of category Ll", lambda c: c.islower() and category(c) != "Ll"),
    "kOtherUpper": ("upper case, but not of category Lu", lambda c: c.isupper() and category(c) != "Lu"),
}

with OUT.open("w") as out:
    out.write(HEAD + "inline constexpr SpecialCase kSpecialCases[] = {\n")
    for c in characters():
        if len(c.upper()) > 1 or len(c.title()) > 1:
            out.write(f"    {{{hex(ord(c))}, {three(c.upper())}, {three(c.title())}}},\n")
    out.write("};\n")
    for name, (meaning, test) in TABLES.items():
        out.write(f"\n/// {meaning}\ninline constexpr Range {name}[] = {{\n")
        out.writelines(f"    {{{hex(a)}, {hex(b)}}},\n" for a, b in ranges(test))
        out.write("};\n")
    out.write("\n}  // namespace burnish::jinja::tables\n")
