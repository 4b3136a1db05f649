// A file of rows, of whatever kind it is.
#pragma once

#include <string>

#include "base/hash.h"
#include "data/row_collector.h"

namespace burnish {

/// JSON lines (jsonl.h) or Parquet (parquet.h): a local file by what it begins with, one of the hub
/// by its name.
/// @param file  a path, or hf://datasets/ORG/NAME@REVISION/PATH
/// @param hash  takes in what tells the file from others, if it is there
/// @throws what the reader of its kind throws
RowsOfFile read_rows(const std::string& file, const RowOptions& options, Hash* hash = nullptr);

}  // namespace burnish
