// Counts what libtorch allocates for tensors, and can refuse some of it.
#pragma once

#include <cstddef>
#include <memory>

namespace burnish::testing_tools {

/// In effect while it lives; one at a time.
class CountedMemory {
 public:
  /// @param refused_bytes  an allocation of just this size fails as libtorch's own do; 0: none
  explicit CountedMemory(size_t refused_bytes = 0);
  ~CountedMemory();
  CountedMemory(const CountedMemory&) = delete;
  CountedMemory& operator=(const CountedMemory&) = delete;

  /// The most bytes that were alive at once since the beginning, or since the last call.
  size_t take_peak();
  size_t alive() const;

 private:
  struct Allocator;
  std::unique_ptr<Allocator> allocator_;
};

}  // namespace burnish::testing_tools
