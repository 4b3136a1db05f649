// safetensors: an 8-byte little-endian header length, a JSON header, then the bytes of the tensors.
// The reader trusts nothing in the file: lengths, offsets, overlaps, shapes and names are checked
// against the file's real size before anything is handed out.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/dtype.h"
#include "base/file.h"

namespace burnish {

/// A tensor inside a mapped file. `bytes` lives as long as the file object.
struct StoredTensor {
  std::string name;
  DType dtype;
  std::vector<int64_t> shape;
  std::span<const std::byte> bytes;
};

/// "[3, 4]", for messages.
std::string shape_text(std::span<const int64_t> shape);

class SafetensorsFile {
 public:
  /// @throws Error(model) naming file, tensor and value for anything that does not hold.
  explicit SafetensorsFile(const std::filesystem::path& path);

  /// In file order (by offset).
  const std::vector<StoredTensor>& tensors() const { return tensors_; }
  const std::map<std::string, std::string>& metadata() const { return metadata_; }
  const StoredTensor* find(const std::string& name) const;
  const MappedFile& file() const { return file_; }

 private:
  MappedFile file_;
  std::vector<StoredTensor> tensors_;
  std::map<std::string, size_t> index_;
  std::map<std::string, std::string> metadata_;
};

/// What to write: the bytes are asked for one tensor at a time, so that a converted copy of the
/// whole model never stands in memory. `fill` gets a sink to which it hands the tensor's bytes in
/// order, in as many pieces as it likes; a wrong total is Error(internal).
struct TensorToWrite {
  std::string name;
  DType dtype;
  std::vector<int64_t> shape;
  std::function<void(const std::function<void(std::span<const std::byte>)>& sink)> fill;
};

/// Writes aside, syncs, renames (AtomicFile). Returns the SHA-256 of the file.
std::string write_safetensors(const std::filesystem::path& path,
                              const std::vector<TensorToWrite>& tensors,
                              const std::map<std::string, std::string>& metadata);

/// All tensors of a Hugging Face folder, by name: one model.safetensors, or the shards of
/// model.safetensors.index.json. With an index there, the index decides (a stray single file is
/// warned about). @throws Error(model): a missing shard, a name that no shard or no map holds, ...
class SafetensorsFolder {
 public:
  explicit SafetensorsFolder(const std::filesystem::path& folder);
  const std::map<std::string, StoredTensor>& tensors() const { return tensors_; }
  const std::vector<SafetensorsFile>& files() const { return files_; }
  /// Things a user should know but that do not stop the load (wrong total_size, a stray file).
  const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  std::vector<SafetensorsFile> files_;
  std::map<std::string, StoredTensor> tensors_;
  std::vector<std::string> warnings_;
};

}  // namespace burnish
