// The header Content-Range of a part of a file (RFC 9110, section 14.4).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace burnish {

/// A whole decimal number and nothing else.
std::optional<uint64_t> whole_number(std::string_view text);

/// bytes FIRST-LAST/SIZE, where SIZE may be *
struct ContentRange {
  uint64_t first = 0;
  std::optional<uint64_t> size;
};
std::optional<ContentRange> content_range(std::string_view text);

}  // namespace burnish
