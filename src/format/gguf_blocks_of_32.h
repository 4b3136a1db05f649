// The elements of one block of 32, or of a single number, in the order of operations of the `gguf`
// package. The low halves of the 16 bytes of quants are elements 0 to 15, the high halves the rest.
#pragma once

#include <cstring>

#include "format/gguf_blocks.h"
#include "format/half.h"

namespace burnish::gguf {

inline uint16_t u16_of(const uint8_t (&bytes)[2]) {
  uint16_t value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

inline float half_of(const uint8_t (&bytes)[2]) {
  return float_of_f16(u16_of(bytes));
}

inline void read_block(const F32& block, float* out) {
  std::memcpy(out, block.value, sizeof *out);
}

inline void read_block(const F16& block, float* out) {
  *out = half_of(block.value);
}

inline void read_block(const BF16& block, float* out) {
  *out = float_of_bf16(u16_of(block.value));
}

inline void read_block(const Q8_0& block, float* out) {
  const float scale = half_of(block.scale);
  for (int i = 0; i < 32; ++i) out[i] = scale * static_cast<float>(block.quants[i]);
}

inline void read_block(const Q4_0& block, float* out) {
  const float scale = half_of(block.scale);
  for (int i = 0; i < 16; ++i) {
    out[i] = scale * static_cast<float>((block.quants[i] & 15) - 8);
    out[i + 16] = scale * static_cast<float>((block.quants[i] >> 4) - 8);
  }
}

inline void read_block(const Q4_1& block, float* out) {
  const float scale = half_of(block.scale), least = half_of(block.least);
  for (int i = 0; i < 16; ++i) {
    out[i] = scale * static_cast<float>(block.quants[i] & 15) + least;
    out[i + 16] = scale * static_cast<float>(block.quants[i] >> 4) + least;
  }
}

/// Quants of 5 bits: four in `quants`, the fifth in a word of its own.
inline void read_five_bits(const uint8_t (&quants)[16], const uint8_t (&fifth_bits)[4],
                           int (&numbers)[32]) {
  for (int i = 0; i < 16; ++i) {
    numbers[i] = (quants[i] & 15) | (fifth_bits[i / 8] >> i % 8 & 1) << 4;
    numbers[i + 16] = quants[i] >> 4 | (fifth_bits[2 + i / 8] >> i % 8 & 1) << 4;
  }
}

inline void read_block(const Q5_0& block, float* out) {
  const float scale = half_of(block.scale);
  int numbers[32];
  read_five_bits(block.quants, block.fifth_bits, numbers);
  for (int i = 0; i < 32; ++i) out[i] = scale * static_cast<float>(numbers[i] - 16);
}

inline void read_block(const Q5_1& block, float* out) {
  const float scale = half_of(block.scale), least = half_of(block.least);
  int numbers[32];
  read_five_bits(block.quants, block.fifth_bits, numbers);
  for (int i = 0; i < 32; ++i) out[i] = scale * static_cast<float>(numbers[i]) + least;
}

/// The levels that the IQ4 kinds number: close together around zero, where most weights are.
constexpr float kLevels[16] = {-127, -104, -83, -65, -49, -35, -22, -10,
                               1,    13,   25,  38,  53,  69,  89,  113};

/// 32 elements from 16 bytes.
inline void read_levels(const uint8_t* quants, float scale, float* out) {
  for (int i = 0; i < 16; ++i) {
    out[i] = scale * kLevels[quants[i] & 15];
    out[i + 16] = scale * kLevels[quants[i] >> 4];
  }
}

inline void read_block(const IQ4_NL& block, float* out) {
  read_levels(block.quants, half_of(block.scale), out);
}

}  // namespace burnish::gguf
