// JSON lines of `messages` or `text`, read strictly: lines end at "\n" alone (a "\r" before it is
// white space), blank lines are skipped, a byte-order mark is dropped, a cut last line is an error.
#pragma once

#include <string>

#include "base/hash.h"
#include "data/row_collector.h"

namespace burnish {

/// @param file  a path, or hf://datasets/ORG/NAME@REVISION/PATH: read as a stream, whose bytes are
/// in memory a window at a time and held against the hub's hash at the end
/// @param hash  takes in the bytes of the file, if it is there
/// @throws Error(data) with file:line and the reason: not UTF-8, broken JSON, unknown role, content
/// missing or of a wrong type, ... and for a file without rows; Error(io)
RowsOfFile read_jsonl(const std::string& file, const RowOptions& options, Hash* hash = nullptr);

}  // namespace burnish
