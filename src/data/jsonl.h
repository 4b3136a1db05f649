// JSON lines of `messages` or `text`, read strictly: lines end at "\n" alone (a "\r" before it is
// white space), blank lines are skipped, a byte-order mark is dropped, a cut last line is an error.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/hash.h"
#include "data/conversation.h"

namespace burnish {

struct BadLine {
  SourceLine where;
  std::string reason;
};

struct JsonlOptions {
  std::string format = "auto";  ///< auto: decided by the first row; messages, text
  bool skip_bad_lines = false;
  bool allow_all_bad = false;  ///< with skip_bad_lines: a file of nothing but bad lines is no error
};

struct JsonlResult {
  std::vector<Conversation> rows;
  std::vector<BadLine> bad_lines;  ///< with skip_bad_lines
};

/// @param file  a path, or hf://datasets/ORG/NAME@REVISION/PATH: read as a stream, whose bytes are
/// in memory a window at a time and held against the hub's hash at the end
/// @param hash  takes in the bytes of the file, if it is there
/// @throws Error(data) with file:line and the reason: not UTF-8, broken JSON, unknown role, content
/// missing or of a wrong type, ... and for a file without rows; Error(io)
JsonlResult read_jsonl(const std::string& file, const JsonlOptions& options, Hash* hash = nullptr);

/// One parsed line of an open source: the checks of `read_jsonl` on one JSON value.
Conversation conversation_from_json(const nlohmann::ordered_json& row, const SourceLine& where,
                                    const std::string& format);

}  // namespace burnish
