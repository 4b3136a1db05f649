#include <cstring>

#include "base/error.h"
#include "declare/found_tensor.h"
#include "format/half.h"
#include "format/safetensors.h"

namespace burnish {
namespace {

float float_of_double(double value) {
  return static_cast<float>(value);
}

// Tensors of a file start anywhere: no element may be read in place.
template <class Stored, float (*convert)(Stored)>
void convert_all(std::span<const std::byte> bytes, std::span<float> out) {
  const std::byte* from = bytes.data();
  for (size_t i = 0; i < out.size(); ++i) {
    Stored element;
    std::memcpy(&element, from + i * sizeof(Stored), sizeof(Stored));
    out[i] = convert(element);
  }
}

void read_stored(const StoredTensor& tensor, std::span<float> out) {
  switch (tensor.dtype) {
    case DType::f32:
      if (!out.empty()) std::memcpy(out.data(), tensor.bytes.data(), out.size_bytes());
      return;
    case DType::f16:
      return convert_all<uint16_t, float_of_f16>(tensor.bytes, out);
    case DType::bf16:
      return convert_all<uint16_t, float_of_bf16>(tensor.bytes, out);
    case DType::f64:
      return convert_all<double, float_of_double>(tensor.bytes, out);
    default:
      throw Error(ErrorCode::internal, "integers are no weights", "tensor " + tensor.name);
  }
}

}  // namespace

FoundTensors found_in_folder(const std::filesystem::path& path) {
  const auto folder = std::make_shared<const SafetensorsFolder>(path);
  FoundTensors found{folder, {}, folder->warnings()};
  for (const SafetensorsFile& file : folder->files())
    for (const StoredTensor& tensor : file.tensors()) {
      const auto taken = folder->tensors().find(tensor.name);
      if (taken == folder->tensors().end() || taken->second.bytes.data() != tensor.bytes.data())
        continue;  // not where the index says
      const StoredTensor* stored = &taken->second;
      found.tensors[tensor.name] = {stored->shape,
                                    stored->dtype,
                                    std::string(safetensors_name(stored->dtype)),
                                    [stored](std::span<float> out) { read_stored(*stored, out); },
                                    &file.file(),
                                    stored->bytes};
    }
  return found;
}

}  // namespace burnish
