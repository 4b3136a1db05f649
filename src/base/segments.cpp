#include "base/segments.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/error.h"

namespace burnish {

Segments::Segments(std::vector<int32_t> cu_seqlens) : cu_seqlens_(std::move(cu_seqlens)) {
  if (cu_seqlens_.empty() || cu_seqlens_.front() != 0)
    throw Error(ErrorCode::internal, "cu_seqlens must begin with 0");
  for (size_t i = 1; i < cu_seqlens_.size(); ++i) {
    if (cu_seqlens_[i] <= cu_seqlens_[i - 1])
      throw Error(ErrorCode::internal, "cu_seqlens must increase strictly, but entry " +
                                           std::to_string(i) + " is " +
                                           std::to_string(cu_seqlens_[i]) + " after " +
                                           std::to_string(cu_seqlens_[i - 1]));
  }
}

Segments Segments::from_positions(std::span<const int64_t> positions) {
  std::vector<int32_t> cu_seqlens{0};
  for (size_t t = 1; t < positions.size(); ++t)
    if (positions[t] != positions[t - 1] + 1) cu_seqlens.push_back(static_cast<int32_t>(t));
  if (!positions.empty()) cu_seqlens.push_back(static_cast<int32_t>(positions.size()));
  return Segments(std::move(cu_seqlens));
}

int32_t Segments::longest() const {
  int32_t longest = 0;
  for (int64_t s = 0; s < count(); ++s) longest = std::max(longest, length(s));
  return longest;
}

std::vector<int64_t> Segments::positions() const {
  std::vector<int64_t> positions;
  positions.reserve(num_tokens());
  for (int64_t s = 0; s < count(); ++s)
    for (int32_t p = 0; p < length(s); ++p) positions.push_back(p);
  return positions;
}

int64_t Segments::causal_pairs() const {
  int64_t pairs = 0;
  for (int64_t s = 0; s < count(); ++s) pairs += int64_t{length(s)} * (length(s) + 1) / 2;
  return pairs;
}

void Segments::append(const Segments& other) {
  const int32_t offset = cu_seqlens_.back();
  for (int64_t s = 0; s < other.count(); ++s) cu_seqlens_.push_back(offset + other.end(s));
}

}  // namespace burnish
