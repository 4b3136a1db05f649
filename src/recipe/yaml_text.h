#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace burnish {

/// Block style; lists of plain values on one line. Text is quoted where it could be read as
/// something else. Ends in a newline.
std::string yaml_text(const nlohmann::ordered_json& value);

/// A plain value, or a list of them, on one line.
std::string yaml_value(const nlohmann::ordered_json& value);

}  // namespace burnish
