// The kernels at the shapes of SmolLM2-135M, forward and backward, beside the same out of plain
// ATen operations. T tokens, E embedding, I intermediate channels, H query heads, K key-value
// heads, D channels, V vocabulary.
#include <ATen/Parallel.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/rms_norm.h>
#include <ATen/ops/scaled_dot_product_attention.h>
#include <ATen/ops/zeros_like.h>
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernel/adamw.h"
#include "kernel/attention.h"
#include "kernel/linear_cross_entropy.h"
#include "kernel/rms_norm.h"
#include "kernel/rope.h"
#include "kernel/swiglu.h"

namespace burnish {
namespace {

constexpr int64_t T = 512, E = 576, I = 1536, H = 9, K = 3, D = 64, V = 49152;
constexpr double eps = 1e-5;

at::Tensor leaf(at::IntArrayRef shape) {
  return at::randn(shape).set_requires_grad(true);
}

Weight trained(at::IntArrayRef shape) {
  at::Tensor value = (at::randn(shape) * 0.02).set_requires_grad(true);
  return {value, at::zeros_like(value).detach()};
}

Segments segments_of(int64_t length) {
  std::vector<int32_t> cu_seqlens{0};
  while (cu_seqlens.back() < T)
    cu_seqlens.push_back(static_cast<int32_t>(std::min<int64_t>(T, cu_seqlens.back() + length)));
  return Segments(cu_seqlens);
}

// gradients that are not added up: inside of a model they are not either
void forget(std::initializer_list<at::Tensor> leaves) {
  for (const at::Tensor& x : leaves) x.mutable_grad().reset();
}

void rate(benchmark::State& state, double flop) {
  state.counters["GFLOP/s"] =
      benchmark::Counter(flop * 1e-9, benchmark::Counter::kIsIterationInvariantRate);
}

// forward and backward of the seven products of a block
void block_products(benchmark::State& state) {
  const at::NoGradGuard no_grad;
  const std::vector<std::pair<int64_t, int64_t>> shapes{
      {H * D, E}, {K * D, E}, {K * D, E}, {E, H * D}, {I, E}, {I, E}, {E, I}};
  struct Product {
    at::Tensor x, w, g, gw;
  };
  std::vector<Product> products;
  double flop = 0.0;
  for (const auto& [out, in] : shapes) {
    products.push_back(
        {at::randn({T, in}), at::randn({out, in}), at::randn({T, out}), at::randn({out, in})});
    flop += 6.0 * T * static_cast<double>(out * in);
  }
  for (auto _ : state)
    for (Product& p : products) {
      benchmark::DoNotOptimize(at::mm(p.x, p.w.t()));
      benchmark::DoNotOptimize(at::mm(p.g, p.w));
      p.gw.addmm_(p.g.t(), p.x);
    }
  rate(state, flop);
}
BENCHMARK(block_products)->UseRealTime()->Unit(benchmark::kMillisecond);

void norm(benchmark::State& state) {
  const at::Tensor x = leaf({T, E}), residual = leaf({T, E}), g = at::randn({T, E});
  const Weight w = trained({E});
  for (auto _ : state) {
    add_rms_norm(x, residual, w, eps).normed_TE.backward(g);
    forget({x, residual});
  }
}
BENCHMARK(norm)->UseRealTime()->Unit(benchmark::kMicrosecond);

void norm_aten(benchmark::State& state) {
  const at::Tensor x = leaf({T, E}), residual = leaf({T, E}), g = at::randn({T, E}), w = leaf({E});
  for (auto _ : state) {
    at::rms_norm(x + residual, {E}, w, eps).backward(g);
    forget({x, residual, w});
  }
}
BENCHMARK(norm_aten)->UseRealTime()->Unit(benchmark::kMicrosecond);

template <auto function>
void rotate(benchmark::State& state) {
  std::vector<double> frequencies;
  for (int64_t j = 0; j < D / 2; ++j) frequencies.push_back(std::pow(1e5, -2.0 * j / D));
  const RopeTable table = make_rope_table(frequencies, T);
  const Segments segments = segments_of(T);
  const at::Tensor q = leaf({T, H, D}), k = leaf({T, K, D});
  const at::Tensor gq = at::randn({T, H, D}), gk = at::randn({T, K, D});
  for (auto _ : state) {
    function(q, table, segments, 0).backward(gq);
    function(k, table, segments, 0).backward(gk);
    forget({q, k});
  }
}
BENCHMARK(rotate<rope>)->Name("rope")->UseRealTime()->Unit(benchmark::kMicrosecond);
BENCHMARK(rotate<portable::rope>)->Name("rope_aten")->UseRealTime()->Unit(benchmark::kMicrosecond);

template <auto function>
void gate(benchmark::State& state) {
  const at::Tensor x = leaf({T, I}), up = leaf({T, I}), g = at::randn({T, I});
  for (auto _ : state) {
    function(x, up).backward(g);
    forget({x, up});
  }
}
BENCHMARK(gate<swiglu>)->Name("swiglu")->UseRealTime()->Unit(benchmark::kMicrosecond);
BENCHMARK(gate<portable::swiglu>)
    ->Name("swiglu_aten")
    ->UseRealTime()
    ->Unit(benchmark::kMicrosecond);

struct Heads {
  at::Tensor q = leaf({T, H, D}), k = leaf({T, K, D}), v = leaf({T, K, D}),
             g = at::randn({T, H, D});
  double scale = 1.0 / std::sqrt(D);
};

// multiply-adds of the two products of the forward and the five of the backward pass
double attention_flop(const Segments& segments, int products) {
  return 2.0 * products * static_cast<double>(segments.causal_pairs() * H * D);
}

void attention_forward(benchmark::State& state) {
  const at::NoGradGuard no_grad;
  const Heads x;
  const Segments segments = segments_of(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(attention(x.q, x.k, x.v, segments, x.scale));
  rate(state, attention_flop(segments, 2));
}
BENCHMARK(attention_forward)->Arg(50)->Arg(512)->UseRealTime()->Unit(benchmark::kMicrosecond);

void attention_both(benchmark::State& state) {
  const Heads x;
  const Segments segments = segments_of(state.range(0));
  for (auto _ : state) {
    attention(x.q, x.k, x.v, segments, x.scale).backward(x.g);
    forget({x.q, x.k, x.v});
  }
  rate(state, attention_flop(segments, 7));
}
BENCHMARK(attention_both)->Arg(50)->Arg(512)->UseRealTime()->Unit(benchmark::kMicrosecond);

// one segment of T tokens: what ATen can do without a mask
void attention_both_aten(benchmark::State& state) {
  const Heads x;
  const auto heads_first = [](const at::Tensor& t) { return t.transpose(0, 1).unsqueeze(0); };
  for (auto _ : state) {
    at::scaled_dot_product_attention(heads_first(x.q), heads_first(x.k), heads_first(x.v), {}, 0.0,
                                     true, x.scale, true)
        .backward(heads_first(x.g));
    forget({x.q, x.k, x.v});
  }
  rate(state, attention_flop(segments_of(T), 7));
}
BENCHMARK(attention_both_aten)->UseRealTime()->Unit(benchmark::kMicrosecond);

void attention_decode(benchmark::State& state) {
  const int64_t S = state.range(0);
  const at::Tensor q = at::randn({1, H, D}), k = at::randn({S, K, D}), v = at::randn({S, K, D});
  for (auto _ : state) benchmark::DoNotOptimize(attention_cached(q, k, v, 0.125));
}
BENCHMARK(attention_decode)->Arg(128)->Arg(2048)->UseRealTime()->Unit(benchmark::kMicrosecond);

constexpr double head_flop = 6.0 * T * E * V;

void head(benchmark::State& state) {
  const at::Tensor x = leaf({T, E});
  const Weight w = trained({V, E});
  std::vector<int32_t> labels(T);
  for (int64_t t = 0; t < T; ++t) labels[t] = static_cast<int32_t>(t * 91 % V);
  for (auto _ : state) {
    linear_cross_entropy(x, w, labels, 1.0 / T).loss.backward();
    forget({x});
  }
  rate(state, head_flop);
}
BENCHMARK(head)->UseRealTime()->Unit(benchmark::kMillisecond);

// its three products, in one piece and in chunks of state.range(0) rows
void head_products(benchmark::State& state) {
  const at::NoGradGuard no_grad;
  const int64_t rows = state.range(0);
  const at::Tensor x = at::randn({rows, E}), w = at::randn({V, E});
  at::Tensor logits = at::randn({rows, V}), gw = at::randn({V, E}), gx = at::randn({rows, E});
  for (auto _ : state)
    for (int64_t begin = 0; begin < T; begin += rows) {
      at::mm_out(logits, x, w.t());
      gw.addmm_(logits.t(), x);
      at::mm_out(gx, logits, w);
    }
  rate(state, head_flop);
}
BENCHMARK(head_products)->Arg(64)->Arg(128)->Arg(512)->UseRealTime()->Unit(benchmark::kMillisecond);

template <auto function>
void adamw_step(benchmark::State& state) {
  constexpr int64_t n = 1 << 24;
  at::Tensor w = at::randn({n}), m = at::randn({n}), v = at::rand({n});
  const at::Tensor g = at::randn({n});
  for (auto _ : state) function(w, g, m, v, {.learning_rate = 1e-5, .weight_decay = 0.1});
  state.SetBytesProcessed(state.iterations() * n * 28);
}
BENCHMARK(adamw_step<adamw>)->Name("adamw_16M")->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(adamw_step<portable::adamw>)
    ->Name("adamw_16M_aten")
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

void squared_norm(benchmark::State& state) {
  const at::Tensor g = at::randn({1 << 24});
  for (auto _ : state) benchmark::DoNotOptimize(sum_of_squares(g));
}
BENCHMARK(squared_norm)->Name("sum_of_squares_16M")->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace burnish

BENCHMARK_MAIN();
