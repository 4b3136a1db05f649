// Filters that walk over their input at once.
#include <algorithm>
#include <vector>

#include "text/template/access.h"
#include "text/template/filters.h"
#include "text/template/iterate.h"
#include "text/template/operators.h"
#include "text/template/parameters.h"
#include "text/template/python_text.h"
#include "text/template/unicode.h"

namespace burnish::jinja {
namespace {

Value filter_length(Runtime& runtime, const Value& input, const Arguments& arguments) {
  Parameters("length", arguments, {});
  const int64_t length = length_of(runtime, input);
  if (length < 0) {
    fail("TypeError", "object of type '" + std::string(type_name(input)) + "' has no len()");
  }
  return Value::of(length);
}

Value filter_default(Runtime& runtime, const Value& input, const Arguments& arguments) {
  const Parameters given("default", arguments, {"default_value", "boolean"});
  const bool replaced =
      input.is_undefined() || (is_true(runtime, given.get(1)) && !is_true(runtime, input));
  if (!replaced) return input;
  return given.has(0) ? given.get(0) : Value::of(make_text(runtime.arena, ""));
}

Value filter_first(Runtime& runtime, const Value& input, const Arguments& arguments) {
  Parameters("first", arguments, {});
  Value item;
  if (iterate(runtime, input)->next(runtime, item)) return item;
  return runtime.undefined("No first item, sequence was empty.");
}

Value filter_last(Runtime& runtime, const Value& input, const Arguments& arguments) {
  Parameters("last", arguments, {});
  if (input.is_sequence() && input.list->size > 0) return input.list->items[input.list->size - 1];
  Value item;
  if (iterate(runtime, reversed(runtime, input))->next(runtime, item)) return item;
  return runtime.undefined("No last item, sequence was empty.");
}

Value filter_list(Runtime& runtime, const Value& input, const Arguments& arguments) {
  Parameters("list", arguments, {});
  return Value::list_of(to_list(runtime, input)).with_origin(input.tag());
}

Value filter_reverse(Runtime& runtime, const Value& input, const Arguments& arguments) {
  Parameters("reverse", arguments, {});
  if (input.is_string()) {
    return get_slice(runtime, input, Value::none(), Value::none(), Value::of(int64_t{-1}));
  }
  if (!input.is(Type::object) || input.object->as_view(runtime) != nullptr) {
    if (is_iterable(runtime, input)) return reversed(runtime, input);
  } else if (is_iterable(runtime, input)) {
    const Value items = Value::list_of(to_list(runtime, input));
    return Value::list_of(to_list(runtime, reversed(runtime, items)));
  }
  fail("FilterArgumentError", "argument must be iterable");
}

Value filter_attr(Runtime& runtime, const Value& input, const Arguments& arguments) {
  const Parameters given("attr", arguments, {"name"}, 1);
  const Str* name = given.string(0);
  // of a dict only its methods are attributes, its entries are not
  if (input.is(Type::dict)) {
    Dict* empty = make_dict(runtime);
    const Value attribute =
        get_attribute(runtime, Value::of(static_cast<const Dict*>(empty)), name->view());
    if (attribute.is_undefined()) return runtime.no_attribute(input, name->view());
  }
  return get_attribute(runtime, input, name->view());
}

/// Keys of one or several attributes ("a,b.c").
Value sort_keys(Runtime& runtime, const Value& item, const Value& attribute, bool case_sensitive) {
  if (!attribute.is_string() || attribute.view().find(',') == std::string_view::npos) {
    return sort_key(runtime, item, attribute, case_sensitive);
  }
  ListBuilder keys(runtime.arena);
  std::string_view rest = attribute.view();
  while (true) {
    const size_t comma = rest.find(',');
    keys.append(sort_key(runtime, item, runtime.text(rest.substr(0, comma)), case_sensitive));
    if (comma == std::string_view::npos) break;
    rest.remove_prefix(comma + 1);
  }
  return Value::list_of(keys.finish());
}

/// Stable; equal items keep their order in reverse too, as in Python.
const List* sorted(Runtime& runtime, const List& items, std::span<const Value> keys, bool reverse) {
  std::vector<uint32_t> order(items.size);
  for (uint32_t i = 0; i < items.size; ++i) order[i] = i;
  const auto before = [&](uint32_t a, uint32_t b) {
    runtime.charge(1);
    return reverse ? less(runtime, keys[b], keys[a]) : less(runtime, keys[a], keys[b]);
  };
  std::stable_sort(order.begin(), order.end(), before);
  ListBuilder result(runtime.arena, items.size);
  for (uint32_t i : order) result.append(items.items[i]);
  return result.finish();
}

template <class Key>
std::vector<Value> keys_of(const List& items, Key key) {
  std::vector<Value> keys;
  keys.reserve(items.size);
  for (uint32_t i = 0; i < items.size; ++i) keys.push_back(key(items.items[i]));
  return keys;
}

Value filter_sort(Runtime& runtime, const Value& input, const Arguments& arguments) {
  const Parameters given("sort", arguments, {"reverse", "case_sensitive", "attribute"});
  const List& items = *to_list(runtime, input);
  const bool sensitive = is_true(runtime, given.get(1));
  const auto keys = keys_of(
      items, [&](const Value& item) { return sort_keys(runtime, item, given.get(2), sensitive); });
  return Value::list_of(sorted(runtime, items, keys, is_true(runtime, given.get(0))));
}

Value filter_dictsort(Runtime& runtime, const Value& input, const Arguments& arguments) {
  const Parameters given("dictsort", arguments, {"case_sensitive", "by", "reverse"});
  const std::string_view by = given.has(1) ? given.string(1)->view() : "key";
  if (by != "key" && by != "value") {
    fail("FilterArgumentError", "You can only sort by either \"key\" or \"value\"");
  }
  if (input.is_undefined()) fail_undefined(input);
  if (!input.is(Type::dict)) {
    fail("AttributeError",
         "'" + std::string(type_name(input)) + "' object has no attribute 'items'");
  }
  const List& pairs = *to_list(runtime, dict_view(runtime, input, "items"));
  const bool sensitive = is_true(runtime, given.get(0));
  const auto keys = keys_of(pairs, [&](const Value& pair) {
    const Value& key = pair.list->items[by == "key" ? 0 : 1];
    return sort_key(runtime, key, Value::none(), sensitive);
  });
  return Value::list_of(sorted(runtime, pairs, keys, is_true(runtime, given.get(2))));
}

template <bool kMost>
Value filter_extreme(Runtime& runtime, const Value& input, const Arguments& arguments) {
  const Parameters given(kMost ? "max" : "min", arguments, {"case_sensitive", "attribute"});
  const bool sensitive = is_true(runtime, given.get(0));
  Iterator* iterator = iterate(runtime, input);
  Value best, best_key;
  if (!iterator->next(runtime, best)) {
    return runtime.undefined("No aggregated item, sequence was empty.");
  }
  best_key = sort_key(runtime, best, given.get(1), sensitive);
  for (Value item; iterator->next(runtime, item);) {
    runtime.charge(1);
    const Value key = sort_key(runtime, item, given.get(1), sensitive);
    if (kMost ? less(runtime, best_key, key) : less(runtime, key, best_key)) {
      best = item;
      best_key = key;
    }
  }
  return best;
}

Value filter_sum(Runtime& runtime, const Value& input, const Arguments& arguments) {
  const Parameters given("sum", arguments, {"attribute", "start"});
  Value sum = given.has(1) ? given.get(1) : Value::of(int64_t{0});
  if (sum.is_string()) fail("TypeError", "sum() can't sum strings [use ''.join(seq) instead]");
  Iterator* iterator = iterate(runtime, input);
  for (Value item; iterator->next(runtime, item);) {
    runtime.charge(1);
    sum = calculate(runtime, Arithmetic::add, sum, attribute_at(runtime, item, given.get(0)));
  }
  return sum;
}

Value filter_groupby(Runtime& runtime, const Value& input, const Arguments& arguments) {
  const Parameters given("groupby", arguments, {"attribute", "default", "case_sensitive"}, 1);
  const bool sensitive = is_true(runtime, given.get(2));
  const Value otherwise = given.get(1), attribute = given.get(0);
  const List& items = *to_list(runtime, input);
  const auto key_of = [&](const Value& item) {
    return sort_key(runtime, item, attribute, sensitive, &otherwise);
  };
  const List& ordered = *sorted(runtime, items, keys_of(items, key_of), false);
  ListBuilder groups(runtime.arena);
  for (uint32_t begin = 0; begin < ordered.size;) {
    const Value key = key_of(ordered.items[begin]);
    uint32_t end = begin + 1;
    while (end < ordered.size && equal(runtime, key, key_of(ordered.items[end]))) ++end;
    const Value members[] = {
        attribute_at(runtime, ordered.items[begin], attribute, &otherwise),
        runtime.list({ordered.items + begin, end - begin}),
    };
    List* pair = runtime.arena.make<List>(*runtime.tuple(members).list);
    pair->is_group = true;
    groups.append(Value::tuple_of(pair));
    begin = end;
  }
  return Value::list_of(groups.finish());
}

constexpr NamedFilter kFilters[] = {
    {"length", filter_length},     {"count", filter_length},      {"default", filter_default},
    {"d", filter_default},         {"first", filter_first},       {"last", filter_last},
    {"list", filter_list},         {"reverse", filter_reverse},   {"attr", filter_attr},
    {"sort", filter_sort},         {"dictsort", filter_dictsort}, {"min", filter_extreme<false>},
    {"max", filter_extreme<true>}, {"sum", filter_sum},           {"groupby", filter_groupby},
};

}  // namespace

std::span<const NamedFilter> sequence_filters() {
  return kFilters;
}

}  // namespace burnish::jinja
