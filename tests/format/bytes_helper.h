// Files for the tests of readers, valid and lying ones, byte by byte.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <string_view>

#include "base/error.h"

namespace burnish::testing_bytes {

/// A folder of this process, below the tests' temporary one.
inline std::filesystem::path scratch(const std::string& name) {
  const auto folder =
      std::filesystem::path(testing::TempDir()) / ("burnish_" + std::to_string(::getpid())) / name;
  std::filesystem::create_directories(folder);
  return folder;
}

inline std::filesystem::path write_bytes(const std::filesystem::path& path,
                                         std::string_view bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
  return path;
}

/// The text of the Error that `action` throws; "CODE: what()".
inline std::string failure_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return std::string(name_of(error.code())) + ": " + error.what();
  }
  return "no error";
}

template <class T>
std::string packed(T value) {
  std::string bytes(sizeof value, '\0');
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

inline std::string safetensors_bytes(std::string_view header, std::string_view data) {
  return packed<uint64_t>(header.size()).append(header).append(data);
}

/// GGUF strings: a length and the letters.
inline std::string gguf_text(std::string_view text) {
  return packed<uint64_t>(text.size()).append(text);
}

/// A GGUF file in parts, any of which may be replaced by a lie.
struct GgufParts {
  std::string magic = "GGUF";
  uint32_t version = 3;
  std::string keys, infos;
  uint64_t num_keys = 0, num_tensors = 0;
  std::string data;

  GgufParts& key(std::string_view name, uint32_t type, std::string_view value) {
    keys += gguf_text(name) + packed(type) + std::string(value);
    ++num_keys;
    return *this;
  }
  GgufParts& tensor(std::string_view name, const std::vector<uint64_t>& dims, uint32_t type,
                    uint64_t offset) {
    infos += gguf_text(name) + packed(static_cast<uint32_t>(dims.size()));
    for (const uint64_t dim : dims) infos += packed(dim);
    infos += packed(type) + packed(offset);
    ++num_tensors;
    return *this;
  }
  std::string bytes() const {
    std::string all =
        magic + packed(version) + packed(num_tensors) + packed(num_keys) + keys + infos;
    all.resize((all.size() + 31) / 32 * 32, '\0');
    return all + data;
  }
};

}  // namespace burnish::testing_bytes
