#include "text/template/iterate.h"

#include "text/template/operators.h"
#include "text/template/unicode.h"

namespace burnish::jinja {
namespace {

struct ItemIterator final : Iterator {
  std::span<const Value> items;
  size_t at = 0;
  bool backward = false;

  explicit ItemIterator(std::span<const Value> items, bool backward = false)
      : items(items), backward(backward) {}
  bool next(Runtime&, Value& item) override {
    if (at == items.size()) return false;
    item = backward ? items[items.size() - 1 - at] : items[at];
    ++at;
    return true;
  }
  std::string_view type_name() const override {
    return backward ? "list_reverseiterator" : "list_iterator";
  }
};

struct CharacterIterator final : Iterator {
  const Str* text;
  size_t at = 0;

  explicit CharacterIterator(const Str* text) : text(text) {}
  bool next(Runtime& runtime, Value& item) override {
    if (at == text->size) return false;
    const size_t begin = at;
    next_character(text->view(), at);
    item =
        Value::of(with_markup(runtime.arena, *slice_text(runtime.arena, *text, begin, at), false));
    return true;
  }
  std::string_view type_name() const override { return "str_iterator"; }
};

struct RangeIterator final : Iterator {
  Range range;
  int64_t at = 0, size;

  explicit RangeIterator(const Range& range) : range(range), size(range.size()) {}
  bool next(Runtime&, Value& item) override {
    if (at == size) return false;
    item = Value::of(range.at(at++));
    return true;
  }
  std::string_view type_name() const override { return "range_iterator"; }
};

Iterator* iterator_or_null(Runtime& runtime, const Value& value) {
  Arena& arena = runtime.arena;
  switch (value.type) {
    case Type::undefined:
    case Type::missing:
      return arena.make<ItemIterator>(std::span<const Value>());
    case Type::string:
      return arena.make<CharacterIterator>(value.text);
    case Type::list:
    case Type::tuple:
      return arena.make<ItemIterator>(value.items());
    case Type::dict:
      return arena.make<ItemIterator>(std::span<const Value>(value.dict->keys, value.dict->size));
    case Type::range:
      return arena.make<RangeIterator>(*value.range);
    case Type::object:
      if (const List* view = value.object->as_view(runtime)) {
        return arena.make<ItemIterator>(std::span<const Value>(view->items, view->size));
      }
      return value.object->iterate(runtime);
    default:
      return nullptr;
  }
}

}  // namespace

Iterator* iterate(Runtime& runtime, const Value& value) {
  Iterator* iterator = iterator_or_null(runtime, value);
  if (iterator == nullptr) {
    fail("TypeError", "'" + std::string(type_name(value)) + "' object is not iterable");
  }
  return iterator;
}

bool is_iterable(Runtime& runtime, const Value& value) {
  return iterator_or_null(runtime, value) != nullptr;
}

const List* to_list(Runtime& runtime, const Value& value) {
  if (value.is_sequence()) return value.list;
  ListBuilder items(runtime.arena);
  Iterator* iterator = iterate(runtime, value);
  for (Value item; iterator->next(runtime, item);) {
    runtime.charge(1);
    items.append(item);
  }
  return items.finish();
}

int64_t length_of(Runtime& runtime, const Value& value) {
  switch (value.type) {
    case Type::undefined:
    case Type::missing:
      return 0;
    case Type::string:
      return value.text->character_count();
    case Type::list:
    case Type::tuple:
      return value.list->size;
    case Type::dict:
      return value.dict->size;
    case Type::range:
      return value.range->size();
    case Type::object:
      if (const List* view = value.object->as_view(runtime)) return view->size;
      return value.object->length(runtime);
    default:
      return -1;
  }
}

Value reversed(Runtime& runtime, const Value& value) {
  const bool is_view = value.is(Type::object) && value.object->as_view(runtime) != nullptr;
  const bool can = value.is_string() || value.is_sequence() || value.is(Type::dict) ||
                   value.is(Type::range) || is_view;
  if (value.is_undefined()) {
    return Value::of(
        static_cast<Object*>(runtime.arena.make<ItemIterator>(std::span<const Value>(), true)));
  }
  if (!can) fail("TypeError", "'" + std::string(type_name(value)) + "' object is not reversible");
  const List* items = to_list(runtime, value);
  return Value::of(static_cast<Object*>(
      runtime.arena.make<ItemIterator>(std::span<const Value>(items->items, items->size), true)));
}

}  // namespace burnish::jinja
