#include "data/prefetch.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/error.h"

namespace burnish {

PreparedStep prepare_step(RowStream& stream, const BatchOptions& options) {
  if (options.global_batch_rows < 1)
    throw Error(ErrorCode::recipe,
                "must be 1 or more, not " + std::to_string(options.global_batch_rows),
                "train.global_batch_rows");
  PreparedStep step;
  step.epoch = stream.state().epoch;
  std::vector<Row> rows;
  while (!step.ends_epoch && static_cast<int64_t>(rows.size()) < options.global_batch_rows) {
    rows.push_back(stream.next());
    step.ends_epoch = stream.state().epoch != step.epoch;
  }
  step.batches = make_step(std::move(rows), options);
  step.state_after = stream.state();
  return step;
}

StepPrefetcher::StepPrefetcher(RowStream stream, BatchOptions options, int depth)
    : stream_(std::move(stream)),
      options_(options),
      depth_(static_cast<size_t>(std::max(depth, 1))),
      thread_([this] { work(); }) {}

StepPrefetcher::~StepPrefetcher() {
  {
    const std::scoped_lock lock(mutex_);
    stop_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void StepPrefetcher::work() {
  while (true) {
    try {
      PreparedStep step = prepare_step(stream_, options_);
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return stop_ || ready_.size() < depth_; });
      if (stop_) return;
      ready_.push_back(std::move(step));
    } catch (...) {
      const std::scoped_lock lock(mutex_);
      failure_ = std::current_exception();
    }
    changed_.notify_all();
    const std::scoped_lock lock(mutex_);
    if (stop_ || failure_) return;
  }
}

PreparedStep StepPrefetcher::next() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return failure_ || !ready_.empty(); });
  if (ready_.empty()) std::rethrow_exception(failure_);
  PreparedStep step = std::move(ready_.front());
  ready_.pop_front();
  lock.unlock();
  changed_.notify_all();
  return step;
}

}  // namespace burnish
