// The filters (value | name) and tests (value is name).
#pragma once

#include "text/template/runtime.h"

namespace burnish::jinja {

using FilterFunction = Value (*)(Runtime& runtime, const Value& input, const Arguments& arguments);
using TestFunction = bool (*)(Runtime& runtime, const Value& input, const Arguments& arguments);

/// nullptr if there is no such filter (test).
FilterFunction find_filter(std::string_view name);
TestFunction find_test(std::string_view name);

struct NamedFilter {
  std::string_view name;
  FilterFunction function;
};
std::span<const NamedFilter> text_filters();
std::span<const NamedFilter> markup_filters();
std::span<const NamedFilter> number_filters();
std::span<const NamedFilter> sequence_filters();
std::span<const NamedFilter> lazy_filters();

/// A key for sorting and grouping: `attribute` (dots go deeper, digits are positions; none: the
/// item itself), lower case unless `case_sensitive`.
Value sort_key(Runtime& runtime, const Value& item, const Value& attribute, bool case_sensitive,
               const Value* otherwise = nullptr);
/// The attribute without lower-casing; `otherwise` stands in for undefined.
Value attribute_at(Runtime& runtime, const Value& item, const Value& attribute,
                   const Value* otherwise = nullptr);

}  // namespace burnish::jinja
