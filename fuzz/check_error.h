// What a fuzzer expects of an Error: bad input, not a broken promise, in words that can be printed.
#pragma once

#include <cstdlib>

#include "base/error.h"
#include "format/utf8.h"

namespace burnish::fuzz {

inline void check(const Error& error) {
  if (error.code() == ErrorCode::internal || !is_utf8(error.what())) std::abort();
}

}  // namespace burnish::fuzz
