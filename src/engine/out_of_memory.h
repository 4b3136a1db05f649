// Whether a failure is that of an allocation.
#pragma once

#include <exception>

namespace burnish {

/// std::bad_alloc, and what libtorch's allocators throw.
bool is_out_of_memory(const std::exception& failure);

}  // namespace burnish
