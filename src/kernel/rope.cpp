// T tokens, H heads of C channels, P positions of the table, D pairs.
#include "kernel/rope.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/cos.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/outer.h>
#include <ATen/ops/sin.h>
#include <ATen/ops/tensor.h>

#include <memory>
#include <utility>

#include "kernel/differentiable.h"
#include "kernel/rope_cpu.h"

namespace burnish {
namespace {

std::vector<int64_t> positions_of(const at::Tensor& x_THC, const RopeTable& table,
                                  const Segments& segments, int64_t first_position) {
  require(x_THC.dim() == 3 && x_THC.size(0) == segments.num_tokens(), "rope", "x ", x_THC.sizes(),
          " does not fit segments of ", segments.num_tokens(), " tokens");
  require(table.cos_PD.dim() == 2 && table.cos_PD.sizes() == table.sin_PD.sizes() &&
              2 * table.cos_PD.size(1) <= x_THC.size(2),
          "rope", "the table ", table.cos_PD.sizes(), " does not fit x ", x_THC.sizes());
  require(first_position >= 0 && segments.longest() + first_position <= table.num_positions(),
          "rope", "position ", segments.longest() + first_position - 1,
          " is outside of a table of ", table.num_positions(), " positions");
  std::vector<int64_t> positions = segments.positions();
  for (int64_t& p : positions) p += first_position;
  return positions;
}

at::Tensor rope_on_cpu(const at::Tensor& x, const RopeTable& table,
                       const std::vector<int64_t>& positions, float direction) {
  const at::Tensor x_THC = wide(x);
  at::Tensor y_THC = at::empty_like(x_THC);
  cpu::rope({x_THC.size(0), x_THC.size(1), x_THC.size(2), table.cos_PD.size(1),
             x_THC.const_data_ptr<float>(), table.cos_PD.const_data_ptr<float>(),
             table.sin_PD.const_data_ptr<float>(), positions.data(), direction,
             y_THC.data_ptr<float>()});
  return y_THC.to(x.scalar_type());
}

}  // namespace

RopeTable make_rope_table(const std::vector<double>& inverse_frequencies, int64_t num_positions,
                          double attention_factor) {
  require(num_positions >= 0, "rope", "a table of ", num_positions, " positions");
  // in fp32 all the way and by ATen, so that the table is transformers' to the bit
  const std::vector<float> f_D(inverse_frequencies.begin(), inverse_frequencies.end());
  const at::Tensor angle_PD = at::outer(at::arange(num_positions, at::kFloat), at::tensor(f_D));
  return {at::mul(at::cos(angle_PD), attention_factor),
          at::mul(at::sin(angle_PD), attention_factor)};
}

at::Tensor rope(const at::Tensor& x_THD, const RopeTable& table, const Segments& segments,
                int64_t first_position) {
  if (!on_cpu_up_to_fp32(x_THD, table.cos_PD, table.sin_PD) || !table.cos_PD.is_contiguous() ||
      !table.sin_PD.is_contiguous())
    return portable::rope(x_THD, table, segments, first_position);
  const auto positions = std::make_shared<const std::vector<int64_t>>(
      positions_of(x_THD, table, segments, first_position));
  const auto forward = [&](Tensors&) -> Tensors {
    return {rope_on_cpu(x_THD, table, *positions, 1.0f)};
  };
  const auto backward = [table, positions](const Tensors&, const Tensors& g,
                                           const std::vector<bool>&) -> Tensors {
    if (!g[0].defined()) return {};
    return {rope_on_cpu(g[0], table, *positions, -1.0f)};
  };
  return differentiable({x_THD}, forward, backward).front();
}

at::Tensor portable::rope(const at::Tensor& x_THD, const RopeTable& table, const Segments& segments,
                          int64_t first_position) {
  const at::Tensor positions_T =
      at::tensor(positions_of(x_THD, table, segments, first_position),
                 at::TensorOptions(at::kLong).device(table.cos_PD.device()));
  const auto rows = [&](const at::Tensor& table_PD) {
    return table_PD.index_select(0, positions_T).unsqueeze(1).to(x_THD.options());
  };
  const at::Tensor cos_T1D = rows(table.cos_PD), sin_T1D = rows(table.sin_PD);
  const int64_t D = cos_T1D.size(2);
  const at::Tensor first = x_THD.narrow(2, 0, D), second = x_THD.narrow(2, D, D);
  return at::cat({first * cos_T1D - second * sin_T1D, second * cos_T1D + first * sin_T1D,
                  x_THD.narrow(2, 2 * D, x_THD.size(2) - 2 * D)},
                 2);
}

}  // namespace burnish
