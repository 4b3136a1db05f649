// The methods of dict, list and tuple. Those that would change them have no function: the sandbox
// refuses them.
#include "text/template/access.h"
#include "text/template/iterate.h"
#include "text/template/operators.h"
#include "text/template/parameters.h"

namespace burnish::jinja {
namespace {

struct DictView final : Object {
  Value dict;
  std::string_view kind;

  DictView(const Value& dict, std::string_view kind) : dict(dict), kind(kind) {}
  std::string_view type_name() const override {
    return kind == "items" ? "dict_items" : kind == "keys" ? "dict_keys" : "dict_values";
  }
  const List* as_view(Runtime& runtime) const override {
    const Dict& entries = *dict.dict;
    if (kind == "keys") return runtime.arena.make<List>(entries.keys, entries.size, nullptr, 0u);
    if (kind == "values")
      return runtime.arena.make<List>(entries.values, entries.size, nullptr, 0u);
    runtime.charge(entries.size);
    ListBuilder items(runtime.arena, entries.size);
    for (uint32_t i = 0; i < entries.size; ++i) {
      const Value pair[] = {entries.keys[i], entries.values[i]};
      items.append(runtime.tuple(pair).with_origin(dict.tag()));
    }
    return items.finish();
  }
};

template <char kKind>
Value method_view(Runtime& runtime, const Value& self, const Arguments& arguments) {
  Parameters("dict view", arguments, {});
  return dict_view(runtime, self, kKind == 'i' ? "items" : kKind == 'k' ? "keys" : "values");
}

Value method_get(Runtime& runtime, const Value& self, const Arguments& arguments) {
  if (!arguments.keywords.empty()) fail("TypeError", "dict.get() takes no keyword arguments");
  const Parameters given("get", arguments, {"key", "default"}, 1);
  const Value* found = self.dict->find(runtime, given.get(0));
  return found != nullptr ? *found : given.get(1);
}

Value method_copy(Runtime& runtime, const Value& self, const Arguments& arguments) {
  Parameters("copy", arguments, {});
  return self;
}

Value method_fromkeys(Runtime& runtime, const Value& self, const Arguments& arguments) {
  const Parameters given("fromkeys", arguments, {"iterable", "value"}, 1);
  Dict* dict = make_dict(runtime);
  Iterator* iterator = iterate(runtime, given.get(0));
  for (Value key; iterator->next(runtime, key);) insert(runtime, *dict, key, given.get(1));
  return Value::of(static_cast<const Dict*>(dict));
}

Value method_index(Runtime& runtime, const Value& self, const Arguments& arguments) {
  const Parameters given("index", arguments, {"value", "start", "stop"}, 1);
  const auto size = static_cast<int64_t>(self.list->size);
  int64_t start = given.integer(1, 0), stop = given.integer(2, size);
  if (start < 0) start = std::max<int64_t>(0, start + size);
  if (stop < 0) stop = std::max<int64_t>(0, stop + size);
  for (int64_t i = start; i < std::min(stop, size); ++i) {
    runtime.charge(1);
    if (equal(runtime, self.list->items[i], given.get(0))) return Value::of(i);
  }
  fail("ValueError", "the value is not in the list");
}

Value method_count(Runtime& runtime, const Value& self, const Arguments& arguments) {
  const Parameters given("count", arguments, {"value"}, 1);
  runtime.charge(self.list->size);
  int64_t count = 0;
  for (const Value& item : self.items()) count += equal(runtime, item, given.get(0)) ? 1 : 0;
  return Value::of(count);
}

constexpr Method kDictMethods[] = {
    {"clear", nullptr},  {"copy", method_copy},        {"fromkeys", method_fromkeys},
    {"get", method_get}, {"items", method_view<'i'>},  {"keys", method_view<'k'>},
    {"pop", nullptr},    {"popitem", nullptr},         {"setdefault", nullptr},
    {"update", nullptr}, {"values", method_view<'v'>},
};

constexpr Method kListMethods[] = {
    {"append", nullptr}, {"clear", nullptr},      {"copy", method_copy}, {"count", method_count},
    {"extend", nullptr}, {"index", method_index}, {"insert", nullptr},   {"pop", nullptr},
    {"remove", nullptr}, {"reverse", nullptr},    {"sort", nullptr},
};

constexpr Method kTupleMethods[] = {{"count", method_count}, {"index", method_index}};

}  // namespace

std::span<const Method> dict_methods() {
  return kDictMethods;
}
std::span<const Method> list_methods() {
  return kListMethods;
}
std::span<const Method> tuple_methods() {
  return kTupleMethods;
}

Value dict_view(Runtime& runtime, const Value& dict, std::string_view kind) {
  return Value::of(static_cast<Object*>(runtime.arena.make<DictView>(dict, kind)));
}

}  // namespace burnish::jinja
