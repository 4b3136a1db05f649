// Pieces of HTML from text that nobody vouches for.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace burnish {

/// Text as it may stand between tags and inside quoted attributes; bytes that are no UTF-8 and
/// control characters (but line ends and tabs) become U+FFFD.
std::string html_escaped(std::string_view text);

/// A table of two columns, both escaped; empty for no rows.
std::string html_pairs(const std::vector<std::pair<std::string, std::string>>& rows);

/// <section> with a heading; empty for an empty body. `body` is HTML.
std::string html_section(std::string_view heading, std::string_view body);

/// Four significant digits, as people read them: "1.923", "1e-05", "12,345", "not finite".
std::string readable_number(double value);

}  // namespace burnish
