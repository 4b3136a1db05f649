// T tokens, N of them with a target, E embedding, V vocabulary.
#include "kernel/linear_cross_entropy.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/log_softmax.h>
#include <ATen/ops/scalar_tensor.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>

#include <algorithm>
#include <vector>

#include "kernel/check.h"
#include "kernel/differentiable.h"
#include "kernel/linear_cross_entropy_cpu.h"
#include "kernel/product.h"

namespace burnish {
namespace {

// A chunk of logits is made, used twice and forgotten: it should stay near the processor, but each
// chunk reads the head's weight and its gradient once more. 32 MiB is where both are cheap.
constexpr int64_t chunk_bytes = 32 << 20;

// Turns logits into their gradients (with a scale) and returns the loss.
using Softmax = cpu::SoftmaxLoss (*)(at::Tensor& logits_NV, std::span<const int64_t> labels_N,
                                     const double* gradient_scale);

cpu::SoftmaxLoss softmax_on_cpu(at::Tensor& logits_NV, std::span<const int64_t> labels_N,
                                const double* gradient_scale) {
  const float scale = gradient_scale ? static_cast<float>(*gradient_scale) : 0.0f;
  return cpu::softmax_loss(logits_NV.data_ptr<float>(), logits_NV.size(1), labels_N,
                           gradient_scale ? &scale : nullptr);
}

cpu::SoftmaxLoss softmax_by_aten(at::Tensor& logits_NV, std::span<const int64_t> labels_N,
                                 const double* gradient_scale) {
  const auto dtype = wide_dtype(logits_NV.scalar_type());
  const at::Tensor labels_N1 =
      at::tensor(at::ArrayRef<int64_t>(labels_N.data(), labels_N.size()), at::kLong)
          .to(logits_NV.device())
          .unsqueeze(1);
  at::Tensor log_p_NV = at::log_softmax(logits_NV.to(dtype), 1);
  cpu::SoftmaxLoss loss;
  loss.nll = -log_p_NV.gather(1, labels_N1).to(at::kDouble).sum().item<double>();
  loss.correct = (logits_NV.argmax(1, true) == labels_N1).sum().item<int64_t>();
  if (gradient_scale) {
    at::Tensor p_NV = log_p_NV.exp_();
    p_NV.scatter_add_(1, labels_N1, at::zeros_like(labels_N1, p_NV.options()) - 1.0);
    logits_NV.copy_(p_NV.mul_(*gradient_scale));
  }
  return loss;
}

struct Targets {
  std::vector<int64_t> positions, labels;
};

Targets targets_of(std::span<const int32_t> labels, int64_t V) {
  Targets targets;
  for (size_t t = 0; t < labels.size(); ++t) {
    if (labels[t] == kIgnoreLabel) continue;
    require(labels[t] >= 0 && labels[t] < V, "linear_cross_entropy", "label ", labels[t],
            " at position ", t, " is outside of a vocabulary of ", V);
    targets.positions.push_back(static_cast<int64_t>(t));
    targets.labels.push_back(labels[t]);
  }
  return targets;
}

struct Head {
  const Weight& weight_VE;
  double loss_scale;
  Softmax softmax;
  bool wants_gx, wants_gw;

  // The loss over rows that all have a target; fills gx_NE and adds to the weight's gradient.
  cpu::SoftmaxLoss run(const at::Tensor& x_NE, std::span<const int64_t> labels_N,
                       at::Tensor& gx_NE) const {
    const at::Tensor& w_VE = weight_VE.value;
    const int64_t N = x_NE.size(0), V = w_VE.size(0);
    // of bf16 and fp16 the logits are fp32; their gradients are rounded, for the products
    const at::ScalarType dtype = x_NE.scalar_type();
    const at::ScalarType logits_dtype = is_half(dtype) ? at::kFloat : dtype;
    const auto row_bytes = V * static_cast<int64_t>(c10::elementSize(logits_dtype));
    const int64_t rows_that_fit = chunk_bytes / row_bytes;
    // chunks of equal size rather than a short last one
    const int64_t chunks = std::max<int64_t>(
        1, (N + std::max<int64_t>(1, rows_that_fit) - 1) / std::max<int64_t>(1, rows_that_fit));
    const int64_t rows = (N + chunks - 1) / chunks;
    const at::Tensor buffer_NV = at::empty({rows, V}, x_NE.options().dtype(logits_dtype));
    cpu::SoftmaxLoss total;
    for (int64_t begin = 0; begin < N; begin += rows) {
      const int64_t count = std::min(rows, N - begin);
      const at::Tensor x_chunk = x_NE.narrow(0, begin, count);
      at::Tensor logits = buffer_NV.narrow(0, 0, count);
      product_into(logits, x_chunk, w_VE.t());
      const auto loss = softmax(logits, labels_N.subspan(begin, count),
                                wants_gx || wants_gw ? &loss_scale : nullptr);
      total.nll += loss.nll;
      total.correct += loss.correct;
      if (!wants_gw && !wants_gx) continue;
      const at::Tensor g_NV = logits.to(dtype);
      if (wants_gw) add_product(weight_VE.gradient, g_NV.t(), x_chunk);
      if (wants_gx) product_into(gx_NE.narrow(0, begin, count), g_NV, w_VE);
    }
    return total;
  }
};

void check_shapes(const at::Tensor& x_TE, const Weight& weight_VE,
                  std::span<const int32_t> labels) {
  check_weight(weight_VE, "linear_cross_entropy");
  require(x_TE.dim() == 2 && weight_VE.value.dim() == 2 &&
              x_TE.size(1) == weight_VE.value.size(1) &&
              x_TE.size(0) == static_cast<int64_t>(labels.size()),
          "linear_cross_entropy", "x ", x_TE.sizes(), " and ", labels.size(),
          " labels do not fit the weight ", weight_VE.value.sizes());
}

at::Tensor fp64_scalar(double value, const at::Tensor& like) {
  return at::scalar_tensor(value, like.options().dtype(at::kDouble));
}

CrossEntropyResult run(const at::Tensor& x_TE, const Weight& weight_VE,
                       std::span<const int32_t> labels, double loss_scale, Softmax softmax) {
  check_shapes(x_TE, weight_VE, labels);
  const Targets targets = targets_of(labels, weight_VE.value.size(0));
  const auto N = static_cast<int64_t>(targets.positions.size());
  CrossEntropyResult result{fp64_scalar(0.0, x_TE), N, 0};
  if (N == 0) return result;
  const at::Tensor positions_N =
      at::tensor(at::ArrayRef<int64_t>(targets.positions), at::kLong).to(x_TE.device());
  const bool grad = at::GradMode::is_enabled();
  const Head head{weight_VE, loss_scale, softmax, grad && x_TE.requires_grad(),
                  grad && weight_VE.trained()};
  const auto forward = [&](Tensors& saved) -> Tensors {
    const at::Tensor x_NE = N == x_TE.size(0) ? x_TE : x_TE.index_select(0, positions_N);
    at::Tensor gx_NE = head.wants_gx ? at::empty_like(x_NE) : at::Tensor();
    const auto loss = head.run(x_NE, targets.labels, gx_NE);
    result.correct = loss.correct;
    saved = {gx_NE, positions_N};
    return {fp64_scalar(loss.nll * loss_scale, x_TE)};
  };
  const auto backward = [T = x_TE.size(0)](const Tensors& saved, const Tensors& g,
                                           const std::vector<bool>&) -> Tensors {
    if (!g[0].defined() || !saved[0].defined()) return {};
    require(g[0].item<double>() == 1.0, "linear_cross_entropy", "the gradient of the loss is ",
            g[0].item<double>(), ", but the weight's gradient was made for 1: use loss_scale");
    const at::Tensor& gx_NE = saved[0];
    if (gx_NE.size(0) == T) return {gx_NE};
    at::Tensor gx_TE = at::zeros({T, gx_NE.size(1)}, gx_NE.options());
    return {gx_TE.index_copy_(0, saved[1], gx_NE)};
  };
  result.loss = differentiable({x_TE, weight_VE.value}, forward, backward).front();
  return result;
}

}  // namespace

CrossEntropyResult linear_cross_entropy(const at::Tensor& x_TE, const Weight& weight_VE,
                                        std::span<const int32_t> labels, double loss_scale) {
  const bool fast = on_cpu_up_to_fp32(x_TE, weight_VE.value);
  return run(x_TE, weight_VE, labels, loss_scale, fast ? softmax_on_cpu : softmax_by_aten);
}

CrossEntropyResult portable::linear_cross_entropy(const at::Tensor& x_TE, const Weight& weight_VE,
                                                  std::span<const int32_t> labels,
                                                  double loss_scale) {
  return run(x_TE, weight_VE, labels, loss_scale, softmax_by_aten);
}

}  // namespace burnish
