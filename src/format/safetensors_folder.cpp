#include <set>

#include "base/error.h"
#include "format/json.h"
#include "format/safetensors.h"

namespace burnish {
namespace fs = std::filesystem;
namespace {
using json = nlohmann::json;

constexpr const char* kSingle = "model.safetensors";
constexpr const char* kIndex = "model.safetensors.index.json";

struct Index {
  std::map<std::string, std::string> shard_of;  // by tensor
  std::set<std::string> shards;
  json total_size;  // null: not said
};

// A shard is a file beside its index: a path could name any file of the machine.
std::string shard_name(const std::string& tensor, const json& value, const std::string& where) {
  const std::string key = where + ", weight_map " + tensor;
  if (!value.is_string())
    throw Error(ErrorCode::model, "the shard is " + value_text(value) + ", not a file name", key);
  const auto& name = value.get_ref<const std::string&>();
  if (name.empty() || name == "." || name == ".." ||
      name.find_first_of(std::string_view("/\\\0", 3)) != std::string::npos)
    throw Error(ErrorCode::model,
                "the shard " + value_text(value) + " is no plain file name in this folder", key,
                "Shards stand beside the index");
  return name;
}

Index read_index(const fs::path& path) {
  const json document = parse_json_object(read_text_file(path), path.string());
  const auto map = document.find("weight_map");
  if (map == document.end() || !map->is_object() || map->empty())
    throw Error(ErrorCode::model, "there is no weight_map in it", path.string(),
                "Get the file again from where the model came from");
  Index index;
  for (const auto& [tensor, value] : map->items())
    index.shards.insert(index.shard_of[tensor] = shard_name(tensor, value, path.string()));
  const auto metadata = document.find("metadata");
  if (metadata != document.end() && metadata->is_object())
    index.total_size = metadata->value("total_size", json());
  return index;
}

std::vector<SafetensorsFile> open_shards(const fs::path& folder, const Index& index) {
  std::vector<SafetensorsFile> files;
  for (const std::string& shard : index.shards) {
    if (!fs::exists(folder / shard))
      throw Error(ErrorCode::model, "the shard " + shard + " is missing",
                  (folder / kIndex).string(),
                  "Copy or download it again; the index names " +
                      std::to_string(index.shards.size()) + " shards");
    files.emplace_back(folder / shard);
  }
  return files;
}

// The shard that holds a tensor against the index, for the message; empty: none.
std::string other_shard_with(const std::string& tensor, const std::vector<SafetensorsFile>& files) {
  for (const SafetensorsFile& file : files)
    if (file.find(tensor) != nullptr) return file.file().path().filename().string();
  return {};
}

std::map<std::string, StoredTensor> tensors_by_index(const fs::path& folder, const Index& index,
                                                     const std::vector<SafetensorsFile>& files) {
  std::map<std::string, const SafetensorsFile*> file_of;
  for (const SafetensorsFile& file : files) file_of[file.file().path().filename().string()] = &file;
  std::map<std::string, StoredTensor> tensors;
  for (const auto& [tensor, shard] : index.shard_of) {
    const StoredTensor* stored = file_of.at(shard)->find(tensor);
    if (stored == nullptr) {
      const std::string other = other_shard_with(tensor, files);
      throw Error(ErrorCode::model,
                  "tensor " + tensor + " is not in the shard " + shard + " that the index names" +
                      (other.empty() ? ", nor in any other" : ", but in " + other),
                  (folder / kIndex).string(), "Index and shards are not of one checkpoint");
    }
    tensors.emplace(tensor, *stored);
  }
  return tensors;
}

std::vector<std::string> doubts_about(const Index& index, const std::vector<SafetensorsFile>& files,
                                      const std::map<std::string, StoredTensor>& tensors,
                                      const fs::path& folder) {
  std::vector<std::string> warnings;
  if (index.shards.count(kSingle) == 0 && fs::exists(folder / kSingle))
    warnings.push_back((folder / kSingle).string() + " is left aside: " + kIndex +
                       " is there, and its shards are read");
  for (const SafetensorsFile& file : files)
    for (const StoredTensor& tensor : file.tensors()) {
      const auto mapped = index.shard_of.find(tensor.name);
      const std::string shard = file.file().path().filename().string();
      if (mapped == index.shard_of.end() || mapped->second != shard)
        warnings.push_back("tensor " + tensor.name + " of " + shard +
                           " is left aside: the index does not name it there");
    }
  uint64_t total = 0;
  for (const auto& [name, tensor] : tensors) total += tensor.bytes.size();
  if (!index.total_size.is_null() && index.total_size != json(total))
    warnings.push_back((folder / kIndex).string() + " says total_size " +
                       value_text(index.total_size) + ", the tensors have " +
                       std::to_string(total) + " bytes");
  return warnings;
}

}  // namespace

SafetensorsFolder::SafetensorsFolder(const fs::path& folder) {
  if (fs::exists(folder / kIndex)) {
    const Index index = read_index(folder / kIndex);
    files_ = open_shards(folder, index);
    tensors_ = tensors_by_index(folder, index, files_);
    warnings_ = doubts_about(index, files_, tensors_, folder);
    return;
  }
  if (!fs::exists(folder / kSingle))
    throw Error(ErrorCode::model,
                std::string("there is neither ") + kSingle + " nor " + kIndex + " in this folder",
                folder.string(), "Get the weights as safetensors");
  files_.emplace_back(folder / kSingle);
  for (const StoredTensor& tensor : files_.front().tensors()) tensors_.emplace(tensor.name, tensor);
}

}  // namespace burnish
