#include <algorithm>
#include <cmath>
#include <functional>

#include "text/template/iterate.h"
#include "text/template/operators.h"
#include "text/template/string_operations.h"

namespace burnish::jinja {
namespace {

void check_depth(int depth) {
  if (depth > kMaxNesting) fail("RecursionError", "lists are nested too deeply");
}

bool equal_items(Runtime& runtime, std::span<const Value> left, std::span<const Value> right,
                 int depth) {
  if (left.size() != right.size()) return false;
  runtime.charge(left.size());  // the same lists may stand there many times
  for (size_t i = 0; i < left.size(); ++i) {
    if (!equal(runtime, left[i], right[i], depth)) return false;
  }
  return true;
}

bool equal_dicts(Runtime& runtime, const Dict& left, const Dict& right, int depth) {
  if (left.size != right.size) return false;
  runtime.charge(left.size);
  for (uint32_t i = 0; i < left.size; ++i) {
    const Value* other = right.find(runtime, left.keys[i]);
    if (other == nullptr || !equal(runtime, left.values[i], *other, depth)) return false;
  }
  return true;
}

bool equal_ranges(const Range& left, const Range& right) {
  const int64_t size = left.size();
  if (size != right.size()) return false;
  return size == 0 || (left.start == right.start && (size == 1 || left.step == right.step));
}

[[noreturn]] void fail_order(const char* symbol, const Value& left, const Value& right) {
  if (left.is_undefined()) fail_undefined(left);
  if (right.is_undefined()) fail_undefined(right);
  fail("TypeError", "'" + std::string(symbol) + "' not supported between instances of '" +
                        std::string(type_name(left)) + "' and '" + std::string(type_name(right)) +
                        "'");
}

/// -1, 0, 1; 2 if one is not a number (NaN). @throws Failure for types without an order.
int order(Runtime& runtime, const char* symbol, const Value& left, const Value& right, int depth) {
  check_depth(depth);
  if (left.is_index() && right.is_index()) {
    return left.index() < right.index() ? -1 : left.index() > right.index() ? 1 : 0;
  }
  if (left.is_number() && right.is_number()) {
    const double a = left.number(), b = right.number();
    return a < b ? -1 : a > b ? 1 : a == b ? 0 : 2;
  }
  if (left.is_string() && right.is_string()) {
    // the order of UTF-8 bytes is the order of characters
    runtime.charge(std::min(left.text->size, right.text->size) / 64);
    const int result = left.view().compare(right.view());
    return result < 0 ? -1 : result > 0 ? 1 : 0;
  }
  if (left.is_sequence() && left.type == right.type) {
    const auto a = left.items(), b = right.items();
    for (size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
      runtime.charge(1);
      if (!equal(runtime, a[i], b[i], depth + 1))
        return order(runtime, symbol, a[i], b[i], depth + 1);
    }
    return a.size() < b.size() ? -1 : a.size() > b.size() ? 1 : 0;
  }
  fail_order(symbol, left, right);
}

size_t mix(size_t seed, size_t value) {
  return (seed ^ value) * 0x9e3779b97f4a7c15ull + (seed >> 29);
}

/// What lies in a range, without walking it.
bool range_contains(const Range& range, const Value& item) {
  if (!item.is_number()) return false;
  const double number = item.number();
  if (number != std::floor(number) || std::abs(number) > 9e18) return false;
  const int64_t value = item.is_index() ? item.index() : static_cast<int64_t>(number);
  const bool inside = range.step > 0 ? value >= range.start && value < range.stop
                                     : value <= range.start && value > range.stop;
  // as unsigned: the distance may not fit into a signed number
  const uint64_t distance = range.step > 0
                                ? static_cast<uint64_t>(value) - static_cast<uint64_t>(range.start)
                                : static_cast<uint64_t>(range.start) - static_cast<uint64_t>(value);
  return inside && distance % range.stride() == 0;
}

}  // namespace

bool is_true(Runtime& runtime, const Value& value) {
  switch (value.type) {
    case Type::missing:
    case Type::undefined:
    case Type::none:
      return false;
    case Type::boolean:
      return value.boolean;
    case Type::integer:
      return value.integer != 0;
    case Type::big_integer:
      return true;
    case Type::real:
      return value.real != 0;
    case Type::string:
      return value.text->size != 0;
    case Type::list:
    case Type::tuple:
      return value.list->size != 0;
    case Type::dict:
      return value.dict->size != 0;
    case Type::range:
      return value.range->size() != 0;
    case Type::object: {
      const List* view = value.object->as_view(runtime);
      return view == nullptr || view->size != 0;
    }
  }
  return false;
}

bool equal(Runtime& runtime, const Value& left, const Value& right, int depth) {
  check_depth(depth);
  if (left.is_index() && right.is_index()) return left.index() == right.index();
  if (left.is_number() && right.is_number()) return left.number() == right.number();
  if (left.type != right.type) return false;
  switch (left.type) {
    case Type::string:
    case Type::big_integer:
      runtime.charge(std::min(left.text->size, right.text->size) / 64);
      return left.view() == right.view();
    case Type::list:
    case Type::tuple:
      return left.list == right.list ||
             equal_items(runtime, left.items(), right.items(), depth + 1);
    case Type::dict:
      return left.dict == right.dict || equal_dicts(runtime, *left.dict, *right.dict, depth + 1);
    case Type::range:
      return equal_ranges(*left.range, *right.range);
    case Type::object:
      return left.object == right.object;
    default:
      return true;  // none, undefined
  }
}

bool less(Runtime& runtime, const Value& left, const Value& right, int depth) {
  return order(runtime, "<", left, right, depth) == -1;
}

bool compare(Runtime& runtime, Comparison comparison, const Value& left, const Value& right) {
  switch (comparison) {
    case Comparison::equal:
      return equal(runtime, left, right);
    case Comparison::not_equal:
      return !equal(runtime, left, right);
    case Comparison::less:
      return order(runtime, "<", left, right, 0) == -1;
    case Comparison::less_equal: {
      const int result = order(runtime, "<=", left, right, 0);
      return result == -1 || result == 0;
    }
    case Comparison::greater:
      return order(runtime, ">", left, right, 0) == 1;
    case Comparison::greater_equal: {
      const int result = order(runtime, ">=", left, right, 0);
      return result == 1 || result == 0;
    }
    case Comparison::in:
      return contains(runtime, right, left);
    case Comparison::not_in:
      return !contains(runtime, right, left);
  }
  return false;
}

bool contains(Runtime& runtime, const Value& container, const Value& item) {
  if (container.is_string()) {
    if (!item.is_string()) {
      fail("TypeError",
           "'in <string>' requires string as left operand, not " + std::string(type_name(item)));
    }
    charge_search(runtime, container.view(), item.view());
    return container.view().find(item.view()) != std::string_view::npos;
  }
  if (container.is(Type::dict)) return container.dict->find(runtime, item) != nullptr;
  if (container.is(Type::range)) return range_contains(*container.range, item);
  Iterator* iterator = iterate(runtime, container);
  for (Value other; iterator->next(runtime, other);) {
    runtime.charge(1);
    if (equal(runtime, item, other)) return true;
  }
  return false;
}

size_t hash(std::string_view text) {
  return std::hash<std::string_view>()(text);
}

size_t hash(Runtime& runtime, const Value& value, int depth) {
  check_depth(depth);
  switch (value.type) {
    case Type::boolean:
    case Type::integer:
      return mix(1, static_cast<size_t>(value.index()));
    case Type::real:
      // equal numbers hash alike: 1 == 1.0 == true
      if (value.real == std::floor(value.real) && std::abs(value.real) < 9e18) {
        return mix(1, static_cast<size_t>(static_cast<int64_t>(value.real)));
      }
      return mix(2, std::hash<double>()(value.real));
    case Type::string:
    case Type::big_integer:
      runtime.charge(value.text->size / 64);
      return hash(value.view());
    case Type::tuple: {
      size_t result = 3;
      runtime.charge(value.list->size);
      for (const Value& item : value.items()) result = mix(result, hash(runtime, item, depth + 1));
      return result;
    }
    case Type::range:
      return mix(4, static_cast<size_t>(value.range->size()));
    case Type::object:
      return mix(5, reinterpret_cast<size_t>(value.object));
    case Type::list:
    case Type::dict:
      fail("TypeError", "unhashable type: '" + std::string(type_name(value)) + "'");
    default:
      return mix(6, static_cast<size_t>(value.type));
  }
}

}  // namespace burnish::jinja
