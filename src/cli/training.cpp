#include "cli/training.h"

#include <filesystem>

#include "base/log.h"
#include "measure/process.h"
#include "report/html.h"

namespace burnish {
namespace {

void report_on(const std::filesystem::path& run) {
  try {
    if (std::filesystem::exists(run / "metrics.jsonl")) write_report(run);
  } catch (const std::exception& error) {
    log_warning(std::string("no report: ") + error.what());
  }
}

}  // namespace

double start_of_work_s() {
  constexpr double kLongestStart_s = 5;
  const double now = realtime_s(), start = process_start_s();
  return now - start > kLongestStart_s ? now : start;
}

TrainSummary train_and_report(const TrainRequest& request) {
  try {
    TrainSummary summary = open_engine().train(request);
    report_on(request.recipe.output);
    return summary;
  } catch (...) {
    report_on(request.recipe.output);
    throw;
  }
}

}  // namespace burnish
