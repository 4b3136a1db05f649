// What a data source yields.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

namespace burnish {

/// Where a sample came from: for errors, for `data inspect`, for row ids.
struct SourceLine {
  std::string file;
  int64_t line = 0;  ///< 1-based
};

/// "FILE:LINE", as it stands in errors.
std::string place_of(const SourceLine& where);

/// One line of a data set, read and checked: either messages or plain text.
struct Conversation {
  SourceLine where;
  /// Each message: an object with "role" and "content" and whatever else the line had. Keys with
  /// value null are dropped. Empty for plain text.
  nlohmann::ordered_json messages = nlohmann::ordered_json::array();
  nlohmann::ordered_json tools;  ///< null: none
  std::string text;              ///< for plain text
  bool is_text = false;
};

}  // namespace burnish
