#include "text/tokenizer/json_value.h"

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "text/tokenizer/characters.h"

namespace burnish {
namespace {

const nlohmann::json kNull;

// A key of any length would be copied into the path of everything below it.
std::string shortened(const std::string& key) {
  size_t end = 64;
  if (key.size() <= end) return key;
  while (is_continuation(key[end])) --end;
  return key.substr(0, end) + "...";
}

}  // namespace

bool JsonValue::is_null() const {
  return value_->is_null();
}
bool JsonValue::is_string() const {
  return value_->is_string();
}
bool JsonValue::is_object() const {
  return value_->is_object();
}

JsonValue JsonValue::operator[](const std::string& key) const {
  if (!value_->is_object()) refuse(std::string("an object is needed, not ") + value_->type_name());
  const auto found = value_->find(key);
  return {found == value_->end() ? kNull : *found, *file_,
          (path_.empty() ? "" : path_ + ".") + shortened(key)};
}

std::vector<JsonValue> JsonValue::items() const {
  if (!value_->is_array()) refuse(std::string("a list is needed, not ") + value_->type_name());
  std::vector<JsonValue> items;
  for (size_t i = 0; i < value_->size(); ++i)
    items.emplace_back((*value_)[i], *file_, path_ + "[" + std::to_string(i) + "]");
  return items;
}

std::vector<std::pair<std::string, JsonValue>> JsonValue::members() const {
  if (!value_->is_object()) refuse(std::string("an object is needed, not ") + value_->type_name());
  std::vector<std::pair<std::string, JsonValue>> members;
  for (auto member = value_->begin(); member != value_->end(); ++member)
    members.emplace_back(member.key(), (*this)[member.key()]);
  return members;
}

const std::string& JsonValue::string() const {
  if (!value_->is_string()) refuse(std::string("a string is needed, not ") + value_->type_name());
  return value_->get_ref<const std::string&>();
}

std::string JsonValue::string_or(const std::string& otherwise) const {
  return is_null() ? otherwise : string();
}

bool JsonValue::boolean() const {
  if (!value_->is_boolean())
    refuse(std::string("true or false is needed, not ") + value_->type_name());
  return value_->get<bool>();
}

bool JsonValue::boolean_or(bool otherwise) const {
  return is_null() ? otherwise : boolean();
}

int64_t JsonValue::integer(int64_t least, int64_t most) const {
  if (!value_->is_number_integer())
    refuse(std::string("a whole number is needed, not ") + value_->type_name());
  const auto number = value_->get<int64_t>();
  if (number < least || number > most)
    refuse(std::to_string(number) + " is not between " + std::to_string(least) + " and " +
           std::to_string(most));
  return number;
}

void JsonValue::refuse(const std::string& what) const {
  throw Error(ErrorCode::model, what, where());
}

void JsonValue::unsupported(const std::string& what) const {
  throw Error(ErrorCode::unsupported, what, where());
}

std::string JsonValue::where() const {
  return *file_ + ": key '" + path_ + "'";
}

}  // namespace burnish
