#include "data/sample.h"

#include <algorithm>

namespace burnish {

int64_t Row::num_targets() const {
  return std::count_if(labels.begin(), labels.end(),
                       [](int32_t label) { return label != kIgnoreLabel; });
}

void append_segment(Row& row, std::span<const int32_t> ids, std::span<const uint8_t> target) {
  if (ids.empty()) return;
  row.ids.insert(row.ids.end(), ids.begin(), ids.end());
  for (size_t t = 1; t < ids.size(); ++t)
    row.labels.push_back(target[t] != 0 ? ids[t] : kIgnoreLabel);
  row.labels.push_back(kIgnoreLabel);  // the last token has no successor in its segment
  row.segments.append(Segments({0, static_cast<int32_t>(ids.size())}));
}

}  // namespace burnish
