// Unequal tasks over the threads: the largest first, the next to whoever is free. Which thread
// takes a task changes nothing in its result, so runs repeat bit for bit.
#pragma once

#include <ATen/Parallel.h>

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace burnish::cpu {

/// Calls make_worker() once in each thread and the worker that it returns with each task's index.
template <class MakeWorker>
void for_tasks(int64_t tasks, const MakeWorker& make_worker) {
  std::atomic<int64_t> next{0};
  const int64_t workers = std::min<int64_t>(tasks, at::get_num_threads());
  at::parallel_for(0, workers, 1, [&](int64_t, int64_t) {
    auto worker = make_worker();
    for (int64_t task = next++; task < tasks; task = next++) worker(task);
  });
}

}  // namespace burnish::cpu
