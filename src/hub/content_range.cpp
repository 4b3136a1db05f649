#include "hub/content_range.h"

#include <charconv>
#include <system_error>

namespace burnish {

std::optional<uint64_t> whole_number(std::string_view text) {
  uint64_t value = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || rest != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<ContentRange> content_range(std::string_view text) {
  constexpr std::string_view kUnit = "bytes ";
  const size_t dash = text.find('-'), slash = text.find('/');
  if (!text.starts_with(kUnit) || dash == text.npos || slash == text.npos || dash > slash)
    return std::nullopt;
  const auto first = whole_number(text.substr(kUnit.size(), dash - kUnit.size()));
  if (!first) return std::nullopt;
  return ContentRange{*first, whole_number(text.substr(slash + 1))};
}

}  // namespace burnish
