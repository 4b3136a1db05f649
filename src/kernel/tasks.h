// Work over the threads. Which thread takes what changes nothing in its result, so runs repeat bit
// for bit.
#pragma once

#include <ATen/Parallel.h>

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace burnish::cpu {

/// at::parallel_for over [0, n): body(begin, end) for ranges of at least `grain`. What OpenMP
/// orders (what was before, the calls, what follows) stands in an atomic too: thread sanitizers do
/// not see libgomp's barriers.
template <class Body>
void for_ranges(int64_t n, int64_t grain, const Body& body) {
  std::atomic<int64_t> order{0};
  order.store(1, std::memory_order_release);
  at::parallel_for(0, n, grain, [&](int64_t begin, int64_t end) {
    order.load(std::memory_order_acquire);
    body(begin, end);
    order.fetch_add(1, std::memory_order_release);
  });
  order.load(std::memory_order_acquire);
}

/// Unequal tasks: the largest first, the next to whoever is free.
/// Calls make_worker() once in each thread and the worker that it returns with each task's index.
template <class MakeWorker>
void for_tasks(int64_t tasks, const MakeWorker& make_worker) {
  std::atomic<int64_t> next{0};
  const int64_t workers = std::min<int64_t>(tasks, at::get_num_threads());
  for_ranges(workers, 1, [&](int64_t, int64_t) {
    auto worker = make_worker();
    for (int64_t task = next++; task < tasks; task = next++) worker(task);
  });
}

}  // namespace burnish::cpu
