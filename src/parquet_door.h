// The one door to Apache Arrow, which costs 10 ms to load: the data room opens
// libburnish_parquet.so at the first Parquet file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

namespace burnish {

/// The bytes of a file, wherever it is. Of one thread.
class RandomBytes {
 public:
  virtual ~RandomBytes() = default;
  virtual uint64_t size() const = 0;
  /// Fills `into` with the bytes from `offset` on, which the file has.
  virtual void read(uint64_t offset, std::span<std::byte> into) = 0;
};

/// An open Parquet file: its footer was read.
class ParquetFile {
 public:
  virtual ~ParquetFile() = default;
  /// Names of its columns, in order; of nested ones the outermost.
  virtual const std::vector<std::string>& columns() const = 0;
  virtual int row_groups() const = 0;
  /// Each row as an object with those of `columns` that the file has, in the file's order: lists
  /// are arrays, structs and maps with text keys are objects. Reads the bytes of these columns
  /// alone. Text is not checked for UTF-8.
  /// @throws Error(data) for bytes that are no such row group; Error(unsupported) for a column of a
  /// type that JSON does not have (times, decimals, binary); what `bytes` throws
  virtual std::vector<nlohmann::ordered_json> read_row_group(
      int index, const std::vector<std::string>& columns) = 0;
};

class Parquet {
 public:
  virtual ~Parquet() = default;
  /// @param bytes  must outlive what is returned
  /// @param file  its name, for messages
  /// @throws Error(data) for what is no Parquet file; what `bytes` throws
  virtual std::unique_ptr<ParquetFile> open(RandomBytes& bytes, const std::string& file) = 0;
};

/// @throws Error(io) with the loader's message
Parquet& open_parquet();

}  // namespace burnish
