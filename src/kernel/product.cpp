// M x K times K x N.
#include "kernel/product.h"

#include <ATen/ops/addmm.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/mm.h>

#include <algorithm>

#include "kernel/check.h"
#include "kernel/half_product.h"

namespace burnish {
namespace {

// Sums in fp32 on their way to a narrow tensor stand in a buffer of at most this size.
constexpr int64_t kBufferBytes = 8 << 20;

bool half_on_cpu(const at::Tensor& a, const at::Tensor& b) {
  return a.device().is_cpu() && is_half(a.scalar_type()) && a.scalar_type() == b.scalar_type();
}

// Calls `take` with the fp32 product of one block of rows after the other.
template <class Take>
void by_blocks(const at::Tensor& a_MK, const at::Tensor& b_KN, const Take& take) {
  const int64_t M = a_MK.size(0), N = b_KN.size(1);
  const int64_t rows = std::clamp<int64_t>(
      kBufferBytes / static_cast<int64_t>(sizeof(float)) / std::max<int64_t>(N, 1), 1,
      std::max<int64_t>(M, 1));
  const at::Tensor buffer = at::empty({rows, N}, a_MK.options().dtype(at::kFloat));
  for (int64_t begin = 0; begin < M; begin += rows) {
    const int64_t count = std::min(rows, M - begin);
    const at::Tensor block = buffer.narrow(0, 0, count);
    half_product(block, a_MK.narrow(0, begin, count), b_KN, 0.0f);
    take(begin, count, block);
  }
}

}  // namespace

at::Tensor product(const at::Tensor& a_MK, const at::Tensor& b_KN) {
  if (!half_on_cpu(a_MK, b_KN)) return at::mm(a_MK, b_KN);
  const at::Tensor out_MN = at::empty({a_MK.size(0), b_KN.size(1)}, a_MK.options());
  product_into(out_MN, a_MK, b_KN);
  return out_MN;
}

void product_into(const at::Tensor& out_MN, const at::Tensor& a_MK, const at::Tensor& b_KN) {
  if (!half_on_cpu(a_MK, b_KN)) {
    at::Tensor out = out_MN;
    if (out.scalar_type() == a_MK.scalar_type())
      at::mm_out(out, a_MK, b_KN);
    else
      out.copy_(at::mm(a_MK, b_KN));
  } else if (out_MN.scalar_type() == at::kFloat) {
    half_product(out_MN, a_MK, b_KN, 0.0f);
  } else {
    by_blocks(a_MK, b_KN, [&](int64_t begin, int64_t count, const at::Tensor& block) {
      out_MN.narrow(0, begin, count).copy_(block);
    });
  }
}

void add_product(const at::Tensor& out_MN, const at::Tensor& a_MK, const at::Tensor& b_KN) {
  if (!half_on_cpu(a_MK, b_KN)) {
    if (out_MN.scalar_type() == a_MK.scalar_type())
      out_MN.addmm_(a_MK, b_KN);
    else
      out_MN.add_(at::mm(a_MK, b_KN));
  } else if (out_MN.scalar_type() == at::kFloat) {
    half_product(out_MN, a_MK, b_KN, 1.0f);
  } else {
    by_blocks(a_MK, b_KN, [&](int64_t begin, int64_t count, const at::Tensor& block) {
      out_MN.narrow(0, begin, count).add_(block);
    });
  }
}

}  // namespace burnish
