// Numbers as a recipe writes them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace burnish {

/// A whole decimal number that fits, with an optional sign.
std::optional<int64_t> parse_whole(std::string_view text);

/// A decimal number; .nan and .inf as YAML spells them, nan and inf, and what a double cannot hold
/// give NaN or infinity. Nothing for any other text.
std::optional<double> parse_number(std::string_view text);

/// The shortest text that reads back to the same double: "1.0e-05", "0.95", "3.0". A float for
/// every YAML reader.
std::string number_text(double value);

/// The same without a fraction for whole numbers: "0", "0.5".
std::string short_number(double value);

}  // namespace burnish
