// Parquet files of `messages` or `text`, a row group at a time.
#pragma once

#include <string>

#include "base/hash.h"
#include "data/row_collector.h"

namespace burnish {

/// Rows count from 1, in place of lines. Only the columns that are trained on are read: `messages`
/// and `tools`, or `text`. Of a file of the hub these bytes alone are fetched, by ranges, and
/// nothing is written to disk; they cannot be held against the hash that the hub lists for the
/// whole file.
/// @param hash  takes in the bytes of a local file; of one of the hub the hash that the hub lists
/// @throws Error(data) with file:row and the reason, for a damaged file, and for one without rows;
/// Error(unsupported) for values that JSON does not have; Error(io)
RowsOfFile read_parquet(const std::string& file, const RowOptions& options, Hash* hash = nullptr);

}  // namespace burnish
