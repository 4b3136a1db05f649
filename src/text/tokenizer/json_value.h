// A value of a tokenizer's JSON file with the path that leads to it, for errors that name both.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

namespace burnish {

class JsonValue {
 public:
  JsonValue(const nlohmann::json& value, const std::string& file, std::string path)
      : value_(&value), file_(&file), path_(std::move(path)) {}

  bool is_null() const;
  bool is_string() const;
  bool is_object() const;

  /// A member; null if it is missing. @throws Error(model) if this is no object.
  JsonValue operator[](const std::string& key) const;
  std::vector<JsonValue> items() const;  ///< of an array
  std::vector<std::pair<std::string, JsonValue>> members() const;

  const std::string& string() const;
  std::string string_or(
      const std::string& otherwise) const;  ///< `otherwise` for null or a missing key
  bool boolean() const;
  bool boolean_or(bool otherwise) const;
  int64_t integer(int64_t least, int64_t most) const;

  [[noreturn]] void refuse(const std::string& what) const;       ///< Error(model)
  [[noreturn]] void unsupported(const std::string& what) const;  ///< Error(unsupported)
  std::string where() const;  ///< "tokenizer.json: key 'model.type'"
  const std::string& file() const { return *file_; }

 private:
  const nlohmann::json* value_;
  const std::string* file_;
  std::string path_;
};

/// The deepest nesting of pipeline components that is followed.
inline constexpr int kDeepestSequence = 16;

}  // namespace burnish
