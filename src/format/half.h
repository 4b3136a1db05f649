// The 16-bit floating point kinds, exactly, in plain arithmetic that a compiler vectorizes.
#pragma once

#include <bit>
#include <cstdint>

namespace burnish {

/// bfloat16: the upper half of a float32.
inline float float_of_bf16(uint16_t bits) {
  return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16);
}

/// IEEE 754 binary16, subnormals, infinities and NaN included.
inline float float_of_f16(uint16_t bits) {
  const uint32_t exponent = (bits >> 10) & 0x1F;
  const uint32_t fraction = bits & 0x3FF;
  const uint32_t bias = exponent == 31 ? 224 : 112;  // an exponent of all ones stays all ones
  const uint32_t normal = ((exponent + bias) << 23) | (fraction << 13);
  const auto subnormal = std::bit_cast<uint32_t>(static_cast<float>(fraction) * 0x1p-24F);
  const uint32_t sign = static_cast<uint32_t>(bits & 0x8000) << 16;
  return std::bit_cast<float>((exponent == 0 ? subnormal : normal) | sign);
}

}  // namespace burnish
