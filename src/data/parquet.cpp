#include "data/parquet.h"

#include <simdjson.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

#include "base/error.h"
#include "base/file.h"
#include "hub/remote_data.h"
#include "parquet_door.h"

namespace burnish {
namespace {

using Json = nlohmann::ordered_json;

class LocalBytes : public RandomBytes {
 public:
  explicit LocalBytes(const std::string& file) : mapped_(file) {}
  uint64_t size() const override { return mapped_.bytes().size(); }
  void read(uint64_t offset, std::span<std::byte> into) override {
    std::memcpy(into.data(), mapped_.bytes().data() + offset, into.size());
  }
  void identify(Hash& hash) const { hash.update(mapped_.bytes()); }

 private:
  MappedFile mapped_;
};

class RemoteBytes : public RandomBytes {
 public:
  explicit RemoteBytes(const std::string& file) : data_(parse_remote_data(file), hub_settings()) {}
  uint64_t size() const override { return data_.size(); }
  void read(uint64_t offset, std::span<std::byte> into) override { data_.read(offset, into); }
  void identify(Hash& hash) const { hash.update(std::as_bytes(std::span(data_.hash()))); }

 private:
  RemoteData data_;
};

std::vector<std::string> wanted_columns(const std::string& format) {
  if (format == "text") return {"text"};
  if (format == "messages") return {"messages", "tools"};
  return {"messages", "tools", "text"};
}

std::string names_of(const std::vector<std::string>& columns) {
  std::string names;
  for (const std::string& column : columns) {
    if (names.size() > 80) return names + ", ...";
    names += (names.empty() ? "`" : ", `") + column.substr(0, 40) + "`";
  }
  return names.empty() ? "no column" : names;
}

bool is_utf8(const Json& value) {
  if (value.is_string()) {
    const auto& text = value.get_ref<const std::string&>();
    return simdjson::validate_utf8(text.data(), text.size());
  }
  return std::all_of(value.begin(), value.end(), [](const Json& item) {
    return (!item.is_string() && !item.is_structured()) || is_utf8(item);
  });
}

RowsOfFile read(RandomBytes& bytes, const std::string& file, const RowOptions& options) {
  const std::unique_ptr<ParquetFile> parquet = open_parquet().open(bytes, file);
  const std::vector<std::string> wanted = wanted_columns(options.format);
  const auto& columns = parquet->columns();
  if (std::find_first_of(columns.begin(), columns.end(), wanted.begin(), wanted.end()) ==
      columns.end())
    throw Error(
        ErrorCode::data,
        "the file has none of the columns " + names_of(wanted) + ", but " + names_of(columns), file,
        "Rows of another layout must be rewritten as `messages` or `text`");
  RowCollector rows(file, options);
  int64_t row = 0;
  for (int group = 0; group < parquet->row_groups(); ++group)
    for (Json& value : parquet->read_row_group(group, wanted)) {
      ++row;
      rows.add(row, [&] {
        if (!is_utf8(value))
          throw Error(ErrorCode::data, "the row has text that is not UTF-8", place_of({file, row}),
                      "Write the file again with its text as UTF-8");
        return std::move(value);
      });
    }
  return rows.take();
}

template <class Bytes>
RowsOfFile read_from(const std::string& file, const RowOptions& options, Hash* hash) {
  Bytes bytes(file);
  if (hash != nullptr) bytes.identify(*hash);
  return read(bytes, file, options);
}

}  // namespace

RowsOfFile read_parquet(const std::string& file, const RowOptions& options, Hash* hash) {
  return is_remote_data(file) ? read_from<RemoteBytes>(file, options, hash)
                              : read_from<LocalBytes>(file, options, hash);
}

}  // namespace burnish
