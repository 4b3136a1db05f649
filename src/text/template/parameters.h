// Binding the arguments of a call to the parameters of a built-in function.
#pragma once

#include <array>
#include <initializer_list>

#include "text/template/runtime.h"

namespace burnish::jinja {

class Parameters {
 public:
  /// @param names in order; the first `required` must be given
  /// @throws Failure(TypeError) for a missing, unknown, doubled or surplus argument.
  Parameters(std::string_view function, const Arguments& arguments,
             std::initializer_list<std::string_view> names, size_t required = 0);

  bool has(size_t index) const { return values_[index] != nullptr; }
  /// The argument, or none.
  Value get(size_t index) const { return has(index) ? *values_[index] : Value::none(); }
  bool has_value(size_t index) const { return has(index) && !values_[index]->is_none(); }

  /// @throws Failure(TypeError) for another type.
  int64_t integer(size_t index, int64_t otherwise) const;
  const Str* string(size_t index) const;
  /// The string, or nullptr for none and where it is left out.
  const Str* optional_string(size_t index) const;

 private:
  static constexpr size_t kMost = 8;
  std::string_view function_;
  std::array<const Value*, kMost> values_{};
};

}  // namespace burnish::jinja
