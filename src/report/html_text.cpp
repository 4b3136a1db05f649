#include "report/html_text.h"

#include <fmt/format.h>

#include <cmath>

#include "measure/display_width.h"

namespace burnish {
namespace {

std::string with_thousands(int64_t value) {
  std::string digits = fmt::format("{}", value);
  const size_t first = value < 0 ? 1 : 0;
  for (size_t i = digits.size(); i > first + 3; i -= 3) digits.insert(i - 3, 1, ',');
  return digits;
}

// one_line for each line: it knows what is UTF-8 and what is a control character.
std::string cleaned(std::string_view text) {
  std::string clean;
  while (!text.empty()) {
    const size_t end = text.find_first_of("\n\t");
    clean += one_line(text.substr(0, end));
    if (end == std::string_view::npos) break;
    clean += text[end];
    text.remove_prefix(end + 1);
  }
  return clean;
}

}  // namespace

std::string html_escaped(std::string_view text) {
  std::string escaped;
  for (const char c : cleaned(text)) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      case '\'':
        escaped += "&#39;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

std::string html_pairs(const std::vector<std::pair<std::string, std::string>>& rows) {
  if (rows.empty()) return {};
  std::string html = "<table>\n";
  for (const auto& [name, value] : rows) {
    html += fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td></tr>\n", html_escaped(name),
                        html_escaped(value));
  }
  return html + "</table>\n";
}

std::string html_section(std::string_view heading, std::string_view body) {
  if (body.empty()) return {};
  return fmt::format("<section>\n<h2>{}</h2>\n{}</section>\n", html_escaped(heading), body);
}

std::string readable_number(double value) {
  if (!std::isfinite(value)) return "not finite";
  constexpr double kExact = 1e15;
  if (value == std::floor(value) && std::fabs(value) < kExact) {
    return with_thousands(static_cast<int64_t>(value));
  }
  if (std::fabs(value) >= 1000 && std::fabs(value) < kExact) {
    return with_thousands(std::llround(value));
  }
  return fmt::format("{:.4g}", value);
}

}  // namespace burnish
