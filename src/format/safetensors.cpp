#include "format/safetensors.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "base/error.h"
#include "format/checked.h"
#include "format/json.h"

namespace burnish {
namespace {
using json = nlohmann::json;

constexpr uint64_t kPrefixBytes = 8;
constexpr uint64_t kLongestHeader = 100'000'000;  // as the format's own library

// Kinds that the format knows and this program does not read.
constexpr std::array<std::string_view, 14> kOtherDTypes = {
    "F8_E4M3", "F8_E5M2", "F8_E8M0", "F8_E4M3FNUZ", "F8_E5M2FNUZ", "F6_E2M3", "F6_E3M2",
    "F4",      "U16",     "U32",     "U64",         "C64",         "C128",    "I128"};

[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& tensor,
                         const std::string& what) {
  const std::string where = path.string() + (tensor.empty() ? "" : ", tensor " + tensor);
  throw Error(ErrorCode::model, what, where, "The file is damaged or was not written to its end");
}

// The JSON text of the header, after its length was held against the file.
std::string_view header_of(const MappedFile& file) {
  const std::string_view text = file.text();
  if (text.size() < kPrefixBytes)
    refuse(
        file.path(), {},
        "the file has " + std::to_string(text.size()) + " bytes, too few for a safetensors header");
  uint64_t length = 0;
  for (size_t i = 0; i < kPrefixBytes; ++i)
    length |= static_cast<uint64_t>(static_cast<uint8_t>(text[i])) << (8 * i);
  if (length > kLongestHeader)
    refuse(file.path(), {},
           "the header claims " + std::to_string(length) +
               " bytes; no safetensors header is longer than " + std::to_string(kLongestHeader));
  if (length > text.size() - kPrefixBytes)
    refuse(file.path(), {},
           "the header claims " + std::to_string(length) + " bytes, but only " +
               std::to_string(text.size() - kPrefixBytes) + " follow");
  return text.substr(kPrefixBytes, length);
}

DType dtype_in(const json& info, const std::filesystem::path& path, const std::string& tensor) {
  const auto found = info.find("dtype");
  if (found == info.end() || !found->is_string()) refuse(path, tensor, "it has no dtype");
  const auto& name = found->get_ref<const std::string&>();
  if (const auto dtype = dtype_of_safetensors_name(name)) return *dtype;
  if (std::find(kOtherDTypes.begin(), kOtherDTypes.end(), name) != kOtherDTypes.end())
    throw Error(ErrorCode::unsupported, "tensors of dtype " + name + " cannot be read",
                path.string() + ", tensor " + tensor, "Convert the checkpoint to F32, F16 or BF16");
  refuse(path, tensor, "unknown dtype " + value_text(*found));
}

std::vector<int64_t> naturals_in(const json& info, const char* key,
                                 const std::filesystem::path& path, const std::string& tensor) {
  const auto found = info.find(key);
  if (found == info.end() || !found->is_array())
    refuse(path, tensor, std::string("it has no list ") + key);
  std::vector<int64_t> numbers;
  for (const json& number : *found) {
    if (!number.is_number_unsigned() || number.get<uint64_t>() > INT64_MAX)
      refuse(path, tensor,
             std::string(key) + " holds " + value_text(number) + ", which is no size");
    numbers.push_back(number.get<int64_t>());
  }
  return numbers;
}

// One entry of the header against the `data` bytes behind it.
StoredTensor tensor_of(const std::string& name, const json& info, std::span<const std::byte> data,
                       const std::filesystem::path& path) {
  if (!info.is_object()) refuse(path, name, "its entry is no JSON object");
  StoredTensor tensor{name, dtype_in(info, path, name), naturals_in(info, "shape", path, name), {}};
  const std::vector<int64_t> offsets = naturals_in(info, "data_offsets", path, name);
  if (offsets.size() != 2 || offsets[0] > offsets[1])
    refuse(path, name,
           "data_offsets " + value_text(info["data_offsets"]) + " are no begin and end");
  const auto end = static_cast<uint64_t>(offsets[1]);
  if (end > data.size())
    refuse(path, name,
           "it ends at byte " + std::to_string(end) + " of the data, which has " +
               std::to_string(data.size()) + " bytes");
  std::vector<int64_t> factors = tensor.shape;
  factors.push_back(static_cast<int64_t>(size_of(tensor.dtype)));
  const auto wanted = checked_product(factors);
  const int64_t held = offsets[1] - offsets[0];
  if (wanted != held)
    refuse(path, name,
           "shape " + shape_text(tensor.shape) + " of " +
               std::string(safetensors_name(tensor.dtype)) + " takes " +
               (wanted ? std::to_string(*wanted) : "more than 2^63") + " bytes, its offsets hold " +
               std::to_string(held));
  tensor.bytes = data.subspan(static_cast<size_t>(offsets[0]), static_cast<size_t>(held));
  return tensor;
}

std::map<std::string, std::string> metadata_of(const json& entry,
                                               const std::filesystem::path& path) {
  if (!entry.is_object()) refuse(path, {}, "__metadata__ is no JSON object");
  std::map<std::string, std::string> metadata;
  for (const auto& [key, value] : entry.items()) {
    if (!value.is_string())
      refuse(path, {}, "__metadata__ " + key + " is " + value_text(value) + ", not a text");
    metadata[key] = value.get<std::string>();
  }
  return metadata;
}

// Sorted by offset, the tensors must cover the data from its first byte to its last.
void require_no_gap(const std::vector<StoredTensor>& tensors, std::span<const std::byte> data,
                    const std::filesystem::path& path) {
  const std::byte* next = data.data();
  for (const StoredTensor& tensor : tensors) {
    const auto gap = tensor.bytes.data() - next;
    if (gap < 0)
      refuse(path, tensor.name,
             "it overlaps the tensor before it by " + std::to_string(-gap) + " bytes");
    if (gap > 0)
      refuse(path, tensor.name,
             "the " + std::to_string(gap) + " bytes before it belong to no tensor");
    next = tensor.bytes.data() + tensor.bytes.size();
  }
  const auto left = data.data() + data.size() - next;
  if (left > 0)
    refuse(path, {}, "the last " + std::to_string(left) + " bytes of the file belong to no tensor");
}

}  // namespace

std::string shape_text(std::span<const int64_t> shape) {
  std::string text = "[";
  for (size_t i = 0; i < shape.size(); ++i) text += (i ? ", " : "") + std::to_string(shape[i]);
  return text + "]";
}

SafetensorsFile::SafetensorsFile(const std::filesystem::path& path) : file_(path) {
  const std::string_view text = header_of(file_);
  const json header = parse_json_object(text, path.string() + ", header");
  const std::span<const std::byte> data = file_.bytes().subspan(kPrefixBytes + text.size());
  for (const auto& [name, info] : header.items()) {
    if (name == "__metadata__")
      metadata_ = metadata_of(info, path);
    else
      tensors_.push_back(tensor_of(name, info, data, path));
  }
  // begin, then end: empty tensors stand before the one that starts at the same byte
  std::sort(tensors_.begin(), tensors_.end(), [](const StoredTensor& a, const StoredTensor& b) {
    return std::pair(a.bytes.data(), a.bytes.size()) < std::pair(b.bytes.data(), b.bytes.size());
  });
  require_no_gap(tensors_, data, path);
  for (size_t i = 0; i < tensors_.size(); ++i) index_[tensors_[i].name] = i;
}

const StoredTensor* SafetensorsFile::find(const std::string& name) const {
  const auto found = index_.find(name);
  return found == index_.end() ? nullptr : &tensors_[found->second];
}

}  // namespace burnish
