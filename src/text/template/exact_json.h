// JSON with integers of any size: nlohmann's own parser turns those beyond 64 bits into floats,
// which a template would print as 1.2345678901234568e+29.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace burnish {

/// @throws Error(data) at `where` for text that is not JSON.
nlohmann::ordered_json parse_exact_json(std::string_view text, const std::string& where);

/// How such an integer lies in a json value, and its digits out of one (empty if it is none).
nlohmann::ordered_json big_integer(const std::string& digits);
std::string big_integer_digits(const nlohmann::ordered_json& value);

}  // namespace burnish
