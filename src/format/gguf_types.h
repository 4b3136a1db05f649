// The element types of GGUF: names, and the size of a block.
#pragma once

#include <cstdint>
#include <optional>

#include "format/gguf.h"

namespace burnish {

struct GgufBlock {
  int64_t elements, bytes;
};

/// Nothing for a type that cannot be read here.
std::optional<GgufBlock> gguf_block(uint32_t type);

/// True for the numbers that the format has given a meaning.
bool gguf_type_is_known(uint32_t type);

}  // namespace burnish
