#include "recipe/data_pins.h"

#include <algorithm>

#include "hub/remote_data.h"

namespace burnish {
namespace {

void pin(DataSource& source, const HubSettings& settings) {
  if (is_remote_data(source.source)) source.source = pinned_remote_data(source.source, settings);
}

void keep_pin(DataSource& source, const DataSource& before) {
  if (!is_remote_data(source.source) || !is_remote_data(before.source)) return;
  const RemoteDataName now = parse_remote_data(source.source);
  const RemoteDataName then = parse_remote_data(before.source);
  if (now.name.repository == then.name.repository && now.path == then.path &&
      !is_commit(now.name.revision))
    source.source = before.source;
}

}  // namespace

void pin_data(DataRecipe& data, const HubSettings& settings) {
  for (DataSource& source : data.train) pin(source, settings);
  for (auto& [name, source] : data.evaluation) pin(source, settings);
}

void keep_pins(DataRecipe& data, const DataRecipe& before) {
  for (size_t i = 0; i < std::min(data.train.size(), before.train.size()); ++i)
    keep_pin(data.train[i], before.train[i]);
  for (auto& [name, source] : data.evaluation) {
    const auto then = before.evaluation.find(name);
    if (then != before.evaluation.end()) keep_pin(source, then->second);
  }
}

}  // namespace burnish
