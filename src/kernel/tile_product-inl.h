// Products of tiles that fit into the caches: C (+)= A B with A read element by element at any
// strides, B and C by rows. Attention's six products are all of this form.
#if defined(BURNISH_KERNEL_TILE_PRODUCT_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef BURNISH_KERNEL_TILE_PRODUCT_INL_H
#undef BURNISH_KERNEL_TILE_PRODUCT_INL_H
#else
#define BURNISH_KERNEL_TILE_PRODUCT_INL_H
#endif

#include <algorithm>

#include "kernel/vector-inl.h"

HWY_BEFORE_NAMESPACE();
namespace burnish::cpu::HWY_NAMESPACE {

/// Rows of the register tile: with two vectors a row, and three more for operands, AVX-512's 32
/// registers and AVX2's 16 are full.
constexpr int64_t register_rows = HWY_TARGET <= HWY_AVX3 ? 12 : 6;

/// Element (i, k) of A is data[i * row + k * depth].
struct LeftTile {
  const float* data;
  int64_t row, depth;
  LeftTile down(int64_t rows) const { return {data + rows * row, row, depth}; }
  LeftTile right(int64_t columns) const { return {data + columns * depth, row, depth}; }
};

/// Rows of B, `row` floats apart.
struct RightTile {
  const float* data;
  int64_t row;
  RightTile down(int64_t rows) const { return {data + rows * row, row}; }
};

struct OutputTile {
  float* data;
  int64_t row;
  OutputTile down(int64_t rows) const { return {data + rows * row, row}; }
};

template <int rows, class Piece>
HWY_INLINE void product_of_one_vector(LeftTile a, const float* b, int64_t b_row, float* c,
                                      int64_t c_row, int64_t depth, bool add, Piece at) {
  VF sum[rows];
#pragma GCC unroll 16
  for (int i = 0; i < rows; ++i) sum[i] = add ? at.load(c + i * c_row) : hn::Zero(F());
  for (int64_t k = 0; k < depth; ++k) {
    const VF right = at.load(b + k * b_row);
#pragma GCC unroll 16
    for (int i = 0; i < rows; ++i)
      sum[i] = hn::MulAdd(hn::Set(F(), a.data[i * a.row + k * a.depth]), right, sum[i]);
  }
#pragma GCC unroll 16
  for (int i = 0; i < rows; ++i) at.store(sum[i], c + i * c_row);
}

template <int rows>
HWY_INLINE void product_of_two_vectors(LeftTile a, const float* b, int64_t b_row, float* c,
                                       int64_t c_row, int64_t depth, bool add) {
  const F d;
  const int64_t lanes = hn::Lanes(d);
  VF first[rows], second[rows];
#pragma GCC unroll 16
  for (int i = 0; i < rows; ++i) {
    first[i] = add ? hn::LoadU(d, c + i * c_row) : hn::Zero(d);
    second[i] = add ? hn::LoadU(d, c + i * c_row + lanes) : hn::Zero(d);
  }
  for (int64_t k = 0; k < depth; ++k) {
    const VF right_first = hn::LoadU(d, b), right_second = hn::LoadU(d, b + lanes);
    b += b_row;
#pragma GCC unroll 16
    for (int i = 0; i < rows; ++i) {
      const VF left = hn::Set(d, a.data[i * a.row]);
      first[i] = hn::MulAdd(left, right_first, first[i]);
      second[i] = hn::MulAdd(left, right_second, second[i]);
    }
    a.data += a.depth;
  }
#pragma GCC unroll 16
  for (int i = 0; i < rows; ++i) {
    hn::StoreU(first[i], d, c + i * c_row);
    hn::StoreU(second[i], d, c + i * c_row + lanes);
  }
}

template <int rows>
HWY_NOINLINE void product_rows(LeftTile a, RightTile b, OutputTile c, int64_t depth,
                               int64_t columns, bool add) {
  const int64_t lanes = hn::Lanes(F());
  int64_t j = 0;
  for (; j + 2 * lanes <= columns; j += 2 * lanes)
    product_of_two_vectors<rows>(a, b.data + j, b.row, c.data + j, c.row, depth, add);
  for_vectors(j, columns, [&](auto at) HWY_ATTR {
    product_of_one_vector<rows>(a, b.data, b.row, c.data, c.row, depth, add, at);
  });
}

/// C[rows, columns] = A[rows, depth] B[depth, columns], added to C with `add`; at most
/// `register_rows` rows.
HWY_INLINE void row_block_product(int64_t rows, LeftTile a, RightTile b, OutputTile c,
                                  int64_t depth, int64_t columns, bool add) {
  if constexpr (register_rows > 6) {
    if (rows == register_rows) return product_rows<register_rows>(a, b, c, depth, columns, add);
  }
  int64_t i = 0;
  const auto step = [&](auto count) HWY_ATTR {
    for (; i + count() <= rows; i += count())
      product_rows<count()>(a.down(i), b, c.down(i), depth, columns, add);
  };
  step(std::integral_constant<int, 6>());
  step(std::integral_constant<int, 4>());
  step(std::integral_constant<int, 2>());
  step(std::integral_constant<int, 1>());
}

/// to[j * to_row + i] = from[i * from_row + j] for i < rows, j < columns; the rest of each row of
/// `to` up to `to_row` becomes zero.
HWY_INLINE void transpose(const float* from, int64_t from_row, int64_t rows, int64_t columns,
                          float* to, int64_t to_row) {
  for (int64_t j = 0; j < columns; ++j)
    std::fill(to + j * to_row + rows, to + (j + 1) * to_row, 0.0f);
  constexpr int64_t block = 8;  // both sides of a block stay in the first-level cache
  for (int64_t i = 0; i < rows; i += block)
    for (int64_t j = 0; j < columns; ++j)
      for (int64_t k = i; k < std::min(rows, i + block); ++k)
        to[j * to_row + k] = from[k * from_row + j];
}

}  // namespace burnish::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
