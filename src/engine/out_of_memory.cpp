#include "engine/out_of_memory.h"

#include <c10/util/Exception.h>

#include <new>
#include <string_view>

namespace burnish {

bool is_out_of_memory(const std::exception& failure) {
  if (dynamic_cast<const std::bad_alloc*>(&failure) != nullptr) return true;
  if (dynamic_cast<const c10::OutOfMemoryError*>(&failure) != nullptr) return true;
  // the CPU's allocator throws the general type: only its text tells
  const auto* error = dynamic_cast<const c10::Error*>(&failure);
  return error != nullptr &&
         std::string_view(error->what_without_backtrace()).find("can't allocate memory") !=
             std::string_view::npos;
}

}  // namespace burnish
