#include "data/rows_file.h"

#include <fstream>
#include <string_view>

#include "data/jsonl.h"
#include "data/parquet.h"
#include "hub/remote_data.h"

namespace burnish {
namespace {

bool is_parquet(const std::string& file) {
  if (is_remote_data(file)) return file.ends_with(".parquet");
  std::ifstream stream(file, std::ios::binary);
  char magic[4] = {};
  return stream.read(magic, sizeof magic) && std::string_view(magic, sizeof magic) == "PAR1";
}

}  // namespace

RowsOfFile read_rows(const std::string& file, const RowOptions& options, Hash* hash) {
  return is_parquet(file) ? read_parquet(file, options, hash) : read_jsonl(file, options, hash);
}

}  // namespace burnish
