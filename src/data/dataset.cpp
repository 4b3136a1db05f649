#include "data/dataset.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <limits>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

#include "base/error.h"
#include "base/hash.h"
#include "data/rows_file.h"

namespace burnish {
namespace {

bool is_of_the_row(const Error& error) {
  return error.code() == ErrorCode::data || error.code() == ErrorCode::unsupported;
}

// Renders rows on several threads; what is kept does not depend on their number.
class ParallelRender {
 public:
  ParallelRender(std::vector<Conversation> rows, const TextFiles& text,
                 const DatasetOptions& options)
      : rows_(std::move(rows)),
        text_(text),
        options_(options),
        rendered_(rows_.size()),
        refused_(rows_.size()) {}

  void run() {
    const size_t threads = std::clamp<size_t>(static_cast<size_t>(std::max(options_.threads, 1)), 1,
                                              std::max<size_t>(rows_.size() / kRowsATime, 1));
    std::vector<std::thread> others;
    for (size_t i = 1; i < threads; ++i) others.emplace_back([this] { work(); });
    work();
    for (std::thread& thread : others) thread.join();
    if (failure_) std::rethrow_exception(failure_);
  }

  void move_into(Dataset& dataset) {
    for (size_t i = 0; i < rows_.size(); ++i) {
      if (refused_[i].empty())
        dataset.samples.push_back(std::move(rendered_[i]));
      else
        dataset.bad_lines.push_back({rows_[i].where, std::move(refused_[i])});
    }
  }

 private:
  static constexpr size_t kRowsATime = 16;

  void work() {
    while (true) {
      const size_t begin = next_.fetch_add(kRowsATime);
      if (begin >= rows_.size()) return;
      for (size_t i = begin; i < std::min(begin + kRowsATime, rows_.size()); ++i) {
        if (i > failed_.load()) return;  // an earlier row already ended it
        render(i);
      }
    }
  }

  void render(size_t i) {
    try {
      rendered_[i] = render_sample(rows_[i], text_, options_.render).sample;
      rows_[i].messages.clear();
      rows_[i].text.clear();
    } catch (const Error& error) {
      if (options_.skip_bad_lines && is_of_the_row(error))
        refused_[i] = error.fact();
      else
        fail(i);
    } catch (...) {
      fail(i);
    }
  }

  // The error of the first row in file order is the one that is reported.
  void fail(size_t i) {
    const std::scoped_lock lock(mutex_);
    if (i >= failed_.load()) return;
    failed_ = i;
    failure_ = std::current_exception();
  }

  std::vector<Conversation> rows_;
  const TextFiles& text_;
  const DatasetOptions& options_;
  std::vector<Sample> rendered_;
  std::vector<std::string> refused_;  // the reason, for rows that are skipped
  std::atomic<size_t> next_ = 0;
  std::atomic<size_t> failed_ = std::numeric_limits<size_t>::max();
  std::mutex mutex_;
  std::exception_ptr failure_;
};

DataCounts counts_of(const Dataset& dataset) {
  DataCounts counts;
  counts.samples = static_cast<int64_t>(dataset.samples.size());
  counts.bad_lines = static_cast<int64_t>(dataset.bad_lines.size());
  for (const Sample& sample : dataset.samples) {
    counts.tokens += static_cast<int64_t>(sample.ids.size());
    counts.targets += std::count(sample.target.begin(), sample.target.end(), uint8_t{1});
  }
  return counts;
}

}  // namespace

Dataset load_dataset(const DatasetOptions& options, const TextFiles& text) {
  Dataset dataset;
  Hash hash(HashKind::sha256);
  if (options.files.empty()) throw Error(ErrorCode::data, "no data file is named");
  for (const std::string& file : options.files) {
    RowsOfFile read = read_rows(file, {options.format, options.skip_bad_lines, false}, &hash);
    const auto begin = static_cast<int64_t>(dataset.bad_lines.size());
    dataset.bad_lines.insert(dataset.bad_lines.end(), read.bad_lines.begin(), read.bad_lines.end());
    ParallelRender render(std::move(read.rows), text, options);
    render.run();
    render.move_into(dataset);
    std::sort(dataset.bad_lines.begin() + begin, dataset.bad_lines.end(),
              [](const BadLine& a, const BadLine& b) { return a.where.line < b.where.line; });
  }
  dataset.sha256 = hash.hex();
  dataset.counts = counts_of(dataset);
  if (dataset.samples.empty()) {
    const BadLine& first = dataset.bad_lines.front();
    throw Error(ErrorCode::data,
                "nothing is left to train on: all " + std::to_string(dataset.bad_lines.size()) +
                    " rows were skipped, this one first: " + first.reason,
                place_of(first.where));
  }
  return dataset;
}

}  // namespace burnish
