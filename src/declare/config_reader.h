// Typed keys of a config.json, with errors that name file, key and value.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"

namespace burnish {

/// One JSON object of a config and where it stands. A key that is null counts as absent, as in
/// transformers.
class ConfigReader {
 public:
  /// @param object  must outlive the reader
  ConfigReader(const nlohmann::ordered_json& object, std::string where)
      : object_(object), where_(std::move(where)) {}

  /// nullptr: absent or null.
  const nlohmann::ordered_json* find(const std::string& key) const;
  bool has(const std::string& key) const { return find(key) != nullptr; }

  std::optional<int64_t> integer(const std::string& key) const;
  std::optional<double> number(const std::string& key) const;
  std::optional<bool> boolean(const std::string& key) const;
  std::optional<std::string> text(const std::string& key) const;

  /// An integer of 1 to `most`; @throws Error(model) without it where there is no fallback.
  int64_t size(const std::string& key, int64_t most,
               std::optional<int64_t> fallback = std::nullopt) const;
  /// A finite number above zero.
  double positive(const std::string& key, std::optional<double> fallback = std::nullopt) const;

  [[noreturn]] void refuse(ErrorCode code, const std::string& key, const std::string& what,
                           const std::string& advice = {}) const {
    throw Error(code, what, where_ + ", key " + key, advice);
  }
  [[noreturn]] void refuse_missing(const std::string& key) const;

 private:
  [[noreturn]] void refuse_type(const std::string& key, const char* wanted) const;

  const nlohmann::ordered_json& object_;
  std::string where_;
};

}  // namespace burnish
