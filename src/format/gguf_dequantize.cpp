#include <cstring>

#include "base/error.h"
#include "format/gguf.h"
#include "format/gguf_blocks_of_256.h"
#include "format/gguf_blocks_of_32.h"
#include "format/gguf_types.h"

namespace burnish {
namespace {

// A copy of each block: the compiler then knows that `out` does not overlap it.
template <class Block>
void read_blocks(const std::byte* from, std::span<float> out) {
  const size_t count = out.size() / Block::kElements;
  for (size_t i = 0; i < count; ++i) {
    Block block;
    std::memcpy(&block, from + i * sizeof(Block), sizeof(Block));
    read_block(block, out.data() + i * Block::kElements);
  }
}

void require_whole_blocks(const GgufTensor& tensor, const GgufBlock& block, int64_t first,
                          int64_t count) {
  if (first >= 0 && count <= tensor.num_elements() - first && first % block.elements == 0 &&
      count % block.elements == 0)
    return;
  throw Error(ErrorCode::internal,
              std::to_string(count) + " elements from " + std::to_string(first) +
                  " are no whole blocks of it",
              "tensor " + tensor.name);
}

}  // namespace

void dequantize(const GgufTensor& tensor, int64_t first, std::span<float> out) {
  const GgufBlock block = *gguf_block(static_cast<uint32_t>(tensor.type));
  require_whole_blocks(tensor, block, first, static_cast<int64_t>(out.size()));
  if (out.empty()) return;
  const std::byte* from = tensor.bytes.data() + first / block.elements * block.bytes;
  gguf::with_block(tensor.type, [&](auto kind) { read_blocks<decltype(kind)>(from, out); });
}

}  // namespace burnish
