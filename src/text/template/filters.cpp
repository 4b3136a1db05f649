#include "text/template/filters.h"

#include "text/template/access.h"
#include "text/template/string_operations.h"

namespace burnish::jinja {
namespace {

Value part_of_path(Runtime& runtime, std::string_view part) {
  const bool digits =
      !part.empty() && part.find_first_not_of("0123456789") == std::string_view::npos;
  if (!digits || part.size() > 9) return runtime.text(part);
  return Value::of(static_cast<int64_t>(std::stoi(std::string(part))));
}

}  // namespace

FilterFunction find_filter(std::string_view name) {
  for (const auto filters :
       {text_filters(), markup_filters(), sequence_filters(), lazy_filters(), number_filters()}) {
    for (const NamedFilter& filter : filters) {
      if (filter.name == name) return filter.function;
    }
  }
  return nullptr;
}

Value attribute_at(Runtime& runtime, const Value& item, const Value& attribute,
                   const Value* otherwise) {
  if (attribute.is_none()) return item;
  const auto step = [&](const Value& value, const Value& part) {
    const Value next = get_element(runtime, value, part);
    const bool replaced = next.is_undefined() && otherwise != nullptr && !otherwise->is_none();
    return replaced ? *otherwise : next;
  };
  if (!attribute.is_string()) return step(item, attribute);
  Value value = item;
  std::string_view rest = attribute.view();
  while (true) {
    const size_t dot = rest.find('.');
    value = step(value, part_of_path(runtime, rest.substr(0, dot)));
    if (dot == std::string_view::npos) return value;
    rest.remove_prefix(dot + 1);
  }
}

Value sort_key(Runtime& runtime, const Value& item, const Value& attribute, bool case_sensitive,
               const Value* otherwise) {
  const Value key = attribute_at(runtime, item, attribute, otherwise);
  if (case_sensitive || !key.is_string()) return key;
  return Value::of(change_case(runtime, *key.text, Case::lower));
}

}  // namespace burnish::jinja
