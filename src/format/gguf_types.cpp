#include "format/gguf_types.h"

#include <array>

#include "format/gguf_blocks.h"

namespace burnish {
namespace {

// By number; empty: never given out, or taken back.
constexpr std::array<const char*, 42> kNames = {
    "F32",     "F16",   "Q4_0",   "Q4_1",  "",      "",       "Q5_0", "Q5_1",    "Q8_0",
    "Q8_1",    "Q2_K",  "Q3_K",   "Q4_K",  "Q5_K",  "Q6_K",   "Q8_K", "IQ2_XXS", "IQ2_XS",
    "IQ3_XXS", "IQ1_S", "IQ4_NL", "IQ3_S", "IQ2_S", "IQ4_XS", "I8",   "I16",     "I32",
    "I64",     "F64",   "IQ1_M",  "BF16",  "",      "",       "",     "TQ1_0",   "TQ2_0",
    "",        "",      "",       "MXFP4", "NVFP4", "Q1_0"};

}  // namespace

bool gguf_type_is_known(uint32_t type) {
  return type < kNames.size() && *kNames[type] != '\0';
}

std::string gguf_type_name(uint32_t type) {
  return gguf_type_is_known(type) ? kNames[type] : "type " + std::to_string(type);
}

std::optional<GgufBlock> gguf_block(uint32_t type) {
  std::optional<GgufBlock> found;
  gguf::with_block(static_cast<GgufType>(type), [&](auto block) {
    found = {decltype(block)::kElements, sizeof block};
  });
  return found;
}

}  // namespace burnish
