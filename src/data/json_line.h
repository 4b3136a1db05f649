// One JSON value of a data file -> ordered JSON, strictly: read by simdjson, keys in their order.
#pragma once

#include <simdjson.h>

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "data/conversation.h"

namespace burnish {

/// Where a value stands in its file.
struct JsonPiece {
  std::string_view text;
  int64_t line = 1, column = 1;  ///< of its first byte, from 1; columns count bytes
  bool ends_file = false;        ///< no newline behind it: the end of the file
};

/// Reads values one after another; its memory grows to the longest of them and is used again.
class JsonLineParser {
 public:
  JsonLineParser();

  /// Of keys that are there twice the last value wins, as in Python.
  /// @throws Error(data) with FILE:LINE:COLUMN: not UTF-8, not JSON, more than
  /// one value, lone surrogates, numbers that fit neither 64 bits nor a double, over 128 levels.
  nlohmann::ordered_json parse(const JsonPiece& piece, const std::string& file);

 private:
  simdjson::dom::parser parser_;
  std::vector<char> padded_;
};

}  // namespace burnish
