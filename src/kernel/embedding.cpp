// T tokens, V vocabulary, E embedding.
#include "kernel/embedding.h"

#include <ATen/ops/index_select.h>
#include <ATen/ops/ne.h>
#include <ATen/ops/nonzero.h>

#include <algorithm>

#include "kernel/differentiable.h"
#include "kernel/tasks.h"

namespace burnish {
namespace {

// Each thread has columns of its own and takes the tokens in their order.
void add_rows_on_cpu(const at::Tensor& gw_VE, const int64_t* ids, const at::Tensor& g,
                     std::optional<int64_t> padding_idx) {
  const at::Tensor g_TE = wide(g);
  const int64_t T = g_TE.size(0), E = g_TE.size(1);
  const float* from = g_TE.const_data_ptr<float>();
  float* to = gw_VE.data_ptr<float>();
  constexpr int64_t columns_a_task = 64;
  cpu::for_ranges(E, columns_a_task, [&](int64_t begin, int64_t end) {
    for (int64_t t = 0; t < T; ++t) {
      if (padding_idx && ids[t] == *padding_idx) continue;
      for (int64_t e = begin; e < end; ++e) to[ids[t] * E + e] += from[t * E + e];
    }
  });
}

void add_rows(const at::Tensor& gw_VE, const at::Tensor& ids_T, const at::Tensor& g_TE,
              std::optional<int64_t> padding_idx) {
  if (on_cpu_up_to_fp32(g_TE) && gw_VE.scalar_type() == at::kFloat && gw_VE.is_contiguous())
    return add_rows_on_cpu(gw_VE, ids_T.const_data_ptr<int64_t>(), g_TE, padding_idx);
  if (!padding_idx) {
    gw_VE.index_add_(0, ids_T, g_TE.to(gw_VE.scalar_type()));
    return;
  }
  const at::Tensor kept = at::nonzero(at::ne(ids_T, *padding_idx)).squeeze(1);
  gw_VE.index_add_(0, ids_T.index_select(0, kept),
                   g_TE.index_select(0, kept).to(gw_VE.scalar_type()));
}

void check_ids(const at::Tensor& ids_T, int64_t V) {
  if (ids_T.numel() == 0) return;
  const auto lowest = ids_T.min().item<int64_t>(), highest = ids_T.max().item<int64_t>();
  require(lowest >= 0 && highest < V, "embedding", "token id ", lowest < 0 ? lowest : highest,
          " is outside of a vocabulary of ", V);
}

}  // namespace

at::Tensor embedding(const at::Tensor& ids_T, const Weight& weight_VE,
                     std::optional<int64_t> padding_idx) {
  check_weight(weight_VE, "embedding");
  require(weight_VE.value.dim() == 2 && ids_T.dim() == 1 &&
              (ids_T.scalar_type() == at::kLong || ids_T.scalar_type() == at::kInt),
          "embedding", "ids ", ids_T.sizes(), " of ", ids_T.scalar_type(), " do not fit the table ",
          weight_VE.value.sizes());
  check_ids(ids_T, weight_VE.value.size(0));
  const at::Tensor long_ids_T = ids_T.to(at::kLong).contiguous();
  const auto forward = [&](Tensors& saved) -> Tensors {
    saved = {long_ids_T};
    return {at::index_select(weight_VE.value, 0, long_ids_T)};
  };
  const auto backward = [gw_VE = weight_VE.gradient, padding_idx](
                            const Tensors& saved, const Tensors& g, const auto&) -> Tensors {
    if (g[0].defined() && gw_VE.defined()) add_rows(gw_VE, saved[0], g[0], padding_idx);
    return {};
  };
  return differentiable({weight_VE.value}, forward, backward).front();
}

}  // namespace burnish
