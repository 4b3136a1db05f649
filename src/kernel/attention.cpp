// T queries, S keys, H query heads, K key-value heads, D channels.
#include "kernel/attention.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/repeat_interleave.h>
#include <ATen/ops/softmax.h>

#include <limits>
#include <utility>

#include "kernel/attention_cpu.h"
#include "kernel/check.h"
#include "kernel/differentiable.h"

namespace burnish {
namespace {

void check_shapes(const at::Tensor& q_THD, const at::Tensor& k_SKD, const at::Tensor& v_SKD) {
  const bool three = q_THD.dim() == 3 && k_SKD.dim() == 3;
  require(three && k_SKD.sizes() == v_SKD.sizes() && q_THD.size(2) == k_SKD.size(2) &&
              k_SKD.size(1) > 0 && q_THD.size(1) % k_SKD.size(1) == 0,
          "attention", "q ", q_THD.sizes(), " does not fit k ", k_SKD.sizes(), " and v ",
          v_SKD.sizes());
}

void check_segments(const at::Tensor& q_THD, const at::Tensor& k_TKD, const Segments& segments) {
  require(q_THD.size(0) == segments.num_tokens() && k_TKD.size(0) == segments.num_tokens(),
          "attention", "q ", q_THD.sizes(), " and k ", k_TKD.sizes(), " do not fit segments of ",
          segments.num_tokens(), " tokens");
}

cpu::AttentionShape shape_of(const at::Tensor& q_THD, const at::Tensor& k_SKD, double scale) {
  return {q_THD.size(1), k_SKD.size(1), q_THD.size(2), static_cast<float>(scale)};
}

// Query i sees keys 0 .. i + S - T.
at::Tensor attend(const at::Tensor& q_THD, const at::Tensor& k_SKD, const at::Tensor& v_SKD,
                  double scale) {
  const int64_t T = q_THD.size(0), S = k_SKD.size(0), group = q_THD.size(1) / k_SKD.size(1);
  const at::Tensor k_HSD = k_SKD.transpose(0, 1).repeat_interleave(group, 0);
  const at::Tensor v_HSD = v_SKD.transpose(0, 1).repeat_interleave(group, 0);
  const at::Tensor scores_HTS = at::matmul(q_THD.transpose(0, 1), k_HSD.transpose(1, 2)) * scale;
  const at::Tensor hidden_TS = at::ones({T, S}, q_THD.options().dtype(at::kBool)).triu(S - T + 1);
  const auto dtype = wide_dtype(q_THD.scalar_type());
  const at::Tensor p_HTS = at::softmax(
      scores_HTS.masked_fill(hidden_TS, -std::numeric_limits<double>::infinity()), -1, dtype);
  return at::matmul(p_HTS.to(q_THD.scalar_type()), v_HSD).transpose(0, 1);
}

}  // namespace

at::Tensor attention(const at::Tensor& q_THD, const at::Tensor& k_TKD, const at::Tensor& v_TKD,
                     const Segments& segments, double scale) {
  check_shapes(q_THD, k_TKD, v_TKD);
  check_segments(q_THD, k_TKD, segments);
  if (!on_cpu_up_to_fp32(q_THD, k_TKD, v_TKD))
    return portable::attention(q_THD, k_TKD, v_TKD, segments, scale);
  const auto shape = shape_of(q_THD, k_TKD, scale);
  const auto forward = [&](Tensors& saved) -> Tensors {
    const at::Tensor q = wide(q_THD), k = wide(k_TKD), v = wide(v_TKD);
    at::Tensor out = at::empty_like(q), lse_TH = at::empty({q.size(0), q.size(1)}, q.options());
    cpu::attention_forward(
        {shape, q.const_data_ptr<float>(), k.const_data_ptr<float>(), v.const_data_ptr<float>(),
         out.data_ptr<float>(), lse_TH.data_ptr<float>()},
        cpu::spans_of(segments));
    out = out.to(q_THD.scalar_type());
    saved = {q_THD, k_TKD, v_TKD, out, lse_TH};
    return {out};
  };
  const auto backward = [shape, segments](const Tensors& saved, const Tensors& gradients,
                                          const std::vector<bool>&) -> Tensors {
    if (!gradients[0].defined()) return {};
    const at::Tensor g = wide(gradients[0]), q = wide(saved[0]), k = wide(saved[1]),
                     v = wide(saved[2]), out = wide(saved[3]);
    at::Tensor gq = at::empty_like(q), gk = at::empty_like(k), gv = at::empty_like(v);
    const auto data = [](const at::Tensor& t) { return t.const_data_ptr<float>(); };
    cpu::attention_backward(
        {shape, g.size(0), data(q), data(k), data(v), data(out), data(saved[4]), data(g),
         gq.data_ptr<float>(), gk.data_ptr<float>(), gv.data_ptr<float>()},
        segments);
    const at::ScalarType dtype = gradients[0].scalar_type();
    return {gq.to(dtype), gk.to(dtype), gv.to(dtype)};
  };
  return differentiable({q_THD, k_TKD, v_TKD}, forward, backward).front();
}

at::Tensor attention_cached(const at::Tensor& q_THD, const at::Tensor& k_SKD,
                            const at::Tensor& v_SKD, double scale) {
  check_shapes(q_THD, k_SKD, v_SKD);
  const int64_t T = q_THD.size(0), S = k_SKD.size(0);
  require(T <= S, "attention_cached", T, " queries, but only ", S, " keys");
  const at::NoGradGuard no_grad;
  if (!on_cpu_up_to_fp32(q_THD, k_SKD, v_SKD))
    return portable::attention_cached(q_THD, k_SKD, v_SKD, scale);
  const at::Tensor q = wide(q_THD), k = wide(k_SKD), v = wide(v_SKD);
  at::Tensor out = at::empty_like(q);
  const auto shape = shape_of(q, k, scale);
  const float *q_data = q.const_data_ptr<float>(), *k_data = k.const_data_ptr<float>(),
              *v_data = v.const_data_ptr<float>();
  if (T == 1)
    cpu::attention_decode(shape, S, q_data, k_data, v_data, out.data_ptr<float>());
  else
    cpu::attention_forward({shape, q_data, k_data, v_data, out.data_ptr<float>(), nullptr},
                           {{0, T, 0, S}});
  return out.to(q_THD.scalar_type());
}

namespace portable {

at::Tensor attention(const at::Tensor& q_THD, const at::Tensor& k_TKD, const at::Tensor& v_TKD,
                     const Segments& segments, double scale) {
  check_shapes(q_THD, k_TKD, v_TKD);
  check_segments(q_THD, k_TKD, segments);
  if (segments.count() == 0) return q_THD * 1.0;
  Tensors outputs;
  for (int64_t s = 0; s < segments.count(); ++s) {
    const auto rows = [&](const at::Tensor& x) {
      return x.narrow(0, segments.begin(s), segments.length(s));
    };
    outputs.push_back(attend(rows(q_THD), rows(k_TKD), rows(v_TKD), scale));
  }
  return at::cat(outputs, 0);
}

at::Tensor attention_cached(const at::Tensor& q_THD, const at::Tensor& k_SKD,
                            const at::Tensor& v_SKD, double scale) {
  check_shapes(q_THD, k_SKD, v_SKD);
  require(q_THD.size(0) <= k_SKD.size(0), "attention_cached", q_THD.size(0), " queries, but only ",
          k_SKD.size(0), " keys");
  const at::NoGradGuard no_grad;
  return attend(q_THD, k_SKD, v_SKD, scale).contiguous();
}

}  // namespace portable
}  // namespace burnish
