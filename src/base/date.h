// Dates as recipes and command lines write them.
#pragma once

#include <ctime>
#include <optional>
#include <string_view>

namespace burnish {

/// Midnight (UTC) of a day written YYYY-MM-DD; nothing where the text is no day of the calendar.
std::optional<std::time_t> parse_date(std::string_view text);

}  // namespace burnish
