#include "text/template/runtime.h"

#include <algorithm>

#include "text/template/operators.h"

namespace burnish::jinja {

Runtime::Runtime(const RenderLimits& limits, std::time_t now)
    : arena(limits.memory_bytes, limits.output_bytes),
      now(now),
      steps_(limits.steps),
      steps_left_(limits.steps) {}

void Runtime::fail_steps() const {
  fail("LimitError", "the template takes more than " + std::to_string(steps_) + " steps");
}

void Runtime::fail_nesting() {
  --nesting_;  // the guard that failed is not destroyed
  fail("RecursionError", "the template nests its operations too deeply");
}

Value Runtime::text(std::string_view bytes, const Tag& tag) {
  if (bytes.size() > arena.text_limit()) fail("OverflowError", "a text is too long");
  const Run* run = tag == Tag{} ? &kTemplateRun : arena.make<Run>(kEndless, tag);
  return Value::of(make_text(arena, arena.copy(bytes), run));
}

Value Runtime::list(std::span<const Value> items) {
  ListBuilder builder(arena, items.size());
  for (const Value& item : items) builder.append(item);
  return Value::list_of(builder.finish());
}

Value Runtime::tuple(std::span<const Value> items) {
  Value result = list(items);
  result.type = Type::tuple;
  return result;
}

Value Runtime::undefined(std::string_view hint) {
  return Value::of(static_cast<const Undefined*>(arena.make<Undefined>(hint)));
}

Value Runtime::no_attribute(const Value& object, std::string_view name) {
  return Value::of(static_cast<const Undefined*>(
      arena.make<Undefined>(std::string_view{}, type_name(object), name)));
}

Value Runtime::no_element(const Value& object, const Value& key) {
  if (key.is_string()) return no_attribute(object, key.view());
  const std::string_view name =
      key.is_index() ? arena.copy(std::to_string(key.index())) : type_name(key);
  return Value::of(static_cast<const Undefined*>(
      arena.make<Undefined>(std::string_view{}, type_name(object), name, false)));
}

ListBuilder::ListBuilder(Arena& arena, size_t reserve)
    : arena_(arena),
      items_(arena.allocate_array<Value>(std::max<size_t>(reserve, 4))),
      capacity_(static_cast<uint32_t>(std::max<size_t>(reserve, 4))) {}

void ListBuilder::append(const Value& value) {
  if (size_ == capacity_) {
    if (capacity_ > (1u << 30)) fail("MemoryError", "a list is too long");
    Value* items = arena_.allocate_array<Value>(size_t{capacity_} * 2);
    std::uninitialized_copy_n(items_, size_, items);
    items_ = items;
    capacity_ *= 2;
  }
  new (&items_[size_++]) Value(value);
}

const List* ListBuilder::finish() {
  return arena_.make<List>(items_, size_, arena_.make<uint32_t>(size_), capacity_);
}

const List* concatenate(Arena& arena, const List& left, const List& right) {
  const size_t size = size_t{left.size} + right.size;
  if (left.used != nullptr && *left.used == left.size && size <= left.capacity) {
    std::uninitialized_copy_n(right.items, right.size, const_cast<Value*>(left.items) + left.size);
    *left.used = static_cast<uint32_t>(size);
    return arena.make<List>(left.items, *left.used, left.used, left.capacity);
  }
  ListBuilder builder(arena, size + size / 2);
  for (uint32_t i = 0; i < left.size; ++i) builder.append(left.items[i]);
  for (uint32_t i = 0; i < right.size; ++i) builder.append(right.items[i]);
  return builder.finish();
}

Dict* make_dict(Runtime& runtime, size_t reserve) {
  const auto capacity = static_cast<uint32_t>(std::max<size_t>(reserve, 4));
  return runtime.arena.make<Dict>(runtime.arena.allocate_array<Value>(capacity),
                                  runtime.arena.allocate_array<Value>(capacity), 0u, capacity,
                                  nullptr, 0u);
}

namespace {

constexpr uint32_t kFewEntries = 12;  // up to here comparing beats hashing

void place(Runtime& runtime, Dict& dict, uint32_t entry) {
  size_t place = hash(runtime, dict.keys[entry]);
  while (dict.places[place & (dict.place_count - 1)] != 0) ++place;
  dict.places[place & (dict.place_count - 1)] = entry + 1;
}

void grow(Runtime& runtime, Dict& dict) {
  const size_t capacity = size_t{dict.capacity} * 2;
  Value* keys = runtime.arena.allocate_array<Value>(capacity);
  Value* values = runtime.arena.allocate_array<Value>(capacity);
  std::uninitialized_copy_n(dict.keys, dict.size, keys);
  std::uninitialized_copy_n(dict.values, dict.size, values);
  dict.keys = keys;
  dict.values = values;
  dict.capacity = static_cast<uint32_t>(capacity);
}

void hash_all(Runtime& runtime, Dict& dict) {
  dict.place_count = 32;
  while (dict.place_count < dict.capacity * 2) dict.place_count *= 2;
  dict.places = runtime.arena.allocate_array<uint32_t>(dict.place_count);
  std::fill_n(dict.places, dict.place_count, 0u);
  for (uint32_t i = 0; i < dict.size; ++i) place(runtime, dict, i);
}

}  // namespace

void insert(Runtime& runtime, Dict& dict, const Value& key, const Value& value) {
  if (const Value* found = dict.find(runtime, key)) {
    *const_cast<Value*>(found) = value;
    return;
  }
  runtime.charge(1);
  if (dict.size == dict.capacity) grow(runtime, dict);
  new (&dict.keys[dict.size]) Value(key);
  new (&dict.values[dict.size]) Value(value);
  ++dict.size;
  if (dict.size <= kFewEntries) return;
  if (dict.places == nullptr || dict.size * 2 > dict.place_count) {
    hash_all(runtime, dict);
  } else {
    place(runtime, dict, dict.size - 1);
  }
}

}  // namespace burnish::jinja
