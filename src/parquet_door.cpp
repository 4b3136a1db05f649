#include "parquet_door.h"

#include <arrow/api.h>
#include <arrow/io/interfaces.h>
#include <parquet/arrow/reader.h>
#include <parquet/file_reader.h>
#include <parquet/schema.h>

#include <algorithm>
#include <exception>
#include <utility>

#include "base/error.h"

namespace burnish {
namespace {

using Json = nlohmann::ordered_json;

template <class Value>
Value value_of(arrow::Result<Value> result) {
  if (!result.ok()) throw std::runtime_error(result.status().message());
  return std::move(result).ValueUnsafe();
}

// Arrow knows statuses alone: what the source throws is kept until Arrow has returned.
class SourceFile : public arrow::io::RandomAccessFile {
 public:
  explicit SourceFile(RandomBytes& bytes) : bytes_(bytes) {}

  std::exception_ptr failure() const { return failure_; }

  arrow::Status Close() override { return closed_ = true, arrow::Status::OK(); }
  bool closed() const override { return closed_; }
  arrow::Result<int64_t> GetSize() override { return static_cast<int64_t>(bytes_.size()); }
  arrow::Result<int64_t> Tell() const override { return position_; }
  arrow::Status Seek(int64_t position) override {
    return position_ = position, arrow::Status::OK();
  }

  arrow::Result<int64_t> Read(int64_t count, void* out) override {
    ARROW_ASSIGN_OR_RAISE(const int64_t read, ReadAt(position_, count, out));
    position_ += read;
    return read;
  }
  arrow::Result<std::shared_ptr<arrow::Buffer>> Read(int64_t count) override {
    ARROW_ASSIGN_OR_RAISE(auto buffer, ReadAt(position_, count));
    position_ += buffer->size();
    return buffer;
  }
  arrow::Result<int64_t> ReadAt(int64_t position, int64_t count, void* out) override {
    const auto size = static_cast<int64_t>(bytes_.size());
    if (position < 0 || count < 0 || position > size)
      return arrow::Status::Invalid("it points outside of the file");
    count = std::min(count, size - position);
    try {
      bytes_.read(static_cast<uint64_t>(position),
                  {static_cast<std::byte*>(out), static_cast<size_t>(count)});
    } catch (...) {
      failure_ = std::current_exception();
      return arrow::Status::IOError("the source failed");
    }
    return count;
  }
  arrow::Result<std::shared_ptr<arrow::Buffer>> ReadAt(int64_t position, int64_t count) override {
    // a lying footer cannot ask for more memory than the file is long
    count = std::clamp<int64_t>(count, 0, static_cast<int64_t>(bytes_.size()));
    ARROW_ASSIGN_OR_RAISE(auto buffer, arrow::AllocateResizableBuffer(count));
    ARROW_ASSIGN_OR_RAISE(const int64_t read, ReadAt(position, count, buffer->mutable_data()));
    ARROW_RETURN_NOT_OK(buffer->Resize(read));
    return buffer;
  }

 private:
  RandomBytes& bytes_;
  int64_t position_ = 0;
  bool closed_ = false;
  std::exception_ptr failure_;
};

[[noreturn]] void refuse_type(const arrow::DataType& type, const std::string& column) {
  throw Error(ErrorCode::unsupported, "a value of type " + type.ToString() + " is no JSON value",
              "column `" + column + "`", "Write it as text or as numbers");
}

// Values of Arrow's arrays as JSON, by their type.
class Values {
 public:
  explicit Values(const std::string& column) : column_(column) {}

  Json at(const arrow::Array& array, int64_t i) const {
    using arrow::Type;
    if (array.IsNull(i)) return nullptr;
    switch (array.type_id()) {
      case Type::NA:
        return nullptr;
      case Type::BOOL:
        return static_cast<const arrow::BooleanArray&>(array).Value(i);
      case Type::INT8:
        return number<arrow::Int8Array>(array, i);
      case Type::INT16:
        return number<arrow::Int16Array>(array, i);
      case Type::INT32:
        return number<arrow::Int32Array>(array, i);
      case Type::INT64:
        return number<arrow::Int64Array>(array, i);
      case Type::UINT8:
        return number<arrow::UInt8Array>(array, i);
      case Type::UINT16:
        return number<arrow::UInt16Array>(array, i);
      case Type::UINT32:
        return number<arrow::UInt32Array>(array, i);
      case Type::UINT64:
        return number<arrow::UInt64Array>(array, i);
      case Type::FLOAT:
        return number<arrow::FloatArray>(array, i);
      case Type::DOUBLE:
        return number<arrow::DoubleArray>(array, i);
      case Type::STRING:
        return text<arrow::StringArray>(array, i);
      case Type::LARGE_STRING:
        return text<arrow::LargeStringArray>(array, i);
      case Type::LIST:
        return list<arrow::ListArray>(array, i);
      case Type::LARGE_LIST:
        return list<arrow::LargeListArray>(array, i);
      case Type::FIXED_SIZE_LIST:
        return list<arrow::FixedSizeListArray>(array, i);
      case Type::STRUCT:
        return object(static_cast<const arrow::StructArray&>(array), i);
      case Type::MAP:
        return map(static_cast<const arrow::MapArray&>(array), i);
      case Type::DICTIONARY: {
        const auto& dictionary = static_cast<const arrow::DictionaryArray&>(array);
        return at(*dictionary.dictionary(), dictionary.GetValueIndex(i));
      }
      default:
        refuse_type(*array.type(), column_);
    }
  }

 private:
  template <class Array>
  static Json number(const arrow::Array& array, int64_t i) {
    return static_cast<const Array&>(array).Value(i);
  }
  template <class Array>
  static Json text(const arrow::Array& array, int64_t i) {
    return std::string(static_cast<const Array&>(array).GetView(i));
  }
  template <class Array>
  Json list(const arrow::Array& array, int64_t i) const {
    const auto& lists = static_cast<const Array&>(array);
    Json items = Json::array();
    for (int64_t j = lists.value_offset(i); j < lists.value_offset(i) + lists.value_length(i); ++j)
      items.push_back(at(*lists.values(), j));
    return items;
  }
  Json object(const arrow::StructArray& structs, int64_t i) const {
    Json members = Json::object();
    for (int field = 0; field < structs.num_fields(); ++field)
      members[structs.struct_type()->field(field)->name()] = at(*structs.field(field), i);
    return members;
  }
  Json map(const arrow::MapArray& maps, int64_t i) const {
    Json members = Json::object();
    for (int64_t j = maps.value_offset(i); j < maps.value_offset(i) + maps.value_length(i); ++j) {
      const Json key = at(*maps.keys(), j);
      if (!key.is_string()) refuse_type(*maps.type(), column_);
      members[key.get_ref<const std::string&>()] = at(*maps.items(), j);
    }
    return members;
  }

  const std::string& column_;
};

class ArrowParquetFile : public ParquetFile {
 public:
  ArrowParquetFile(RandomBytes& bytes, std::string file)
      : file_(std::move(file)), source_(std::make_shared<SourceFile>(bytes)) {
    guarded([&] {
      // one thread and no reading ahead: the bytes are asked for where they are needed
      parquet::ArrowReaderProperties properties(/*use_threads=*/false);
      properties.set_pre_buffer(false);
      reader_ = value_of(parquet::arrow::FileReader::Make(
          arrow::default_memory_pool(), parquet::ParquetFileReader::Open(source_), properties));
      const parquet::SchemaDescriptor& schema = *reader_->parquet_reader()->metadata()->schema();
      for (int i = 0; i < schema.num_columns(); ++i) {
        leaf_columns_.push_back(schema.GetColumnRoot(i)->name());
        if (std::find(columns_.begin(), columns_.end(), leaf_columns_.back()) == columns_.end())
          columns_.push_back(leaf_columns_.back());
      }
    });
  }

  const std::vector<std::string>& columns() const override { return columns_; }
  int row_groups() const override { return reader_->num_row_groups(); }

  std::vector<Json> read_row_group(int index, const std::vector<std::string>& columns) override {
    std::vector<int> leaves;
    for (size_t i = 0; i < leaf_columns_.size(); ++i)
      if (std::find(columns.begin(), columns.end(), leaf_columns_[i]) != columns.end())
        leaves.push_back(static_cast<int>(i));
    std::vector<Json> rows;
    guarded([&] {
      const auto table = value_of(reader_->ReadRowGroup(index, leaves));
      rows.assign(static_cast<size_t>(table->num_rows()), Json::object());
      for (int c = 0; c < table->num_columns(); ++c)
        add_column(*table->column(c), table->field(c)->name(), rows);
    });
    return rows;
  }

 private:
  static void add_column(const arrow::ChunkedArray& column, const std::string& name,
                         std::vector<Json>& rows) {
    const Values values(name);
    size_t row = 0;
    for (const auto& chunk : column.chunks()) {
      const arrow::Status valid = chunk->Validate();
      if (!valid.ok()) throw std::runtime_error(valid.message());
      for (int64_t i = 0; i < chunk->length(); ++i) rows.at(row++)[name] = values.at(*chunk, i);
    }
  }

  template <class Action>
  void guarded(const Action& action) const {
    try {
      action();
    } catch (const Error&) {
      throw;
    } catch (const std::exception& error) {
      if (source_->failure()) std::rethrow_exception(source_->failure());
      std::string reason = error.what();
      reason = reason.substr(0, std::min<size_t>(reason.find('\n'), 200));
      throw Error(ErrorCode::data, "the Parquet file cannot be read: " + reason, file_,
                  "It seems to be cut off or damaged: fetch or write it again");
    }
  }

  std::string file_;
  std::shared_ptr<SourceFile> source_;
  std::unique_ptr<parquet::arrow::FileReader> reader_;
  std::vector<std::string> leaf_columns_, columns_;
};

class ArrowParquet : public Parquet {
 public:
  std::unique_ptr<ParquetFile> open(RandomBytes& bytes, const std::string& file) override {
    return std::make_unique<ArrowParquetFile>(bytes, file);
  }
};

}  // namespace
}  // namespace burnish

/// What dlsym finds.
extern "C" __attribute__((visibility("default"))) burnish::Parquet* burnish_parquet() {
  static burnish::ArrowParquet parquet;
  return &parquet;
}
