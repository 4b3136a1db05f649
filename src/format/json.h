// JSON that came from somebody else's file: whole, an object, not deeper than sane.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace burnish {

enum class RepeatedKeys { last_wins, refused };

/// For machines' files (headers, indexes), of any number of keys; sorts them.
/// @param where  the file, for errors
/// @throws Error(model): not JSON, not UTF-8, not an object, nested deeper than 64 levels, a
/// repeated key where those are refused.
nlohmann::json parse_json_object(std::string_view text, const std::string& where,
                                 RepeatedKeys repeated = RepeatedKeys::refused);

/// For people's files (config.json): keeps the order of the keys, takes at most 20,000 of them
/// (an ordered object searches them one by one). The last of repeated keys wins, as in Python.
nlohmann::ordered_json parse_ordered_json_object(std::string_view text, const std::string& where);

/// What an exception of the JSON library says, without its number in front.
std::string json_reason(const std::exception& error);

/// The value as a message shows it: short, on one line.
std::string value_text(const nlohmann::json& value);
std::string value_text(const nlohmann::ordered_json& value);

}  // namespace burnish
