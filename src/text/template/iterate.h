// Walking over values.
#pragma once

#include "text/template/runtime.h"

namespace burnish::jinja {

/// iter(value). @throws Failure(TypeError) if it cannot be iterated.
Iterator* iterate(Runtime& runtime, const Value& value);
bool is_iterable(Runtime& runtime, const Value& value);

/// list(value): shares the memory of a list.
const List* to_list(Runtime& runtime, const Value& value);

/// len(value); -1 if it has none.
int64_t length_of(Runtime& runtime, const Value& value);

/// reversed(value) as an iterator. @throws Failure(TypeError).
Value reversed(Runtime& runtime, const Value& value);

}  // namespace burnish::jinja
