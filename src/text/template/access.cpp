#include "text/template/access.h"

#include <algorithm>
#include <vector>

#include "text/template/operators.h"
#include "text/template/unicode.h"

namespace burnish::jinja {
namespace {

struct BoundMethod final : Object {
  Value self;
  const Method* method;

  BoundMethod(const Value& self, const Method* method) : self(self), method(method) {}
  std::string_view type_name() const override { return "builtin_function_or_method"; }
  bool is_callable() const override { return true; }
  Value call(Runtime& runtime, const Arguments& arguments) override {
    return method->function(runtime, self, arguments);
  }
  std::string describe(Runtime&, int) const override {
    return "<built-in method " + std::string(method->name) + " of " +
           std::string(jinja::type_name(self)) + " object>";
  }
};

std::span<const Method> methods_of(const Value& object) {
  switch (object.type) {
    case Type::string:
      return string_methods();
    case Type::dict:
      return dict_methods();
    case Type::list:
      return list_methods();
    case Type::tuple:
      return tuple_methods();
    default:
      return {};
  }
}

Value unsafe(Runtime& runtime, const Value& object, std::string_view name) {
  return runtime.undefined(runtime.arena.copy("access to attribute '" + std::string(name) +
                                              "' of '" + std::string(type_name(object)) +
                                              "' object is unsafe."));
}

/// getattr(object, name): false if there is none.
bool find_attribute(Runtime& runtime, const Value& object, std::string_view name, Value& result) {
  const auto methods = methods_of(object);
  const auto found = std::lower_bound(
      methods.begin(), methods.end(), name,
      [](const Method& method, std::string_view wanted) { return method.name < wanted; });
  if (found != methods.end() && found->name == name) {
    result =
        found->function == nullptr
            ? unsafe(runtime, object, name)
            : Value::of(static_cast<Object*>(runtime.arena.make<BoundMethod>(object, &*found)));
    return true;
  }
  if (object.is(Type::object)) return object.object->attribute(runtime, name, result);
  if (object.is_number()) {
    if (name == "real" || name == "numerator") return result = object, true;
    if (name == "imag") return result = Value::of(int64_t{0}), true;
    if (name == "denominator") return result = Value::of(int64_t{1}), true;
  }
  if (object.is(Type::tuple) && object.list->is_group) {
    if (name == "grouper") return result = object.list->items[0], true;
    if (name == "list") return result = object.list->items[1], true;
  }
  if (object.is(Type::range)) {
    if (name == "start") return result = Value::of(object.range->start), true;
    if (name == "stop") return result = Value::of(object.range->stop), true;
    if (name == "step") return result = Value::of(object.range->step), true;
  }
  return false;
}

/// A position counted from the end if negative; -1 if it is outside.
int64_t position_in(int64_t index, int64_t size) {
  if (index < 0) index += size;
  return index < 0 || index >= size ? -1 : index;
}

Value character_at(Runtime& runtime, const Str& text, int64_t index) {
  const auto at = static_cast<size_t>(index);
  if (text.is_ascii()) return Value::of(slice_text(runtime.arena, text, at, at + 1));
  runtime.charge(text.size / 64);
  const size_t begin = byte_of_character(text.view(), at);
  size_t end = begin;
  next_character(text.view(), end);
  return Value::of(slice_text(runtime.arena, text, begin, end));
}

/// object[index]: false if it has no such element.
bool find_element(Runtime& runtime, const Value& object, const Value& key, Value& result) {
  if (object.is(Type::dict)) {
    if (key.is(Type::list) || key.is(Type::dict)) return false;  // they cannot be hashed
    const Value* found = object.dict->find(runtime, key);
    if (found != nullptr) result = *found;
    return found != nullptr;
  }
  if (!key.is_index()) return false;
  if (object.is_string()) {
    const int64_t at = position_in(key.index(), object.text->character_count());
    if (at >= 0) result = character_at(runtime, *object.text, at);
    return at >= 0;
  }
  if (object.is_sequence()) {
    const int64_t at = position_in(key.index(), object.list->size);
    if (at >= 0) result = object.list->items[at];
    return at >= 0;
  }
  if (object.is(Type::range)) {
    const int64_t at = position_in(key.index(), object.range->size());
    if (at >= 0) result = Value::of(object.range->at(at));
    return at >= 0;
  }
  return false;
}

/// Python's slice.indices: positions of the first element, of the end, and the stride.
struct SliceIndices {
  int64_t start, stop, step;
  int64_t count() const { return Range{start, stop, step}.size(); }
};

int64_t slice_part(const Value& value, int64_t absent) {
  if (value.is_none()) return absent;
  if (value.is_index()) return value.index();
  if (value.is_undefined()) fail_undefined(value);
  fail("TypeError", "slice indices must be integers or None or have an __index__ method");
}

SliceIndices slice_indices(const Value& start, const Value& stop, const Value& step, int64_t size) {
  SliceIndices result{};
  result.step = slice_part(step, 1);
  if (result.step == 0) fail("ValueError", "slice step cannot be zero");
  const bool backward = result.step < 0;
  const auto clamp = [&](int64_t position) {
    if (position < 0) position = position < -size ? -1 : position + size;
    if (position < 0) return backward ? int64_t{-1} : int64_t{0};
    return std::min(position, backward ? size - 1 : size);
  };
  result.start = start.is_none() ? (backward ? size - 1 : 0) : clamp(slice_part(start, 0));
  result.stop = stop.is_none() ? (backward ? -1 : size) : clamp(slice_part(stop, 0));
  return result;
}

Value slice_string(Runtime& runtime, const Str& text, const SliceIndices& indices) {
  const int64_t count = indices.count();
  const auto first = static_cast<size_t>(indices.start);
  runtime.charge(text.size / 64);
  if (count == 0) return Value::of(slice_text(runtime.arena, text, 0, 0));
  if (indices.step == 1) {
    const auto last = first + static_cast<size_t>(count);
    if (text.is_ascii()) return Value::of(slice_text(runtime.arena, text, first, last));
    const size_t begin = byte_of_character(text.view(), first);
    const size_t end = begin + byte_of_character(text.view().substr(begin), last - first);
    return Value::of(slice_text(runtime.arena, text, begin, end));
  }
  std::vector<uint32_t> starts;
  for (size_t at = 0; at < text.size; next_character(text.view(), at)) {
    starts.push_back(static_cast<uint32_t>(at));
  }
  starts.push_back(text.size);
  runtime.charge(starts.size());
  TextBuilder out(runtime.arena, text.size);
  for (int64_t i = 0; i < count; ++i) {
    const auto at = static_cast<size_t>(indices.start + i * indices.step);
    out.append(text, starts[at], starts[at + 1]);
  }
  return Value::of(out.finish(text.markup));
}

Value slice_items(Runtime& runtime, const Value& object, const SliceIndices& indices) {
  const List& list = *object.list;
  const int64_t count = indices.count();
  Value result = object;
  if (indices.step == 1) {
    result.list = runtime.arena.make<List>(list.items + indices.start, static_cast<uint32_t>(count),
                                           nullptr, 0u);
    return result;
  }
  runtime.charge(static_cast<size_t>(count));
  ListBuilder items(runtime.arena, static_cast<size_t>(count));
  for (int64_t i = 0; i < count; ++i) items.append(list.items[indices.start + i * indices.step]);
  result.list = items.finish();
  return result;
}

}  // namespace

Value get_attribute(Runtime& runtime, const Value& object, std::string_view name) {
  if (object.is_undefined()) fail_undefined(object);
  Value result;
  if (find_attribute(runtime, object, name, result)) {
    return name.starts_with("_") && !object.is(Type::object) ? unsafe(runtime, object, name)
                                                             : result;
  }
  if (object.is(Type::dict)) {
    if (const Value* found = object.dict->find(name)) return *found;
  }
  return runtime.no_attribute(object, name);
}

Value get_element(Runtime& runtime, const Value& object, const Value& key) {
  if (object.is_undefined()) fail_undefined(object);
  Value result;
  if (find_element(runtime, object, key, result)) return result;
  if (key.is_string() && find_attribute(runtime, object, key.view(), result)) return result;
  return runtime.no_element(object, key);
}

Value get_slice(Runtime& runtime, const Value& object, const Value& start, const Value& stop,
                const Value& step) {
  if (object.is_undefined()) fail_undefined(object);
  if (object.is_string()) {
    const int64_t size = object.text->character_count();
    return slice_string(runtime, *object.text, slice_indices(start, stop, step, size));
  }
  if (object.is_sequence()) {
    return slice_items(runtime, object, slice_indices(start, stop, step, object.list->size));
  }
  if (object.is(Type::range)) {
    const Range& range = *object.range;
    const SliceIndices at = slice_indices(start, stop, step, range.size());
    Range part{};
    const bool overflow = __builtin_mul_overflow(at.start, range.step, &part.start) ||
                          __builtin_add_overflow(part.start, range.start, &part.start) ||
                          __builtin_mul_overflow(at.stop, range.step, &part.stop) ||
                          __builtin_add_overflow(part.stop, range.start, &part.stop) ||
                          __builtin_mul_overflow(at.step, range.step, &part.step);
    if (overflow) fail("OverflowError", "a range of the template grows beyond 64 bits");
    return Value::of(static_cast<const Range*>(runtime.arena.make<Range>(part)));
  }
  if (object.is(Type::dict)) fail("TypeError", "unhashable type: 'slice'");
  fail("TypeError", "'" + std::string(type_name(object)) + "' object is not subscriptable");
}

}  // namespace burnish::jinja
