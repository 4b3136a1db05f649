"""Writes src/text/tokenizer/newer_unicode_ranges.h: characters whose general category the tokenizers package knows and
Unicode 14 (PCRE2 10.42, Python 3.11's unicodedata) does not. Run: python tokenizer_unicode.py OUT   (tokenizers 0.23.3)"""
import sys
import unicodedata

from tokenizers import Regex, pre_tokenizers

assert unicodedata.unidata_version == "14.0.0"
CATEGORIES = "Lu Ll Lt Lm Lo Mn Mc Me Nd Nl No Pc Pd Ps Pe Pi Pf Po Sm Sc Sk So Zs Cf".split()
ALL = [c for c in range(0x110000) if not 0xD800 <= c < 0xE000]
TEXT = "".join(map(chr, ALL))


def members(expression):
    split = pre_tokenizers.Split(Regex(f"(?:{expression})+"), "removed", invert=True)
    return {ALL[i] for _, (begin, end) in split.pre_tokenize_str(TEXT) for i in range(begin, end)}


def ranges(codes):
    result = []
    for code in sorted(codes):
        if result and result[-1][1] == code - 1:
            result[-1][1] = code
        else:
            result.append([code, code])
    return result


def main():
    rows, moved = [], []
    for category in CATEGORIES:
        theirs = members(rf"\p{{{category}}}")
        ours = {c for c in ALL if unicodedata.category(chr(c)) == category}
        rows += [(first, last, category) for first, last in ranges(c for c in theirs - ours if unicodedata.category(chr(c)) == "Cn")]
        moved += [(hex(c), unicodedata.category(chr(c)), category) for c in theirs - ours if unicodedata.category(chr(c)) != "Cn"]
    print("characters that changed category:", moved)
    with open(sys.argv[1], "w", encoding="utf-8") as out:
        out.write("// Made by scripts/goldens/tokenizer_unicode.py.\n#pragma once\n\n#include <array>\n#include <string_view>\n\n")
        out.write("namespace burnish {\n\nstruct CategoryRange {\n  char32_t first, last;\n  std::string_view category;\n};\n\n")
        out.write(f"inline constexpr std::array<CategoryRange, {len(rows)}> kNewerCharacters = {{{{\n")
        for first, last, category in sorted(rows):
            out.write(f'    {{0x{first:X}, 0x{last:X}, "{category}"}},\n')
        out.write("}};\n\n}  // namespace burnish\n")


if __name__ == "__main__":
    main()
