// The elements of one block of 256 (the K kinds and IQ4_XS), in the order of operations of the
// `gguf` package: a group's scale is rounded to float32 before it meets its quants.
#pragma once

#include "format/gguf_blocks.h"
#include "format/gguf_blocks_of_32.h"

namespace burnish::gguf {

/// Layer `layer` of a byte whose layers have `bits` bits each.
inline int layer_of(uint8_t byte, int layer, int bits) {
  return byte >> layer * bits & ((1 << bits) - 1);
}

inline void read_block(const Q2_K& block, float* out) {
  const float scale = half_of(block.scale), least = half_of(block.least);
  for (int group = 0; group < 16; ++group) {
    const float group_scale = scale * static_cast<float>(block.scales[group] & 15);
    const float group_least = least * static_cast<float>(block.scales[group] >> 4);
    // 8 groups a half: in pairs that share a layer of its 32 bytes
    const uint8_t* quants = block.quants + group / 8 * 32 + group % 2 * 16;
    for (int i = 0; i < 16; ++i)
      out[group * 16 + i] =
          group_scale * static_cast<float>(layer_of(quants[i], group % 8 / 2, 2)) - group_least;
  }
}

/// Scale `group` of Q3_K's 16: four bits in the first 8 bytes (the low halves first), two in the
/// last 4 (layer by layer); -32 to 31.
inline int q3_scale(const uint8_t (&scales)[12], int group) {
  const int low = layer_of(scales[group % 8], group / 8, 4);
  const int high = layer_of(scales[8 + group % 4], group / 4, 2);
  return (low | high << 4) - 32;
}

inline void read_block(const Q3_K& block, float* out) {
  const float scale = half_of(block.scale);
  for (int group = 0; group < 16; ++group) {
    const float group_scale = scale * static_cast<float>(q3_scale(block.scales, group));
    const uint8_t* quants = block.quants + group / 8 * 32 + group % 2 * 16;
    const uint8_t* third_bits = block.third_bits + group % 2 * 16;
    for (int i = 0; i < 16; ++i) {
      const int number =
          layer_of(quants[i], group % 8 / 2, 2) | layer_of(third_bits[i], group / 2, 1) << 2;
      out[group * 16 + i] = group_scale * static_cast<float>(number - 4);
    }
  }
}

struct ScaleAndLeast {
  int scale, least;  // 6 bits each
};

/// Of group 0 to 7 of Q4_K and Q5_K: the first 4 groups have bytes of their own for each; the
/// others share the last 4 bytes (4 bits each), their 2 highest bits above those of the first.
inline ScaleAndLeast scale_and_least(const uint8_t (&scales)[12], int group) {
  if (group < 4) return {scales[group] & 63, scales[4 + group] & 63};
  const uint8_t shared = scales[4 + group];
  return {(shared & 15) | scales[group - 4] >> 6 << 4, shared >> 4 | scales[group] >> 6 << 4};
}

inline void read_block(const Q4_K& block, float* out) {
  const float scale = half_of(block.scale), least = half_of(block.least);
  for (int group = 0; group < 8; ++group) {
    const ScaleAndLeast own = scale_and_least(block.scales, group);
    const float group_scale = scale * static_cast<float>(own.scale);
    const float group_least = least * static_cast<float>(own.least);
    const uint8_t* quants = block.quants + group / 2 * 32;
    for (int i = 0; i < 32; ++i)
      out[group * 32 + i] =
          group_scale * static_cast<float>(layer_of(quants[i], group % 2, 4)) - group_least;
  }
}

inline void read_block(const Q5_K& block, float* out) {
  const float scale = half_of(block.scale), least = half_of(block.least);
  for (int group = 0; group < 8; ++group) {
    const ScaleAndLeast own = scale_and_least(block.scales, group);
    const float group_scale = scale * static_cast<float>(own.scale);
    const float group_least = least * static_cast<float>(own.least);
    const uint8_t* quants = block.quants + group / 2 * 32;
    for (int i = 0; i < 32; ++i) {
      const int number = layer_of(quants[i], group % 2, 4) | layer_of(block.fifth_bits[i], group, 1)
                                                                 << 4;
      out[group * 32 + i] = group_scale * static_cast<float>(number) - group_least;
    }
  }
}

inline void read_block(const Q6_K& block, float* out) {
  const float scale = half_of(block.scale);
  for (int group = 0; group < 16; ++group) {
    const float group_scale = scale * static_cast<float>(block.scales[group]);
    // 8 groups a half: 4 in each layer of 64 bytes, 2 in each layer of 32
    const uint8_t* low = block.low_bits + group / 8 * 64 + group % 4 * 16;
    const uint8_t* high = block.high_bits + group / 8 * 32 + group % 2 * 16;
    for (int i = 0; i < 16; ++i) {
      const int number = layer_of(low[i], group % 8 / 4, 4) | layer_of(high[i], group % 8 / 2, 2)
                                                                  << 4;
      out[group * 16 + i] = group_scale * static_cast<float>(number - 32);
    }
  }
}

inline void read_block(const IQ4_XS& block, float* out) {
  const float scale = half_of(block.scale);
  const int scales_high = u16_of(block.scales_high);
  for (int group = 0; group < 8; ++group) {
    const int low = layer_of(block.scales_low[group / 2], group % 2, 4);
    const int own = (low | (scales_high >> 2 * group & 3) << 4) - 32;
    read_levels(block.quants + group * 16, scale * static_cast<float>(own), out + group * 32);
  }
}

}  // namespace burnish::gguf
