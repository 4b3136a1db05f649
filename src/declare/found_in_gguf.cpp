#include "declare/found_tensor.h"
#include "declare/gguf_names.h"
#include "format/gguf.h"

namespace burnish {
namespace {

constexpr const char* kRopeTable = "rope_freqs.weight";  // read with the config

std::optional<DType> plain_dtype(GgufType type) {
  switch (type) {
    case GgufType::F32:
      return DType::f32;
    case GgufType::F16:
      return DType::f16;
    case GgufType::BF16:
      return DType::bf16;
    default:
      return std::nullopt;
  }
}

// Row by row, each from where the converter put it. The shape was held against the declaration.
void read_permuted(const GgufTensor& tensor, int64_t head_dim, std::span<float> out) {
  const int64_t rows = tensor.shape.front();
  const int64_t width = static_cast<int64_t>(out.size()) / rows;
  for (int64_t row = 0; row < rows; ++row)
    dequantize(tensor, gguf_row_of(row, head_dim) * width,
               out.subspan(static_cast<size_t>(row * width), static_cast<size_t>(width)));
}

bool is_permuted(const std::string& hf_name) {
  return hf_name.find(".self_attn.q_proj.") != std::string::npos ||
         hf_name.find(".self_attn.k_proj.") != std::string::npos;
}

FoundTensor found_tensor(const GgufFile& file, const GgufTensor& tensor, bool permuted,
                         int64_t head_dim) {
  const std::optional<DType> dtype = plain_dtype(tensor.type);
  const GgufTensor* stored = &tensor;
  FoundTensor found{tensor.shape,
                    dtype.value_or(DType::f32),
                    gguf_type_name(static_cast<uint32_t>(tensor.type)),
                    {},
                    &file.file(),
                    tensor.bytes,
                    dtype && !permuted};
  if (permuted)
    found.read = [stored, head_dim](std::span<float> out) {
      read_permuted(*stored, head_dim, out);
    };
  else
    found.read = [stored](std::span<float> out) { dequantize(*stored, 0, out); };
  return found;
}

}  // namespace

FoundTensors found_in_gguf(const std::filesystem::path& path, const ModelConfig& config) {
  const auto file = std::make_shared<const GgufFile>(path);
  FoundTensors found{file, {}, {}};
  for (const auto& [name, tensor] : file->tensors()) {
    if (name == kRopeTable) continue;
    const std::string hf_name = hf_name_of_gguf(name).value_or(name);
    found.tensors[hf_name] = found_tensor(*file, tensor, is_permuted(hf_name), config.head_dim);
  }
  return found;
}

FoundTensors stored_in_gguf(const std::filesystem::path& path) {
  const auto file = std::make_shared<const GgufFile>(path);
  FoundTensors found{file, {}, {}};
  for (const auto& [name, tensor] : file->tensors())
    found.tensors[name] = found_tensor(*file, tensor, false, 0);
  return found;
}

}  // namespace burnish
