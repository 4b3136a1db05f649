#include "format/gguf_metadata.h"

#include "format/utf8.h"

namespace burnish {
namespace {

// Numbers as in the file.
enum class ValueType : uint32_t {
  u8,
  i8,
  u16,
  i16,
  u32,
  i32,
  f32,
  boolean,
  text,
  array,
  u64,
  i64,
  f64
};

bool boolean_at(GgufReader& reader) {
  const auto byte = reader.number<uint8_t>();
  if (byte > 1) reader.refuse("a boolean is " + std::to_string(byte));
  return byte == 1;
}

int64_t u64_at(GgufReader& reader) {
  const auto number = reader.number<uint64_t>();
  if (number > INT64_MAX) reader.refuse(std::to_string(number) + " is above the range of int64");
  return static_cast<int64_t>(number);
}

template <class Stored, class Wide>
Wide wide(GgufReader& reader) {
  return static_cast<Wide>(reader.number<Stored>());
}

std::string text_at(GgufReader& reader) {
  return std::string(reader.text());
}

// The count was held against the bytes that are left: `smallest` for each item.
template <class T>
std::vector<T> list(GgufReader& reader, uint64_t smallest, T (*read)(GgufReader&)) {
  const uint64_t count = reader.count(smallest, "array items");
  std::vector<T> items;
  items.reserve(count);
  for (uint64_t i = 0; i < count; ++i) items.push_back(read(reader));
  return items;
}

// One value, or a list of them.
template <class T>
GgufValue value_or_list(GgufReader& reader, bool is_list, uint64_t smallest,
                        T (*read)(GgufReader&)) {
  if (is_list) return list<T>(reader, smallest, read);
  return read(reader);
}

GgufValue value_at(GgufReader& reader, uint32_t type, bool is_list) {
  switch (static_cast<ValueType>(type)) {
    case ValueType::u8:
      return value_or_list<int64_t>(reader, is_list, 1, wide<uint8_t, int64_t>);
    case ValueType::i8:
      return value_or_list<int64_t>(reader, is_list, 1, wide<int8_t, int64_t>);
    case ValueType::u16:
      return value_or_list<int64_t>(reader, is_list, 2, wide<uint16_t, int64_t>);
    case ValueType::i16:
      return value_or_list<int64_t>(reader, is_list, 2, wide<int16_t, int64_t>);
    case ValueType::u32:
      return value_or_list<int64_t>(reader, is_list, 4, wide<uint32_t, int64_t>);
    case ValueType::i32:
      return value_or_list<int64_t>(reader, is_list, 4, wide<int32_t, int64_t>);
    case ValueType::u64:
      return value_or_list<int64_t>(reader, is_list, 8, u64_at);
    case ValueType::i64:
      return value_or_list<int64_t>(reader, is_list, 8, wide<int64_t, int64_t>);
    case ValueType::f32:
      return value_or_list<double>(reader, is_list, 4, wide<float, double>);
    case ValueType::f64:
      return value_or_list<double>(reader, is_list, 8, wide<double, double>);
    case ValueType::boolean:
      return value_or_list<bool>(reader, is_list, 1, boolean_at);
    case ValueType::text:
      return value_or_list<std::string>(reader, is_list, 8, text_at);
    case ValueType::array:
      if (is_list) reader.refuse("arrays of arrays cannot be read");
      return value_at(reader, reader.number<uint32_t>(), true);
  }
  reader.refuse("unknown value type " + std::to_string(type));
}

}  // namespace

std::string read_gguf_name(GgufReader& reader, const std::string& what) {
  constexpr size_t kLongest = 65535;  // the format's own limit for keys
  const std::string_view name = reader.text();
  if (name.empty() || name.size() > kLongest)
    reader.refuse("a name of " + std::to_string(name.size()) + " bytes (" + what + ")");
  if (!is_utf8(name)) reader.refuse("a name is not valid UTF-8 (" + what + ")");
  return std::string(name);
}

std::map<std::string, GgufValue> read_gguf_metadata(GgufReader& reader, uint64_t count) {
  std::map<std::string, GgufValue> metadata;
  for (uint64_t i = 0; i < count; ++i) {
    reader.enter("key " + std::to_string(i + 1) + " of " + std::to_string(count));
    const std::string key = read_gguf_name(reader, "key");
    reader.enter("key " + key);
    if (metadata.count(key) != 0) reader.refuse("the key stands there twice");
    const auto type = reader.number<uint32_t>();
    metadata.emplace(key, value_at(reader, type, false));
  }
  return metadata;
}

}  // namespace burnish
