// Layout: "GGUF", version, number of tensors, number of keys, the keys, the tensor infos, padding
// to the alignment, the data (ggml's docs/gguf.md).
#include "format/gguf.h"

#include <algorithm>

#include "base/error.h"
#include "format/checked.h"
#include "format/gguf_metadata.h"
#include "format/gguf_reader.h"
#include "format/gguf_types.h"

namespace burnish {
namespace {

constexpr uint64_t kSmallestKey = 8 + 1 + 4 + 1;         // length, a letter, type, a byte
constexpr uint64_t kSmallestTensor = 8 + 1 + 4 + 4 + 8;  // length, a letter, rank, type, offset
constexpr uint32_t kHighestRank = 4;
constexpr int64_t kDefaultAlignment = 32;

void read_version(GgufReader& reader) {
  constexpr uint32_t kMagic = 0x46554747;  // "GGUF"
  if (reader.left() < 4 || reader.number<uint32_t>() != kMagic)
    throw Error(ErrorCode::model, "this is no GGUF file: it does not begin with GGUF",
                reader.where());
  const auto version = reader.number<uint32_t>();
  if (version == 2 || version == 3) return;
  const uint32_t swapped = __builtin_bswap32(version);
  const bool big_endian = swapped >= 1 && swapped <= 3;
  throw Error(ErrorCode::unsupported,
              big_endian ? "this GGUF file is big-endian"
                         : "GGUF version " + std::to_string(version) + " cannot be read",
              reader.where(), "Convert it to a little-endian GGUF of version 3");
}

int64_t alignment_in(const std::map<std::string, GgufValue>& metadata, const GgufReader& reader) {
  const auto found = metadata.find("general.alignment");
  if (found == metadata.end()) return kDefaultAlignment;
  const auto* value = std::get_if<int64_t>(&found->second);
  if (value == nullptr || *value < 8 || *value > (1 << 30) || (*value & (*value - 1)) != 0)
    throw Error(ErrorCode::model,
                value == nullptr ? "it is no integer"
                                 : std::to_string(*value) + " is no power of two of 8 or more",
                reader.where() + ", key general.alignment");
  return *value;
}

struct TensorInfo {
  GgufTensor tensor;
  uint64_t offset = 0, size = 0;
};

uint64_t size_of_tensor(const GgufTensor& tensor, const GgufReader& reader) {
  const GgufBlock block = *gguf_block(static_cast<uint32_t>(tensor.type));
  const auto elements = checked_product(tensor.shape);
  if (!elements || *elements > INT64_MAX / block.bytes)
    reader.refuse("its dimensions multiply to more than 2^63");
  const int64_t row = tensor.shape.empty() ? 1 : tensor.shape.back();
  if (row % block.elements != 0)
    reader.refuse("its rows have " + std::to_string(row) + " elements, no multiple of the " +
                  std::to_string(block.elements) + " in a block of " +
                  gguf_type_name(static_cast<uint32_t>(tensor.type)));
  return static_cast<uint64_t>(*elements / block.elements * block.bytes);
}

GgufType type_at(GgufReader& reader) {
  const auto type = reader.number<uint32_t>();
  if (gguf_block(type)) return static_cast<GgufType>(type);
  if (!gguf_type_is_known(type)) reader.refuse("unknown tensor type " + std::to_string(type));
  throw Error(ErrorCode::unsupported, "tensors of type " + gguf_type_name(type) + " cannot be read",
              reader.where(),
              "Take the model in another quantization: Q4_K_M, Q8_0 and BF16 are read");
}

TensorInfo info_at(GgufReader& reader, uint64_t number, uint64_t count) {
  reader.enter("tensor " + std::to_string(number) + " of " + std::to_string(count));
  TensorInfo info;
  info.tensor.name = read_gguf_name(reader, "tensor");
  reader.enter("tensor " + info.tensor.name);
  const auto rank = reader.number<uint32_t>();
  if (rank > kHighestRank) reader.refuse("it claims " + std::to_string(rank) + " dimensions");
  for (uint32_t i = 0; i < rank; ++i) {
    const auto dim = reader.number<uint64_t>();
    if (dim > INT64_MAX) reader.refuse("a dimension is " + std::to_string(dim));
    info.tensor.shape.insert(info.tensor.shape.begin(), static_cast<int64_t>(dim));
  }
  info.tensor.type = type_at(reader);
  info.offset = reader.number<uint64_t>();
  info.size = size_of_tensor(info.tensor, reader);
  return info;
}

// Offsets count from the start of the data; here they become views into the file.
void place(TensorInfo& info, std::span<const std::byte> data, uint64_t alignment,
           GgufReader& reader) {
  reader.enter("tensor " + info.tensor.name);
  if (info.offset % alignment != 0)
    reader.refuse("its offset " + std::to_string(info.offset) +
                  " is no multiple of the alignment " + std::to_string(alignment));
  if (info.offset > data.size() || info.size > data.size() - info.offset)
    reader.refuse("its " + std::to_string(info.size) + " bytes at offset " +
                  std::to_string(info.offset) +
                  " of the data reach beyond the file, whose data has " +
                  std::to_string(data.size()) + " bytes");
  info.tensor.bytes = data.subspan(info.offset, info.size);
}

void require_no_overlap(std::vector<TensorInfo> infos, GgufReader& reader) {
  std::sort(infos.begin(), infos.end(), [](const TensorInfo& a, const TensorInfo& b) {
    return std::pair(a.offset, a.size) < std::pair(b.offset, b.size);
  });
  for (size_t i = 1; i < infos.size(); ++i) {
    if (infos[i - 1].offset + infos[i - 1].size <= infos[i].offset) continue;
    reader.enter("tensor " + infos[i].tensor.name);
    reader.refuse("it overlaps tensor " + infos[i - 1].tensor.name);
  }
}

}  // namespace

int64_t GgufTensor::num_elements() const {
  return *checked_product(shape);
}

GgufFile::GgufFile(const std::filesystem::path& path) : file_(path) {
  GgufReader reader(file_.bytes(), path.string());
  read_version(reader);
  const uint64_t num_tensors = reader.count(kSmallestTensor, "tensors");
  const uint64_t num_keys = reader.count(kSmallestKey, "keys");
  metadata_ = read_gguf_metadata(reader, num_keys);
  reader.enter({});
  const auto alignment = static_cast<uint64_t>(alignment_in(metadata_, reader));
  std::vector<TensorInfo> infos;
  for (uint64_t i = 0; i < num_tensors; ++i) infos.push_back(info_at(reader, i + 1, num_tensors));
  const uint64_t begin = (reader.position() + alignment - 1) / alignment * alignment;
  const auto data = file_.bytes().subspan(std::min<uint64_t>(begin, file_.bytes().size()));
  for (TensorInfo& info : infos) {
    place(info, data, alignment, reader);
    if (!tensors_.emplace(info.tensor.name, info.tensor).second)
      reader.refuse("the tensor stands there twice");
  }
  require_no_overlap(std::move(infos), reader);
}

void GgufFile::refuse_kind(const std::string& key, size_t wanted, size_t found) const {
  constexpr const char* kKinds[] = {
      "an integer",         "a number",          "a boolean",          "a text",
      "a list of integers", "a list of numbers", "a list of booleans", "a list of texts"};
  throw Error(ErrorCode::model,
              std::string(kKinds[wanted]) + " is needed here, not " + kKinds[found],
              path().string() + ", key " + key);
}

void GgufFile::refuse_missing(const std::string& key) const {
  throw Error(ErrorCode::model, "the key is missing", path().string() + ", key " + key);
}

}  // namespace burnish
