#pragma once

#include <cstddef>

namespace burnish {

/// A half-open range of bytes of a UTF-8 text.
struct ByteSpan {
  size_t begin = 0, end = 0;
  bool operator==(const ByteSpan&) const = default;
};

}  // namespace burnish
