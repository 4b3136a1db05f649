#include "base/date.h"

#include <charconv>
#include <chrono>

namespace burnish {
namespace {

/// A number of exactly these digits; -1 otherwise.
int digits(std::string_view text) {
  int value = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole && text.front() != '-' ? value : -1;
}

}  // namespace

std::optional<std::time_t> parse_date(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return std::nullopt;
  const int year = digits(text.substr(0, 4)), month = digits(text.substr(5, 2)),
            day = digits(text.substr(8, 2));
  if (year < 1 || month < 1 || day < 1) return std::nullopt;
  const auto date = std::chrono::year(year) / month / day;
  if (!date.ok()) return std::nullopt;
  return std::chrono::system_clock::to_time_t(std::chrono::sys_days(date));
}

}  // namespace burnish
