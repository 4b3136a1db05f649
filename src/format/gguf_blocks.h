// The blocks in which GGUF keeps elements, byte by byte as in the file (ggml's block_* structs).
// Scales are binary16, little-endian. Quants of fewer bits than a byte lie in layers: the lowest
// bits of a run of bytes are its first elements, the next bits those that follow.
#pragma once

#include <cstdint>

#include "format/gguf.h"

namespace burnish::gguf {

constexpr int kSuperBlock = 256;  // of the K kinds: groups of 16 or 32 with scales of their own

struct F32 {
  static constexpr int kElements = 1;
  uint8_t value[4];
};

struct F16 {
  static constexpr int kElements = 1;
  uint8_t value[2];
};

struct BF16 {
  static constexpr int kElements = 1;
  uint8_t value[2];
};

struct Q4_0 {
  static constexpr int kElements = 32;
  uint8_t scale[2];
  uint8_t quants[16];
};

struct Q4_1 {
  static constexpr int kElements = 32;
  uint8_t scale[2], least[2];
  uint8_t quants[16];
};

struct Q5_0 {
  static constexpr int kElements = 32;
  uint8_t scale[2];
  uint8_t fifth_bits[4];  // bit i: of element i
  uint8_t quants[16];
};

struct Q5_1 {
  static constexpr int kElements = 32;
  uint8_t scale[2], least[2];
  uint8_t fifth_bits[4];
  uint8_t quants[16];
};

struct Q8_0 {
  static constexpr int kElements = 32;
  uint8_t scale[2];
  int8_t quants[32];
};

struct IQ4_NL {
  static constexpr int kElements = 32;
  uint8_t scale[2];
  uint8_t quants[16];  // numbers of levels
};

struct Q2_K {
  static constexpr int kElements = kSuperBlock;
  uint8_t scales[16];  // of 16 elements each: 4 bits times `scale`, above them 4 times `least`
  uint8_t quants[64];  // 32 bytes for each half
  uint8_t scale[2], least[2];
};

struct Q3_K {
  static constexpr int kElements = kSuperBlock;
  uint8_t third_bits[32];  // bit g of byte i: of element 32 g + i
  uint8_t quants[64];      // 32 bytes for each half
  uint8_t scales[12];      // 16 of 6 bits, of 16 elements each
  uint8_t scale[2];
};

struct Q4_K {
  static constexpr int kElements = kSuperBlock;
  uint8_t scale[2], least[2];
  uint8_t scales[12];  // 8 of 6 bits and 8 least ones, of 32 elements each
  uint8_t quants[128];
};

struct Q5_K {
  static constexpr int kElements = kSuperBlock;
  uint8_t scale[2], least[2];
  uint8_t scales[12];      // as in Q4_K
  uint8_t fifth_bits[32];  // bit g of byte i: of element 32 g + i
  uint8_t quants[128];
};

struct Q6_K {
  static constexpr int kElements = kSuperBlock;
  uint8_t low_bits[128];  // 4 bits; 64 bytes for each half
  uint8_t high_bits[64];  // 2 bits; 32 bytes for each half
  int8_t scales[16];      // of 16 elements each
  uint8_t scale[2];
};

struct IQ4_XS {
  static constexpr int kElements = kSuperBlock;
  uint8_t scale[2];
  uint8_t scales_high[2];  // 8 of 2 bits
  uint8_t scales_low[4];   // 8 of 4 bits, of 32 elements each
  uint8_t quants[128];     // numbers of levels
};

static_assert(sizeof(Q4_0) == 18 && sizeof(Q4_1) == 20 && sizeof(Q5_0) == 22 && sizeof(Q5_1) == 24);
static_assert(sizeof(Q8_0) == 34 && sizeof(IQ4_NL) == 18 && sizeof(IQ4_XS) == 136);
static_assert(sizeof(Q2_K) == 84 && sizeof(Q3_K) == 110 && sizeof(Q4_K) == 144);
static_assert(sizeof(Q5_K) == 176 && sizeof(Q6_K) == 210);

/// Calls `visit` with an empty block of the type; false for a type that cannot be read.
template <class Visit>
bool with_block(GgufType type, const Visit& visit) {
  switch (type) {
    case GgufType::F32:
      visit(F32());
      return true;
    case GgufType::F16:
      visit(F16());
      return true;
    case GgufType::BF16:
      visit(BF16());
      return true;
    case GgufType::Q4_0:
      visit(Q4_0());
      return true;
    case GgufType::Q4_1:
      visit(Q4_1());
      return true;
    case GgufType::Q5_0:
      visit(Q5_0());
      return true;
    case GgufType::Q5_1:
      visit(Q5_1());
      return true;
    case GgufType::Q8_0:
      visit(Q8_0());
      return true;
    case GgufType::Q2_K:
      visit(Q2_K());
      return true;
    case GgufType::Q3_K:
      visit(Q3_K());
      return true;
    case GgufType::Q4_K:
      visit(Q4_K());
      return true;
    case GgufType::Q5_K:
      visit(Q5_K());
      return true;
    case GgufType::Q6_K:
      visit(Q6_K());
      return true;
    case GgufType::IQ4_NL:
      visit(IQ4_NL());
      return true;
    case GgufType::IQ4_XS:
      visit(IQ4_XS());
      return true;
  }
  return false;
}

}  // namespace burnish::gguf
