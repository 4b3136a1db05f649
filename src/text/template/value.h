// Values of the template language. All are trivial and live in the arena of one rendering; each
// scalar and container carries its origin, a text has it for every byte.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "text/template/tagged_text.h"

namespace burnish::jinja {

class Runtime;
struct Object;
struct Dict;

enum class Type : uint8_t {
  missing,  ///< a variable that was never set; never seen by an operation
  undefined,
  none,
  boolean,
  integer,
  big_integer,  ///< beyond 64 bits: its digits; it can be printed and compared, not calculated with
  real,
  string,
  list,
  tuple,
  dict,
  range,
  object,  ///< namespace, macro, method, iterator, ...
};

/// Why a value is undefined, for the message when it is used.
struct Undefined {
  std::string_view hint{};  ///< the whole message, or empty:
  std::string_view object_type{}, name{};
  bool is_attribute = true;  ///< else: an element (integer index)
};

struct List {
  const struct Value* items;
  uint32_t size;
  uint32_t* used;  ///< items in use of the shared array, `capacity` in all; may be null
  uint32_t capacity;
  bool is_group = false;  ///< a pair of the groupby filter: it has .grouper and .list
};

struct Range {
  int64_t start, stop, step;
  int64_t size() const;
  int64_t at(int64_t index) const;  ///< the element `index`, which is one of them
  uint64_t stride() const;          ///< the step without its sign
};

struct Value {
  Type type = Type::missing;
  Part part = Part::template_text;
  int32_t message = -1;
  union {
    bool boolean;
    int64_t integer;
    double real;
    const Str* text;  ///< string, big_integer
    const Undefined* undefined;
    const List* list;  ///< list, tuple
    const Dict* dict;
    const Range* range;
    Object* object;
  };

  Value() : integer(0) {}
  static Value none() { return Value(Type::none); }
  static Value of(bool value);
  static Value of(int64_t value);
  static Value of(double value);
  static Value of(const Str* value) { return pointer(Type::string, &Value::text, value); }
  static Value of(const Undefined* value) {
    return pointer(Type::undefined, &Value::undefined, value);
  }
  static Value list_of(const List* value) { return pointer(Type::list, &Value::list, value); }
  static Value tuple_of(const List* value) { return pointer(Type::tuple, &Value::list, value); }
  static Value of(const Dict* value) { return pointer(Type::dict, &Value::dict, value); }
  static Value of(const Range* value) { return pointer(Type::range, &Value::range, value); }
  static Value of(Object* value) { return pointer(Type::object, &Value::object, value); }

  bool is(Type wanted) const { return type == wanted; }
  bool is_string() const { return type == Type::string; }
  bool is_undefined() const { return type == Type::undefined; }
  bool is_none() const { return type == Type::none; }
  bool is_number() const {
    return type == Type::integer || type == Type::real || type == Type::boolean;
  }
  /// bool or integer, as Python's index protocol takes them.
  bool is_index() const { return type == Type::integer || type == Type::boolean; }
  int64_t index() const { return type == Type::boolean ? (boolean ? 1 : 0) : integer; }
  double number() const { return type == Type::real ? real : static_cast<double>(index()); }
  bool is_sequence() const { return type == Type::list || type == Type::tuple; }
  std::span<const Value> items() const { return {list->items, list->size}; }
  std::string_view view() const { return text->view(); }

  /// Where it comes from; of a string, its first byte.
  Tag tag() const { return is_string() ? text->tag() : Tag{message, 0, part}; }
  Value with_origin(const Tag& tag) const {
    Value same = *this;
    same.message = tag.message;
    same.part = tag.part;
    return same;
  }

 private:
  explicit Value(Type type) : type(type), integer(0) {}
  template <class T>
  static Value pointer(Type type, T Value::*member, T value) {
    Value result(type);
    result.*member = value;
    return result;
  }
};
static_assert(sizeof(Value) == 16);

inline Value Value::of(bool value) {
  Value result(Type::boolean);
  result.boolean = value;
  return result;
}
inline Value Value::of(int64_t value) {
  Value result(Type::integer);
  result.integer = value;
  return result;
}
inline Value Value::of(double value) {
  Value result(Type::real);
  result.real = value;
  return result;
}

struct Keyword {
  std::string_view name;
  Value value;
};

struct Arguments {
  std::span<const Value> positional;
  std::span<const Keyword> keywords;
};

/// Anything that is not plain data.
struct Object {
  /// The name of its type, as Python prints it.
  virtual std::string_view type_name() const = 0;
  /// @returns false if there is no such attribute.
  virtual bool attribute(Runtime& runtime, std::string_view name, Value& result) { return false; }
  virtual bool is_callable() const { return false; }
  virtual Value call(Runtime& runtime, const Arguments& arguments);
  /// repr(object), `depth` levels inside another value.
  virtual std::string describe(Runtime& runtime, int depth) const;
  virtual struct Namespace* as_namespace() { return nullptr; }
  /// A view on a dict (items, keys, values) as a list; nullptr for everything else.
  virtual const List* as_view(Runtime& runtime) const { return nullptr; }
  /// len(); -1: it has none.
  virtual int64_t length(Runtime& runtime) { return -1; }
  /// The iterator that walks over it (itself, if it is one); nullptr: it is not iterable.
  virtual struct Iterator* iterate(Runtime& runtime) { return nullptr; }

 protected:
  ~Object() = default;
};

/// An iterator or generator: it can be walked once.
struct Iterator : Object {
  virtual bool next(Runtime& runtime, Value& item) = 0;
  std::string_view type_name() const override { return "generator"; }
  Iterator* iterate(Runtime& runtime) override { return this; }

 protected:
  ~Iterator() = default;
};

/// Keys in order of insertion. `places` is an open hash table of entry numbers + 1; null while
/// there are few.
struct Dict {
  Value *keys, *values;
  uint32_t size, capacity;
  uint32_t* places;
  uint32_t place_count;

  const Value* find(std::string_view key) const;
  const Value* find(Runtime& runtime, const Value& key) const;
};

/// The name of a value's type, as Python's messages have it.
std::string_view type_name(const Value& value);

}  // namespace burnish::jinja
