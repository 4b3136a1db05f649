#include "text/template/parameters.h"

#include <algorithm>

#include "text/template/operators.h"

namespace burnish::jinja {

Parameters::Parameters(std::string_view function, const Arguments& arguments,
                       std::initializer_list<std::string_view> names, size_t required)
    : function_(function) {
  const std::string call = std::string(function) + "()";
  if (arguments.positional.size() > names.size()) {
    fail("TypeError", call + " takes at most " + std::to_string(names.size()) + " arguments (" +
                          std::to_string(arguments.positional.size()) + " given)");
  }
  for (size_t i = 0; i < arguments.positional.size(); ++i) values_[i] = &arguments.positional[i];
  for (const Keyword& keyword : arguments.keywords) {
    const auto found = std::find(names.begin(), names.end(), keyword.name);
    const auto index = static_cast<size_t>(found - names.begin());
    if (found == names.end()) {
      fail("TypeError",
           call + " got an unexpected keyword argument '" + std::string(keyword.name) + "'");
    }
    if (values_[index] != nullptr) {
      fail("TypeError",
           call + " got multiple values for argument '" + std::string(keyword.name) + "'");
    }
    values_[index] = &keyword.value;
  }
  for (size_t i = 0; i < required; ++i) {
    if (values_[i] == nullptr) {
      fail("TypeError", call + " misses the argument '" + std::string(names.begin()[i]) + "'");
    }
  }
}

int64_t Parameters::integer(size_t index, int64_t otherwise) const {
  if (!has(index)) return otherwise;
  const Value& value = *values_[index];
  if (value.is_undefined()) fail_undefined(value);
  if (!value.is_index()) {
    fail("TypeError", std::string(function_) + "(): '" + std::string(type_name(value)) +
                          "' object cannot be interpreted as an integer");
  }
  return value.index();
}

const Str* Parameters::string(size_t index) const {
  const Value value = get(index);
  if (!value.is_string()) {
    fail("TypeError", std::string(function_) + "() argument " + std::to_string(index + 1) +
                          " must be str, not " + std::string(type_name(value)));
  }
  return value.text;
}

const Str* Parameters::optional_string(size_t index) const {
  return has_value(index) ? string(index) : nullptr;
}

}  // namespace burnish::jinja
