// Blocks of 32 with a scale in binary16 (ggml's block_q8_0, block_q4_0, block_q4_1). The low halves
// of the 16 bytes of a 4-bit block are its first 16 elements, the high halves its last 16.
#include <cstring>

#include "base/error.h"
#include "format/gguf.h"
#include "format/gguf_types.h"
#include "format/half.h"

namespace burnish {
namespace {

constexpr int kBlock = 32, kHalf = 16;

uint16_t u16_at(const std::byte* bytes) {
  uint16_t value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

void q8_0_block(const std::byte* block, float* out) {
  const float scale = float_of_f16(u16_at(block));
  int8_t quants[kBlock];
  std::memcpy(quants, block + 2, kBlock);
  for (int i = 0; i < kBlock; ++i) out[i] = scale * static_cast<float>(quants[i]);
}

void q4_0_block(const std::byte* block, float* out) {
  const float scale = float_of_f16(u16_at(block));
  uint8_t pairs[kHalf];
  std::memcpy(pairs, block + 2, kHalf);
  for (int i = 0; i < kHalf; ++i) {
    out[i] = scale * static_cast<float>((pairs[i] & 0xF) - 8);
    out[i + kHalf] = scale * static_cast<float>((pairs[i] >> 4) - 8);
  }
}

void q4_1_block(const std::byte* block, float* out) {
  const float scale = float_of_f16(u16_at(block)), least = float_of_f16(u16_at(block + 2));
  uint8_t pairs[kHalf];
  std::memcpy(pairs, block + 4, kHalf);
  for (int i = 0; i < kHalf; ++i) {
    out[i] = scale * static_cast<float>(pairs[i] & 0xF) + least;
    out[i + kHalf] = scale * static_cast<float>(pairs[i] >> 4) + least;
  }
}

void f16_block(const std::byte* block, float* out) {
  *out = float_of_f16(u16_at(block));
}

void bf16_block(const std::byte* block, float* out) {
  *out = float_of_bf16(u16_at(block));
}

// `read` is a constant: each kind gets a loop of its own with the block inlined.
template <int Elements, int Bytes, void (*read)(const std::byte*, float*)>
void blocks(const std::byte* from, std::span<float> out) {
  const size_t count = out.size() / Elements;
  for (size_t i = 0; i < count; ++i) read(from + i * Bytes, out.data() + i * Elements);
}

}  // namespace

void dequantize(const GgufTensor& tensor, int64_t first, std::span<float> out) {
  const GgufBlock block = *gguf_block(static_cast<uint32_t>(tensor.type));
  const auto count = static_cast<int64_t>(out.size());
  if (first < 0 || count > tensor.num_elements() - first || first % block.elements != 0 ||
      count % block.elements != 0)
    throw Error(ErrorCode::internal,
                std::to_string(count) + " elements from " + std::to_string(first) +
                    " are no whole blocks of it",
                "tensor " + tensor.name);
  if (out.empty()) return;
  const std::byte* from = tensor.bytes.data() + first / block.elements * block.bytes;
  switch (tensor.type) {
    case GgufType::F32:
      std::memcpy(out.data(), from, out.size_bytes());
      return;
    case GgufType::F16:
      return blocks<1, 2, f16_block>(from, out);
    case GgufType::BF16:
      return blocks<1, 2, bf16_block>(from, out);
    case GgufType::Q8_0:
      return blocks<32, 34, q8_0_block>(from, out);
    case GgufType::Q4_0:
      return blocks<32, 18, q4_0_block>(from, out);
    case GgufType::Q4_1:
      return blocks<32, 20, q4_1_block>(from, out);
  }
}

}  // namespace burnish
