// One thread that makes the steps ahead.
#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

#include "data/row_stream.h"

namespace burnish {

/// A step and the state of the stream behind it: what a checkpoint after this step must hold.
struct PreparedStep {
  StepBatches batches;
  StreamState state_after;
  int64_t epoch = 0;  ///< the epoch that these rows belong to
  bool ends_epoch = false;
};

/// The next `global_batch_rows` rows of the stream as a step; fewer at an epoch's end.
PreparedStep prepare_step(RowStream& stream, const BatchOptions& options);

/// Safe to destroy at any time, also while a step is being made. For one consuming thread.
class StepPrefetcher {
 public:
  /// Takes the stream where it stands; keeps up to `depth` steps (1 or more) ready.
  StepPrefetcher(RowStream stream, BatchOptions options, int depth = 2);
  ~StepPrefetcher();
  StepPrefetcher(const StepPrefetcher&) = delete;
  StepPrefetcher& operator=(const StepPrefetcher&) = delete;
  /// Blocks. Rethrows what the thread threw, after the steps that were ready before.
  PreparedStep next();

 private:
  void work();
  RowStream stream_;
  BatchOptions options_;
  size_t depth_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<PreparedStep> ready_;
  std::exception_ptr failure_;
  bool stop_ = false;
  std::thread thread_;
};

}  // namespace burnish
