#include "recipe/data_options.h"

#include <algorithm>
#include <ctime>
#include <thread>

#include "base/log.h"

namespace burnish {
namespace {

/// The start of that day, UTC; of today where the recipe gives none, as `burnish train` does.
std::time_t time_of(const std::string& date) {
  std::tm parts{};
  ::strptime(date.empty() ? utc_now().c_str() : date.c_str(), "%Y-%m-%d", &parts);
  return ::timegm(&parts);
}

}  // namespace

DatasetOptions dataset_options(const DataRecipe& data, const std::vector<DataSource>& sources) {
  DatasetOptions options;
  for (const DataSource& source : sources) options.files.push_back(source.source);
  options.format = sources.front().format;
  options.skip_bad_lines = data.skip_bad_lines;
  options.render.mask = data.mask;
  options.render.trailing_newline = data.mask_trailing_newline;
  options.render.plain_content = data.content_tokens == "plain";
  options.render.now = time_of(data.date);
  options.threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  return options;
}

PackOptions pack_options(const DataRecipe& data, bool shuffled) {
  PackOptions options;
  options.sequence_length = data.sequence_length;
  options.packing = data.packing;
  options.overlong = data.overlong;
  if (shuffled && data.shuffle_seed)
    options.shuffle_seed = static_cast<uint64_t>(*data.shuffle_seed);
  return options;
}

}  // namespace burnish
