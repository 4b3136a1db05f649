// Attributes, elements and slices, as the sandboxed environment gives them.
#pragma once

#include <optional>

#include "text/template/runtime.h"

namespace burnish::jinja {

/// `object.name`: an attribute, else an entry, else undefined.
Value get_attribute(Runtime& runtime, const Value& object, std::string_view name);
/// `object[key]`: an entry, else an attribute, else undefined.
Value get_element(Runtime& runtime, const Value& object, const Value& key);

/// `object[start:stop:step]`, the parts none where left out.
Value get_slice(Runtime& runtime, const Value& object, const Value& start, const Value& stop,
                const Value& step);

/// A function of a type (str.strip, dict.items): how it is called.
using MethodFunction = Value (*)(Runtime& runtime, const Value& self, const Arguments& arguments);
struct Method {
  std::string_view name;
  MethodFunction function;  ///< nullptr: it would change the value, which the sandbox forbids
};

/// The methods of a type, in alphabetical order.
std::span<const Method> string_methods();
std::span<const Method> dict_methods();
std::span<const Method> list_methods();
std::span<const Method> tuple_methods();

/// dict.items(), keys(), values().
Value dict_view(Runtime& runtime, const Value& dict, std::string_view kind);

}  // namespace burnish::jinja
