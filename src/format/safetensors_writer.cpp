#include <algorithm>
#include <set>

#include "base/error.h"
#include "base/hash.h"
#include "format/checked.h"
#include "format/json.h"
#include "format/safetensors.h"

namespace burnish {
namespace {
using json = nlohmann::ordered_json;

constexpr size_t kAlignment = 8;

uint64_t bytes_of(const TensorToWrite& tensor) {
  std::vector<int64_t> factors = tensor.shape;
  factors.push_back(static_cast<int64_t>(size_of(tensor.dtype)));
  const auto bytes = checked_product(factors);
  if (!bytes)
    throw Error(ErrorCode::internal, "shape " + shape_text(tensor.shape) + " is impossible",
                "tensor " + tensor.name);
  return static_cast<uint64_t>(*bytes);
}

// Wide elements first, so that every tensor starts at a multiple of its element size.
std::vector<const TensorToWrite*> in_file_order(const std::vector<TensorToWrite>& tensors) {
  std::vector<const TensorToWrite*> order;
  for (const TensorToWrite& tensor : tensors) order.push_back(&tensor);
  std::stable_sort(order.begin(), order.end(), [](const auto* a, const auto* b) {
    return size_of(a->dtype) > size_of(b->dtype);
  });
  return order;
}

std::string header_text(const std::vector<const TensorToWrite*>& order,
                        const std::map<std::string, std::string>& metadata) {
  json header = json::object();
  if (!metadata.empty()) header["__metadata__"] = metadata;
  std::set<std::string> names;
  uint64_t begin = 0;
  for (const TensorToWrite* tensor : order) {
    if (!names.insert(tensor->name).second || tensor->name == "__metadata__")
      throw Error(ErrorCode::internal, "two tensors of one name", "tensor " + tensor->name);
    const uint64_t end = begin + bytes_of(*tensor);
    header.push_back({tensor->name,
                      {{"dtype", safetensors_name(tensor->dtype)},
                       {"shape", tensor->shape},
                       {"data_offsets", {begin, end}}}});
    begin = end;
  }
  std::string text = header.dump();
  text.resize((text.size() + kAlignment - 1) / kAlignment * kAlignment, ' ');
  return text;
}

std::string little_endian(uint64_t number) {
  std::string bytes;
  for (int i = 0; i < 8; ++i) bytes += static_cast<char>(number >> (8 * i) & 0xFF);
  return bytes;
}

// The file and its hash grow together.
class HashedFile {
 public:
  explicit HashedFile(const std::filesystem::path& path) : file_(path) {}
  void write(std::span<const std::byte> bytes) {
    file_.write(bytes);
    hash_.update(bytes);
  }
  std::string commit() {
    file_.commit();
    return hash_.hex();
  }

 private:
  AtomicFile file_;
  Hash hash_{HashKind::sha256};
};

}  // namespace

std::string write_safetensors(const std::filesystem::path& path,
                              const std::vector<TensorToWrite>& tensors,
                              const std::map<std::string, std::string>& metadata) {
  const std::vector<const TensorToWrite*> order = in_file_order(tensors);
  const std::string header = header_text(order, metadata);
  HashedFile file(path);
  const std::string length = little_endian(header.size());
  file.write(std::as_bytes(std::span(length)));
  file.write(std::as_bytes(std::span(header)));
  for (const TensorToWrite* tensor : order) {
    uint64_t written = 0;
    tensor->fill([&](std::span<const std::byte> piece) {
      file.write(piece);
      written += piece.size();
    });
    if (written != bytes_of(*tensor))
      throw Error(ErrorCode::internal,
                  std::to_string(written) + " bytes were written for a tensor of " +
                      std::to_string(bytes_of(*tensor)),
                  "tensor " + tensor->name);
  }
  return file.commit();
}

}  // namespace burnish
