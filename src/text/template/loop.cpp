// The variable `loop`.
#include "text/template/iterate.h"
#include "text/template/objects.h"
#include "text/template/operators.h"
#include "text/template/parameters.h"

namespace burnish::jinja {
namespace {

Value cycle(Runtime&, Object* self, const Arguments& arguments) {
  const auto& loop = *static_cast<LoopObject*>(self);
  const auto items = arguments.positional;
  if (items.empty()) fail("TypeError", "no items for cycling given");
  return items[static_cast<size_t>(loop.index) % items.size()];
}

Value changed(Runtime& runtime, Object* self, const Arguments& arguments) {
  auto& loop = *static_cast<LoopObject*>(self);
  const Value now = runtime.list(arguments.positional);
  if (loop.last_changed != nullptr && equal(runtime, Value::list_of(loop.last_changed), now)) {
    return Value::of(false);
  }
  loop.last_changed = now.list;
  return Value::of(true);
}

Value method(Runtime& runtime, std::string_view name, FunctionObject::Function function,
             Object* self) {
  return Value::of(static_cast<Object*>(runtime.arena.make<FunctionObject>(name, function, self)));
}

}  // namespace

bool LoopObject::advance(Runtime& runtime, Value& item) {
  if (has_after) {
    item = after;
    has_after = false;
  } else if (!items->next(runtime, item)) {
    return false;
  }
  ++index;
  before = current;
  current = item;
  return true;
}

bool LoopObject::peek(Runtime& runtime) {
  if (!has_after) has_after = items->next(runtime, after);
  return has_after;
}

int64_t LoopObject::length(Runtime& runtime) {
  if (known_length < 0) {
    // a generator is walked to its end
    const List* rest = to_list(runtime, Value::of(static_cast<Object*>(items)));
    items = jinja::iterate(runtime, Value::list_of(rest));
    known_length = rest->size + index + 1 + (has_after ? 1 : 0);
  }
  return known_length;
}

bool LoopObject::attribute(Runtime& runtime, std::string_view name, Value& result) {
  if (name == "first") {
    result = Value::of(index == 0);
  } else if (name == "last") {
    result = Value::of(!peek(runtime));
  } else if (name == "index") {
    result = Value::of(index + 1);
  } else if (name == "index0") {
    result = Value::of(index);
  } else if (name == "length") {
    result = Value::of(length(runtime));
  } else if (name == "revindex") {
    result = Value::of(length(runtime) - index);
  } else if (name == "revindex0") {
    result = Value::of(length(runtime) - index - 1);
  } else if (name == "previtem") {
    result = index == 0 ? runtime.undefined("there is no previous item") : before;
  } else if (name == "nextitem") {
    result = peek(runtime) ? after : runtime.undefined("there is no next item");
  } else if (name == "depth") {
    result = Value::of(int64_t{depth} + 1);
  } else if (name == "depth0") {
    result = Value::of(int64_t{depth});
  } else if (name == "cycle") {
    result = method(runtime, "cycle", cycle, this);
  } else if (name == "changed") {
    result = method(runtime, "changed", changed, this);
  } else {
    return false;
  }
  return true;
}

Value LoopObject::call(Runtime& runtime, const Arguments& arguments) {
  const Parameters given("loop", arguments, {"iterable"}, 1);
  if (recursive == nullptr) {
    fail("TypeError", "The loop must have the 'recursive' marker to be called recursively.");
  }
  return evaluator->recurse(*recursive, frame, given.get(0), depth + 1);
}

std::string LoopObject::describe(Runtime& runtime, int depth) const {
  const int64_t all = const_cast<LoopObject*>(this)->length(runtime);
  return "<LoopContext " + std::to_string(index + 1) + "/" + std::to_string(all) + ">";
}

}  // namespace burnish::jinja
