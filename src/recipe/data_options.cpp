#include "recipe/data_options.h"

#include <algorithm>
#include <thread>

#include "base/date.h"
#include "base/log.h"

namespace burnish {
namespace {

/// The recipe's date, which was checked when it was read; without one today's.
std::time_t time_of(const std::string& date) {
  return parse_date(date.empty() ? utc_now().substr(0, 10) : date).value();
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
