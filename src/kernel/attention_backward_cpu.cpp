// p = exp(score * scale - lse); dp = g v^T; ds = p (dp - sum_d g out) * scale;
// gv = p^T g; gk = ds^T q; gq = ds k.
#include <ATen/Parallel.h>

#include <algorithm>
#include <vector>

#include "kernel/attention_cpu.h"
#include "kernel/targets.h"
#include "kernel/tasks.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/attention_backward_cpu.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "kernel/attention_tile-inl.h"

#ifndef BURNISH_ATTENTION_BACKWARD_TASK
#define BURNISH_ATTENTION_BACKWARD_TASK
namespace burnish::cpu {

/// A run of key tiles of one segment and one key-value head, with all the queries that see them.
/// `gq_THD` is the task's own: the output for the first run of a segment, a partial sum otherwise.
struct BackwardTask {
  int64_t first_token, length;  ///< of the segment
  int64_t first_key, keys;      ///< within the segment, from a tile's border
  int64_t kv;
  float* gq_THD;
  int64_t cost() const { return (length - first_key) * keys; }
};

}  // namespace burnish::cpu
#endif

HWY_BEFORE_NAMESPACE();
namespace burnish::cpu::HWY_NAMESPACE {

/// delta[t, h] = sum over d of g out.
void deltas(const AttentionBackward& a, int64_t begin, int64_t end, float* delta_TH) {
  const int64_t D = a.shape.D;
  for (int64_t th = begin * a.shape.H; th < end * a.shape.H; ++th) {
    VF sum = hn::Zero(F());
    for_vectors(0, D, [&](auto piece) HWY_ATTR {
      sum = hn::MulAdd(piece.load(a.g_THD + th * D), piece.load(a.out_THD + th * D), sum);
    });
    delta_TH[th] = sum_of_lanes(sum);
  }
}

class BackwardWorker {
 public:
  BackwardWorker(const AttentionBackward& a, const float* delta_TH)
      : a_(a),
        delta_TH_(delta_TH),
        p_(tile * tile),
        ds_(tile * tile),
        transposed_k_(a.shape.D * tile),
        transposed_v_(a.shape.D * tile),
        gk_(tile * a.shape.D),
        gv_(tile * a.shape.D) {}

  void run(const BackwardTask& task) {
    clear_query_gradients(task);
    for (int64_t key = task.first_key; key < task.first_key + task.keys; key += tile)
      run_keys(task, key, std::min(tile, task.first_key + task.keys - key));
  }

 private:
  void clear_query_gradients(const BackwardTask& task) {
    const int64_t width = a_.shape.group() * a_.shape.D;
    for (int64_t t = task.first_token + task.first_key; t < task.first_token + task.length; ++t)
      std::fill_n(task.gq_THD + t * a_.shape.H * a_.shape.D + task.kv * width, width, 0.0f);
  }

  void run_keys(const BackwardTask& task, int64_t key, int64_t columns) {
    const auto [H, K, D, scale] = a_.shape;
    const int64_t from = ((task.first_token + key) * K + task.kv) * D;
    transpose(a_.k_TKD + from, K * D, columns, D, transposed_k_.data(), tile);
    transpose(a_.v_TKD + from, K * D, columns, D, transposed_v_.data(), tile);
    std::fill(gk_.begin(), gk_.end(), 0.0f);
    std::fill(gv_.begin(), gv_.end(), 0.0f);
    for (int64_t query = key; query < task.length; query += tile) {
      const TilePlace at{query, std::min(tile, task.length - query), key, columns, 0};
      for (int64_t g = 0; g < H / K; ++g) run_tile(task, at, task.kv * (H / K) + g);
    }
    for (int64_t j = 0; j < columns; ++j) {
      std::copy_n(gk_.data() + j * D, D, a_.gk_TKD + from + j * K * D);
      std::copy_n(gv_.data() + j * D, D, a_.gv_TKD + from + j * K * D);
    }
  }

  void run_tile(const BackwardTask& task, const TilePlace& at, int64_t head) {
    const auto [H, K, D, scale] = a_.shape;
    const int64_t t = task.first_token + at.query;
    const int64_t from = (t * H + head) * D;
    const float *q = a_.q_THD + from, *g = a_.g_THD + from;
    const float* k = a_.k_TKD + ((task.first_token + at.key) * K + task.kv) * D;
    score_tile(at, {q, H * D, 1}, transposed_k_.data(), D, p_.data());
    score_tile(at, {g, H * D, 1}, transposed_v_.data(), D, ds_.data());
    for (int64_t i = 0; i < at.rows; ++i)
      score_gradients(at, i, a_.lse_TH[(t + i) * H + head], delta_TH_[(t + i) * H + head]);
    add_over_queries(at, p_.data(), {g, H * D}, D, {gv_.data(), D});
    add_over_queries(at, ds_.data(), {q, H * D}, D, {gk_.data(), D});
    add_over_keys(at, ds_.data(), {k, K * D}, D, {task.gq_THD + from, H * D});
  }

  /// Row i: scores become p, dp becomes ds; both zero behind the visible keys.
  HWY_INLINE void score_gradients(const TilePlace& at, int64_t i, float lse, float delta) {
    const F d;
    float *p = p_.data() + i * tile, *ds = ds_.data() + i * tile;
    const VF scale = hn::Set(d, a_.shape.scale), shift = hn::Set(d, lse);
    const int64_t seen = std::max<int64_t>(0, at.visible(i));
    for_vectors(0, seen, [&](auto piece) HWY_ATTR {
      const VF probability = exp(hn::MulSub(piece.load(p), scale, shift));
      const VF slope = hn::Mul(hn::Sub(piece.load(ds), hn::Set(d, delta)), scale);
      piece.store(probability, p);
      piece.store(hn::Mul(probability, slope), ds);
    });
    std::fill(p + seen, p + at.columns, 0.0f);
    std::fill(ds + seen, ds + at.columns, 0.0f);
  }

  const AttentionBackward& a_;
  const float* delta_TH_;
  std::vector<float> p_, ds_, transposed_k_, transposed_v_, gk_, gv_;
};

void attention_backward_tasks(const AttentionBackward& arguments, const float* delta_TH,
                              const std::vector<BackwardTask>& tasks) {
  for_tasks(static_cast<int64_t>(tasks.size()), [&] {
    return [&tasks, worker = BackwardWorker(arguments, delta_TH)](int64_t task) mutable {
      worker.run(tasks[task]);
    };
  });
}

}  // namespace burnish::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace burnish::cpu {
namespace {
HWY_EXPORT(deltas);
HWY_EXPORT(attention_backward_tasks);

/// A few long segments give fewer tasks than threads: then their keys are cut into runs, at the
/// price of a partial gradient of the queries for each run but the first.
int64_t runs_a_segment(int64_t heads_and_segments) {
  constexpr int64_t most = 4;
  const int64_t wanted = at::get_num_threads() == 1 ? 1 : 2 * at::get_num_threads();
  return std::clamp<int64_t>(at::divup(wanted, heads_and_segments), 1, most);
}

}  // namespace

void attention_backward(const AttentionBackward& arguments, const Segments& segments) {
  constexpr int64_t tile = 64;
  const auto [H, K, D, scale] = arguments.shape;
  if (segments.count() == 0) return;
  std::vector<float> delta_TH(arguments.T * H);
  for_ranges(arguments.T, 64, [&](int64_t begin, int64_t end) {
    HWY_DYNAMIC_DISPATCH(deltas)(arguments, begin, end, delta_TH.data());
  });

  const int64_t runs = runs_a_segment(segments.count() * K);
  const int64_t size = arguments.T * H * D;
  std::vector<float> partial((runs - 1) * size);
  std::vector<BackwardTask> tasks;
  for (int64_t s = 0; s < segments.count(); ++s) {
    const int64_t length = segments.length(s), tiles = at::divup(length, tile);
    for (int64_t run = 0; run < std::min(runs, tiles); ++run) {
      const int64_t begin = run * tiles / std::min(runs, tiles) * tile;
      const int64_t end = std::min(length, (run + 1) * tiles / std::min(runs, tiles) * tile);
      float* gq = run == 0 ? arguments.gq_THD : partial.data() + (run - 1) * size;
      for (int64_t kv = 0; kv < K; ++kv)
        tasks.push_back({segments.begin(s), length, begin, end - begin, kv, gq});
    }
  }
  std::stable_sort(tasks.begin(), tasks.end(), [](const BackwardTask& a, const BackwardTask& b) {
    return a.cost() > b.cost();
  });
  HWY_DYNAMIC_DISPATCH(attention_backward_tasks)(arguments, delta_TH.data(), tasks);

  // the partial gradients of queries, in the order of the runs
  for (int64_t run = 1; run < runs; ++run)
    for (int64_t s = 0; s < segments.count(); ++s) {
      const int64_t tiles = at::divup(segments.length(s), tile);
      if (run >= std::min(runs, tiles)) continue;
      const int64_t first = segments.begin(s) + run * tiles / std::min(runs, tiles) * tile;
      const float* from = partial.data() + (run - 1) * size;
      at::parallel_for(first * H * D, segments.end(s) * H * D, 1 << 14,
                       [&](int64_t begin, int64_t end) {
                         for (int64_t i = begin; i < end; ++i) arguments.gq_THD[i] += from[i];
                       });
    }
}

}  // namespace burnish::cpu
#endif
