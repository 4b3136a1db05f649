#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "kernel/attention_cpu.h"
#include "kernel/targets.h"
#include "kernel/tasks.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/attention_forward_cpu.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "kernel/attention_tile-inl.h"

#ifndef BURNISH_ATTENTION_FORWARD_TASK
#define BURNISH_ATTENTION_FORWARD_TASK
namespace burnish::cpu {

constexpr int64_t heads_a_task = 4;

/// A tile of queries of up to four heads that share keys and values.
struct ForwardTask {
  AttentionSpan span;
  int64_t query, rows;        ///< within the span
  int64_t first_head, heads;  ///< query heads
};

}  // namespace burnish::cpu
#endif

HWY_BEFORE_NAMESPACE();
namespace burnish::cpu::HWY_NAMESPACE {

/// The running softmax of one head's tile of queries.
struct OnlineSoftmax {
  float largest[tile];
  float sum[tile];
  std::vector<float> weighted_values;  ///< [tile, D], not yet divided by `sum`
};

/// Turns row i of the scores into p = exp(score * scale - largest) and rescales what was summed.
HWY_INLINE void absorb_row(const TilePlace& at, int64_t i, float scale, int64_t D, float* scores,
                           OnlineSoftmax& state) {
  const F d;
  const VF factor = hn::Set(d, scale);
  float* row = scores + i * tile;
  const int64_t seen = std::max<int64_t>(0, at.visible(i));
  const VF nothing = hn::Set(d, -std::numeric_limits<float>::infinity());
  VF largest = nothing;
  const int64_t lanes = hn::Lanes(d);
  int64_t j = 0;
  for (; j + lanes <= seen; j += lanes)
    largest = hn::Max(hn::Mul(hn::LoadU(d, row + j), factor), largest);
  float top = std::max(max_of_lanes(largest), state.largest[i]);
  for (; j < seen; ++j) top = std::max(top, row[j] * scale);
  if (seen == 0) return std::fill(row, row + at.columns, 0.0f);

  VF sum = hn::Zero(d);
  const VF shift = hn::Set(d, top);
  for_vectors(0, seen, [&](auto piece) HWY_ATTR {
    const VF p = piece.only(exp(hn::MulSub(piece.load(row), factor, shift)));
    sum = hn::Add(sum, p);
    piece.store(p, row);
  });
  std::fill(row + seen, row + at.columns, 0.0f);
  const float keep = state.largest[i] == top ? 1.0f : std::exp(state.largest[i] - top);
  state.sum[i] = state.sum[i] * keep + sum_of_lanes(sum);
  state.largest[i] = top;
  if (keep == 1.0f) return;
  float* values = state.weighted_values.data() + i * D;
  for_vectors(0, D, [&](auto piece) HWY_ATTR {
    piece.store(hn::Mul(piece.load(values), hn::Set(d, keep)), values);
  });
}

HWY_INLINE void finish_rows(const AttentionForward& a, const ForwardTask& task, int64_t head,
                            const OnlineSoftmax& state) {
  const AttentionShape& shape = a.shape;
  for (int64_t i = 0; i < task.rows; ++i) {
    const int64_t t = task.span.first_query + task.query + i;
    const VF share = hn::Set(F(), 1.0f / state.sum[i]);
    const float* values = state.weighted_values.data() + i * shape.D;
    float* out = a.out_THD + (t * shape.H + head) * shape.D;
    for_vectors(0, shape.D,
                [&](auto piece) HWY_ATTR { piece.store(hn::Mul(piece.load(values), share), out); });
    if (a.lse_TH) a.lse_TH[t * shape.H + head] = state.largest[i] + std::log(state.sum[i]);
  }
}

class ForwardWorker {
 public:
  explicit ForwardWorker(const AttentionForward& a)
      : a_(a), scores_(tile * tile), transposed_k_(a.shape.D * tile), states_(heads_a_task) {
    for (auto& state : states_) state.weighted_values.resize(tile * a.shape.D);
  }

  void run(const ForwardTask& task) {
    for (int64_t h = 0; h < task.heads; ++h) {
      std::fill_n(states_[h].largest, tile, -std::numeric_limits<float>::infinity());
      std::fill_n(states_[h].sum, tile, 0.0f);
      std::fill(states_[h].weighted_values.begin(), states_[h].weighted_values.end(), 0.0f);
    }
    const int64_t keys = task.query + task.rows + task.span.history();
    for (int64_t key = 0; key < keys; key += tile)
      absorb_keys(task,
                  {task.query, task.rows, key, std::min(tile, keys - key), task.span.history()});
    for (int64_t h = 0; h < task.heads; ++h) finish_rows(a_, task, task.first_head + h, states_[h]);
  }

 private:
  void absorb_keys(const ForwardTask& task, const TilePlace& at) {
    const auto [H, K, D, scale] = a_.shape;
    const int64_t kv = task.first_head / a_.shape.group();
    const int64_t from = ((task.span.first_key + at.key) * K + kv) * D;
    transpose(a_.k_SKD + from, K * D, at.columns, D, transposed_k_.data(), tile);
    for (int64_t h = 0; h < task.heads; ++h) {
      const int64_t query = task.span.first_query + at.query;
      const float* q = a_.q_THD + (query * H + task.first_head + h) * D;
      score_tile(at, {q, H * D, 1}, transposed_k_.data(), D, scores_.data());
      for (int64_t i = 0; i < at.rows; ++i) absorb_row(at, i, scale, D, scores_.data(), states_[h]);
      add_over_keys(at, scores_.data(), {a_.v_SKD + from, K * D}, D,
                    {states_[h].weighted_values.data(), D});
    }
  }

  const AttentionForward& a_;
  std::vector<float> scores_, transposed_k_;
  std::vector<OnlineSoftmax> states_;
};

void attention_forward_tasks(const AttentionForward& arguments,
                             const std::vector<ForwardTask>& tasks) {
  for_tasks(static_cast<int64_t>(tasks.size()), [&] {
    return [&tasks, worker = ForwardWorker(arguments)](int64_t task) mutable {
      worker.run(tasks[task]);
    };
  });
}

}  // namespace burnish::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace burnish::cpu {
HWY_EXPORT(attention_forward_tasks);

std::vector<AttentionSpan> spans_of(const Segments& segments) {
  std::vector<AttentionSpan> spans;
  for (int64_t s = 0; s < segments.count(); ++s)
    spans.push_back({segments.begin(s), segments.length(s), segments.begin(s), segments.length(s)});
  return spans;
}

void attention_forward(const AttentionForward& arguments, const std::vector<AttentionSpan>& spans) {
  constexpr int64_t tile = 64;
  const int64_t group = arguments.shape.group();
  std::vector<ForwardTask> tasks;
  for (const AttentionSpan& span : spans)
    for (int64_t query = 0; query < span.queries; query += tile)
      for (int64_t head = 0; head < arguments.shape.H;) {
        const int64_t heads = std::min(heads_a_task, group - head % group);
        tasks.push_back({span, query, std::min(tile, span.queries - query), head, heads});
        head += heads;
      }
  std::stable_sort(tasks.begin(), tasks.end(), [](const ForwardTask& a, const ForwardTask& b) {
    const auto cost = [](const ForwardTask& t) {
      return (t.query + t.rows + t.span.history()) * t.rows * t.heads;
    };
    return cost(a) > cost(b);
  });
  HWY_DYNAMIC_DISPATCH(attention_forward_tasks)(arguments, tasks);
}

}  // namespace burnish::cpu
#endif
