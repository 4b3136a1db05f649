// Where documents begin and end in a row of tokens. Every operation that mixes tokens takes one:
// a segment never sees another.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace burnish {

class Segments {
 public:
  Segments() : cu_seqlens_{0} {}

  /// @param cu_seqlens 0, end of the first segment, ..., number of tokens; strictly increasing.
  /// @throws Error(internal) where it is not.
  explicit Segments(std::vector<int32_t> cu_seqlens);

  /// A new segment wherever a position does not follow its predecessor by one.
  static Segments from_positions(std::span<const int64_t> positions);

  int64_t num_tokens() const { return cu_seqlens_.back(); }
  int64_t count() const { return static_cast<int64_t>(cu_seqlens_.size()) - 1; }
  int32_t begin(int64_t segment) const { return cu_seqlens_[segment]; }
  int32_t end(int64_t segment) const { return cu_seqlens_[segment + 1]; }
  int32_t length(int64_t segment) const { return end(segment) - begin(segment); }
  int32_t longest() const;

  /// Positions that restart at 0 with each segment, one a token.
  std::vector<int64_t> positions() const;

  /// Attended (query, key) pairs of causal attention: the sum of n (n + 1) / 2.
  int64_t causal_pairs() const;

  /// Lays `other` behind this one.
  void append(const Segments& other);

  std::span<const int32_t> cu_seqlens() const { return cu_seqlens_; }
  bool operator==(const Segments&) const = default;

 private:
  std::vector<int32_t> cu_seqlens_;
};

}  // namespace burnish
