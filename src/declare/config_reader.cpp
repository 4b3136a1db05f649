#include "declare/config_reader.h"

#include <cmath>

#include "format/json.h"

namespace burnish {

const nlohmann::ordered_json* ConfigReader::find(const std::string& key) const {
  const auto found = object_.find(key);
  return found == object_.end() || found->is_null() ? nullptr : &*found;
}

std::optional<int64_t> ConfigReader::integer(const std::string& key) const {
  const auto* value = find(key);
  if (value == nullptr) return std::nullopt;
  if (!value->is_number_integer() ||
      (value->is_number_unsigned() && value->get<uint64_t>() > INT64_MAX))
    refuse_type(key, "an integer");
  return value->get<int64_t>();
}

std::optional<double> ConfigReader::number(const std::string& key) const {
  const auto* value = find(key);
  if (value == nullptr) return std::nullopt;
  if (!value->is_number()) refuse_type(key, "a number");
  return value->get<double>();
}

std::optional<bool> ConfigReader::boolean(const std::string& key) const {
  const auto* value = find(key);
  if (value == nullptr) return std::nullopt;
  if (!value->is_boolean()) refuse_type(key, "true or false");
  return value->get<bool>();
}

std::optional<std::string> ConfigReader::text(const std::string& key) const {
  const auto* value = find(key);
  if (value == nullptr) return std::nullopt;
  if (!value->is_string()) refuse_type(key, "a text");
  return value->get<std::string>();
}

int64_t ConfigReader::size(const std::string& key, int64_t most,
                           std::optional<int64_t> fallback) const {
  const std::optional<int64_t> value = integer(key);
  if (!value && !fallback) refuse_missing(key);
  if (value && (*value < 1 || *value > most))
    refuse(ErrorCode::model, key,
           std::to_string(*value) + " is not within 1 and " + std::to_string(most));
  return value.value_or(fallback.value_or(0));
}

double ConfigReader::positive(const std::string& key, std::optional<double> fallback) const {
  const std::optional<double> value = number(key);
  if (!value && !fallback) refuse_missing(key);
  if (value && !(std::isfinite(*value) && *value > 0))
    refuse(ErrorCode::model, key, value_text(*find(key)) + " is not a finite number above 0");
  return value.value_or(fallback.value_or(0));
}

void ConfigReader::refuse_missing(const std::string& key) const {
  refuse(ErrorCode::model, key, "the key is missing");
}

void ConfigReader::refuse_type(const std::string& key, const char* wanted) const {
  refuse(ErrorCode::model, key,
         std::string(wanted) + " is needed here, not " + value_text(*find(key)));
}

}  // namespace burnish
