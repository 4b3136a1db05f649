// GGUF (versions 2 and 3, little-endian): typed key-value metadata, tensor infos, aligned tensor
// data. As with safetensors, no count, length, offset or type in the file is trusted.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "base/file.h"

namespace burnish {

/// Element types of GGUF tensors that can be read. Numbers as in the file.
enum class GgufType : uint32_t {
  F32 = 0,
  F16 = 1,
  Q4_0 = 2,
  Q4_1 = 3,
  Q5_0 = 6,
  Q5_1 = 7,
  Q8_0 = 8,
  Q2_K = 10,
  Q3_K = 11,
  Q4_K = 12,
  Q5_K = 13,
  Q6_K = 14,
  IQ4_NL = 20,
  IQ4_XS = 23,
  BF16 = 30
};

std::string gguf_type_name(uint32_t type);  // "Q4_1"; "type 77" for unknown numbers

struct GgufTensor {
  std::string name;
  GgufType type;
  std::vector<int64_t> shape;  ///< row-major, outermost first (the file stores the reverse)
  std::span<const std::byte> bytes;
  int64_t num_elements() const;
};

/// Metadata values. All integer kinds widen to int64 (uint64 above its range is refused),
/// float32 to double.
using GgufValue = std::variant<int64_t, double, bool, std::string, std::vector<int64_t>,
                               std::vector<double>, std::vector<bool>, std::vector<std::string>>;

class GgufFile {
 public:
  /// @throws Error(model) naming file, key or tensor; Error(unsupported) for a tensor type that is
  /// known but not yet read, naming it.
  explicit GgufFile(const std::filesystem::path& path);

  const std::map<std::string, GgufValue>& metadata() const { return metadata_; }
  const std::map<std::string, GgufTensor>& tensors() const { return tensors_; }
  const std::filesystem::path& path() const { return file_.path(); }
  const MappedFile& file() const { return file_; }

  /// The value of a key; nullptr if the key is missing. @throws Error(model) if the type is
  /// another.
  template <class T>
  const T* get(const std::string& key) const {
    const auto found = metadata_.find(key);
    if (found == metadata_.end()) return nullptr;
    const T* value = std::get_if<T>(&found->second);
    if (value == nullptr) refuse_kind(key, GgufValue(T()).index(), found->second.index());
    return value;
  }
  /// @throws Error(model) if it is missing.
  template <class T>
  const T& need(const std::string& key) const {
    const T* value = get<T>(key);
    if (value == nullptr) refuse_missing(key);
    return *value;
  }

 private:
  [[noreturn]] void refuse_kind(const std::string& key, size_t wanted, size_t found) const;
  [[noreturn]] void refuse_missing(const std::string& key) const;

  MappedFile file_;
  std::map<std::string, GgufValue> metadata_;
  std::map<std::string, GgufTensor> tensors_;
};

/// Block formats to float32, bit-equal to the `gguf` package. `first` and `out.size()` count
/// elements and are multiples of the block size (256 for the K kinds and IQ4_XS, 1 for F32, F16 and
/// BF16, else 32).
void dequantize(const GgufTensor& tensor, int64_t first, std::span<float> out);

}  // namespace burnish
