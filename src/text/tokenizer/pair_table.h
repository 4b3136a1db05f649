// (left id, right id) -> (rank, merged id), in one flat table.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>
#include <vector>

#include "text/tokenizer/hashing.h"

namespace burnish {

struct Merge {
  uint32_t rank = std::numeric_limits<uint32_t>::max();  ///< the largest number: no such merge
  int32_t id = -1;
  bool exists() const { return id >= 0; }
};

class PairTable {
 public:
  explicit PairTable(size_t num_pairs = 0) : slots_(std::bit_ceil(num_pairs * 2 + 2)) {}

  /// A pair that is there already gets the new merge. At most `num_pairs` pairs.
  void set(int32_t left, int32_t right, Merge merge) {
    Slot& slot = slots_[slot_of(key_of(left, right))];
    slot = {key_of(left, right), merge};
  }

  Merge find(int32_t left, int32_t right) const {
    return slots_[slot_of(key_of(left, right))].merge;
  }

 private:
  static constexpr uint64_t kFree = ~uint64_t{0};
  struct Slot {
    uint64_t key = kFree;
    Merge merge;
  };

  static uint64_t key_of(int32_t left, int32_t right) {
    return uint64_t{static_cast<uint32_t>(left)} << 32 | static_cast<uint32_t>(right);
  }

  // Where the key is, or else the free slot where it would be.
  size_t slot_of(uint64_t key) const {
    const size_t mask = slots_.size() - 1;
    size_t slot = mix(key, 0x9E3779B97F4A7C15) & mask;
    while (slots_[slot].key != key && slots_[slot].key != kFree) slot = (slot + 1) & mask;
    return slot;
  }

  std::vector<Slot> slots_;
};

}  // namespace burnish
