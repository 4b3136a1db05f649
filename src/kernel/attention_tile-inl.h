// Tiles of attention scores, shared by the forward and the backward pass.
#if defined(BURNISH_KERNEL_ATTENTION_TILE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef BURNISH_KERNEL_ATTENTION_TILE_INL_H
#undef BURNISH_KERNEL_ATTENTION_TILE_INL_H
#else
#define BURNISH_KERNEL_ATTENTION_TILE_INL_H
#endif

#include "kernel/attention_cpu.h"
#include "kernel/tile_product-inl.h"

HWY_BEFORE_NAMESPACE();
namespace burnish::cpu::HWY_NAMESPACE {

/// Queries and keys of a tile: its scores (16 KiB), and q, k and v of 64 channels, fit into the
/// caches.
constexpr int64_t tile = 64;

/// Where a tile stands: queries [query, query + rows) and keys [key, key + columns) of a span.
struct TilePlace {
  int64_t query, rows, key, columns, history;
  /// How many of the tile's keys its query i sees (none: at most 0).
  int64_t visible(int64_t i) const { return std::min(columns, query + i + history - key + 1); }
  /// The first of the tile's queries that sees its key j.
  int64_t first_query(int64_t j) const { return std::max<int64_t>(0, key + j - history - query); }
};

/// scores[i, j] = q_i . k_j for all visible j (and some beyond), with k given as [D, tile].
HWY_INLINE void score_tile(const TilePlace& at, LeftTile q, const float* transposed_k, int64_t D,
                           float* scores) {
  for (int64_t i = 0; i < at.rows; i += register_rows) {
    const int64_t rows = std::min(register_rows, at.rows - i);
    const int64_t lanes = hn::Lanes(F());
    const int64_t columns = hwy::RoundUpTo(std::max<int64_t>(0, at.visible(i + rows - 1)), lanes);
    row_block_product(rows, q.down(i), {transposed_k, tile}, {scores + i * tile, tile}, D,
                      std::min(columns, tile), false);
  }
}

/// out_i += sum over visible j of p[i, j] right_j. p is zero where j is not visible.
HWY_INLINE void add_over_keys(const TilePlace& at, const float* p, RightTile right, int64_t D,
                              OutputTile out) {
  for (int64_t i = 0; i < at.rows; i += register_rows) {
    const int64_t rows = std::min(register_rows, at.rows - i);
    row_block_product(rows, {p + i * tile, tile, 1}, right, out.down(i),
                      std::max<int64_t>(0, at.visible(i + rows - 1)), D, true);
  }
}

/// out_j += sum over the queries i that see j of p[i, j] right_i.
HWY_INLINE void add_over_queries(const TilePlace& at, const float* p, RightTile right, int64_t D,
                                 OutputTile out) {
  for (int64_t j = 0; j < at.columns; j += register_rows) {
    const int64_t columns = std::min(register_rows, at.columns - j);
    const int64_t first = at.first_query(j);
    if (first >= at.rows) return;
    row_block_product(columns, LeftTile{p + first * tile + j, 1, tile}, right.down(first),
                      out.down(j), at.rows - first, D, true);
  }
}

}  // namespace burnish::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
