// What a foreign pipeline may make of a text: replacements in a row could double it at every step.
#pragma once

#include <cstddef>
#include <string>

#include "base/error.h"

namespace burnish {

class GrowthLimit {
 public:
  /// @param bytes  of the text before
  explicit GrowthLimit(size_t bytes) : before_(bytes) {}

  /// @throws Error(data) when `bytes` is far more than before.
  void check(size_t bytes) const {
    if (bytes > most()) refuse();
  }

 private:
  size_t most() const { return before_ * 32 + 4096; }
  [[noreturn]] void refuse() const {
    throw Error(ErrorCode::data, "the tokenizer makes more than " + std::to_string(most()) +
                                     " bytes of a text of " + std::to_string(before_));
  }
  size_t before_;
};

}  // namespace burnish
