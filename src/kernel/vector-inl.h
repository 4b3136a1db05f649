// What the CPU kernels share, once for each instruction set: walking a row in vectors, reductions,
// and the exponential function.
#if defined(BURNISH_KERNEL_VECTOR_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef BURNISH_KERNEL_VECTOR_INL_H
#undef BURNISH_KERNEL_VECTOR_INL_H
#else
#define BURNISH_KERNEL_VECTOR_INL_H
#endif

#include <cstdint>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace burnish::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using F = hn::ScalableTag<float>;
using VF = hn::Vec<F>;

/// A full vector at element `i` of a row.
struct WholeVector {
  int64_t i;
  HWY_INLINE VF load(const float* row) const { return hn::LoadU(F(), row + i); }
  HWY_INLINE void store(VF v, float* row) const { hn::StoreU(v, F(), row + i); }
  HWY_INLINE VF only(VF v) const { return v; }
};

/// The last, shorter piece of a row: absent lanes load as zero and are not stored.
struct PartOfVector {
  int64_t i;
  hn::Mask<F> mask;
  HWY_INLINE VF load(const float* row) const { return hn::MaskedLoad(mask, F(), row + i); }
  HWY_INLINE void store(VF v, float* row) const { hn::BlendedStore(v, mask, F(), row + i); }
  /// Zero in the lanes that the row does not have.
  HWY_INLINE VF only(VF v) const { return hn::IfThenElseZero(mask, v); }
};

/// Calls `body` for each piece of elements [begin, end).
template <class Body>
HWY_INLINE void for_vectors(int64_t begin, int64_t end, const Body& body) {
  const int64_t lanes = hn::Lanes(F());
  int64_t i = begin;
  for (; i + lanes <= end; i += lanes) body(WholeVector{i});
  if (i < end) body(PartOfVector{i, hn::FirstN(F(), static_cast<size_t>(end - i))});
}

HWY_INLINE float sum_of_lanes(VF v) {
  return hn::GetLane(hn::SumOfLanes(F(), v));
}
HWY_INLINE float max_of_lanes(VF v) {
  return hn::GetLane(hn::MaxOfLanes(F(), v));
}

/// e^x for x <= 88, NaN for NaN. Below -87, where the result would leave fp32's normal range: 0.
/// x = n ln 2 + r, |r| <= ln 2 / 2; e^r by its own minimax polynomial (relative error 3e-9), so
/// that rounding alone remains: at most 2 units in the last place.
HWY_INLINE VF exp(VF x) {
  const F d;
  const hn::RebindToUnsigned<F> du;
  // adding 3 * 2^22 rounds to an integer, which then stands in the lowest bits
  const VF magic = hn::Set(d, 12582912.0f);
  const VF shifted = hn::MulAdd(x, hn::Set(d, 1.442695041f), magic);
  const VF n = hn::Sub(shifted, magic);
  // ln 2 in two parts: the first has few enough bits that n times it is exact
  VF r = hn::NegMulAdd(n, hn::Set(d, 0.693359375f), x);
  r = hn::NegMulAdd(n, hn::Set(d, -2.12194440e-4f), r);
  VF p = hn::MulAdd(r, hn::Set(d, 1.381454112e-03f), hn::Set(d, 8.368745394e-03f));
  p = hn::MulAdd(p, r, hn::Set(d, 4.166839079e-02f));
  p = hn::MulAdd(p, r, hn::Set(d, 1.666652040e-01f));
  p = hn::MulAdd(p, r, hn::Set(d, 4.999999343e-01f));
  p = hn::Add(hn::MulAdd(p, hn::Mul(r, r), r), hn::Set(d, 1.0f));
  const auto exponent =
      hn::Add(hn::ShiftLeft<23>(hn::BitCast(du, shifted)), hn::Set(du, 127u << 23));
  const VF scaled = hn::Mul(p, hn::BitCast(d, exponent));  // NaN stays NaN
  return hn::IfThenZeroElse(hn::Lt(x, hn::Set(d, -87.0f)), scaled);
}

/// 1 / (1 + e^-x), without overflow at either end.
HWY_INLINE VF sigmoid(VF x) {
  const VF one = hn::Set(F(), 1.0f);
  const VF e = exp(hn::Neg(hn::Abs(x)));
  return hn::Div(hn::IfThenElse(hn::Lt(x, hn::Zero(F())), e, one), hn::Add(one, e));
}

}  // namespace burnish::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
