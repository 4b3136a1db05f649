#include "text/template/value.h"

#include "text/template/operators.h"

namespace burnish::jinja {

int64_t Range::size() const {
  if (step > 0 ? start >= stop : start <= stop) return 0;
  // as unsigned: the distance may not fit into a signed number
  const uint64_t distance = step > 0 ? static_cast<uint64_t>(stop) - static_cast<uint64_t>(start)
                                     : static_cast<uint64_t>(start) - static_cast<uint64_t>(stop);
  return static_cast<int64_t>((distance - 1) / stride() + 1);
}

int64_t Range::at(int64_t index) const {
  return static_cast<int64_t>(static_cast<uint64_t>(start) +
                              static_cast<uint64_t>(index) * static_cast<uint64_t>(step));
}

uint64_t Range::stride() const {
  return step > 0 ? static_cast<uint64_t>(step) : 0 - static_cast<uint64_t>(step);
}

Value Object::call(Runtime& runtime, const Arguments& arguments) {
  fail("TypeError", "'" + std::string(type_name()) + "' object is not callable");
}

std::string Object::describe(Runtime& runtime, int depth) const {
  return "<" + std::string(type_name()) + " object>";
}

std::string_view type_name(const Value& value) {
  switch (value.type) {
    case Type::missing:
    case Type::undefined:
      return "Undefined";
    case Type::none:
      return "NoneType";
    case Type::boolean:
      return "bool";
    case Type::integer:
    case Type::big_integer:
      return "int";
    case Type::real:
      return "float";
    case Type::string:
      return value.text->markup ? "Markup" : "str";
    case Type::list:
      return "list";
    case Type::tuple:
      return "tuple";
    case Type::dict:
      return "dict";
    case Type::range:
      return "range";
    case Type::object:
      return value.object->type_name();
  }
  return "object";
}

const Value* Dict::find(std::string_view key) const {
  if (places == nullptr) {
    for (uint32_t i = 0; i < size; ++i) {
      if (keys[i].is_string() && keys[i].view() == key) return &values[i];
    }
    return nullptr;
  }
  for (size_t place = hash(key);; ++place) {
    const uint32_t entry = places[place & (place_count - 1)];
    if (entry == 0) return nullptr;
    if (keys[entry - 1].is_string() && keys[entry - 1].view() == key) return &values[entry - 1];
  }
}

const Value* Dict::find(Runtime& runtime, const Value& key) const {
  if (key.is_string()) {
    runtime.charge(key.text->size / 64);
    return find(key.view());
  }
  const size_t start = hash(runtime, key);  // fails for keys that cannot be hashed
  if (places == nullptr) {
    for (uint32_t i = 0; i < size; ++i) {
      if (equal(runtime, keys[i], key)) return &values[i];
    }
    return nullptr;
  }
  for (size_t place = start;; ++place) {
    const uint32_t entry = places[place & (place_count - 1)];
    if (entry == 0) return nullptr;
    if (equal(runtime, keys[entry - 1], key)) return &values[entry - 1];
  }
}

}  // namespace burnish::jinja
