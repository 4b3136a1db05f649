// M x K times K x N.
#include "kernel/half_product.h"

#include <ATen/ops/addmm.h>
#include <ATen/ops/mm.h>
#include <dlfcn.h>

#include <algorithm>

namespace burnish {
namespace {

// C calling convention of the BLAS (Netlib's cblas.h; MKL adds the two products).
constexpr int kRowMajor = 101, kNoTranspose = 111, kTranspose = 112;
using Gemm = void (*)(int layout, int transpose_a, int transpose_b, int m, int n, int k,
                      float alpha, const void* a, int lda, const void* b, int ldb, float beta,
                      float* c, int ldc);

// libtorch's x86 build carries MKL with these two; looked up, so that a libtorch without them
// loads.
Gemm find_gemm(at::ScalarType dtype) {
  static const auto look_up = [](const char* name) {
    return reinterpret_cast<Gemm>(::dlsym(RTLD_DEFAULT, name));
  };
  static const Gemm bf16 = look_up("cblas_gemm_bf16bf16f32");
  static const Gemm fp16 = look_up("cblas_gemm_f16f16f32");
  return dtype == at::kBFloat16 ? bf16 : fp16;
}

// A matrix as the BLAS wants it: rows, or columns, in one piece.
struct Operand {
  at::Tensor matrix;
  int transpose, leading;

  explicit Operand(const at::Tensor& t) : matrix(t), transpose(kNoTranspose) {
    const bool rows = t.stride(1) == 1 && t.stride(0) >= t.size(1);
    const bool columns = t.stride(0) == 1 && t.stride(1) >= t.size(0);
    if (!rows && !columns) matrix = t.contiguous();
    if (!rows && columns) transpose = kTranspose;
    leading = static_cast<int>(matrix.stride(transpose == kTranspose ? 1 : 0));
    if (matrix.size(0) <= 1 || matrix.size(1) <= 1) leading = std::max(leading, extent());
  }
  int extent() const {
    return static_cast<int>(std::max<int64_t>(1, matrix.size(transpose == kTranspose ? 0 : 1)));
  }
};

}  // namespace

void half_product(const at::Tensor& out_MN, const at::Tensor& a_MK, const at::Tensor& b_KN,
                  float beta) {
  const int64_t M = a_MK.size(0), K = a_MK.size(1), N = b_KN.size(1);
  const Gemm gemm = find_gemm(a_MK.scalar_type());
  if (gemm == nullptr || M == 0 || N == 0 || K == 0) {
    const at::Tensor a = a_MK.to(at::kFloat), b = b_KN.to(at::kFloat);
    out_MN.addmm_(a, b, beta);
    return;
  }
  const Operand a(a_MK), b(b_KN);
  gemm(kRowMajor, a.transpose, b.transpose, static_cast<int>(M), static_cast<int>(N),
       static_cast<int>(K), 1.0f, a.matrix.const_data_ptr(), a.leading, b.matrix.const_data_ptr(),
       b.leading, beta, out_MN.mutable_data_ptr<float>(), static_cast<int>(out_MN.stride(0)));
}

const char* half_product_name() {
  return find_gemm(at::kBFloat16) ? "cblas_gemm_bf16bf16f32" : "widened to fp32";
}

}  // namespace burnish
