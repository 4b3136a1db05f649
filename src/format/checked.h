// Sizes made of numbers that a file claims.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace burnish {

/// The product of the dimensions; nothing where it, or one on the way, does not fit.
inline std::optional<int64_t> checked_product(std::span<const int64_t> dims) {
  int64_t product = 1;
  for (const int64_t dim : dims)
    if (dim < 0 || __builtin_mul_overflow(product, dim, &product)) return std::nullopt;
  return product;
}

}  // namespace burnish
