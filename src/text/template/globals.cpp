// What every template can call: range, namespace, dict, cycler, joiner, raise_exception,
// strftime_now.
#include "text/template/access.h"
#include "text/template/iterate.h"
#include "text/template/objects.h"
#include "text/template/operators.h"
#include "text/template/parameters.h"
#include "text/template/python_text.h"

namespace burnish::jinja {
namespace {

constexpr int64_t kMaxRange = 100000;  // the sandbox's own limit

Value call_range(Runtime& runtime, Object*, const Arguments& arguments) {
  if (!arguments.keywords.empty()) fail("TypeError", "range() takes no keyword arguments");
  const Parameters given("range", arguments, {"start", "stop", "step"}, 1);
  Range range{0, given.integer(0, 0), given.integer(2, 1)};
  if (given.has(1)) {
    range.start = range.stop;
    range.stop = given.integer(1, 0);
  }
  if (range.step == 0) fail("ValueError", "range() arg 3 must not be zero");
  const int64_t size = range.size();
  if (size < 0 || size > kMaxRange) {
    fail("OverflowError", "Range too big. The sandbox blocks ranges larger than MAX_RANGE (" +
                              std::to_string(kMaxRange) + ").");
  }
  return Value::of(static_cast<const Range*>(runtime.arena.make<Range>(range)));
}

/// dict(mapping or pairs, **entries)
Dict* dict_of(Runtime& runtime, const Arguments& arguments) {
  if (arguments.positional.size() > 1) {
    fail("TypeError",
         "dict expected at most 1 argument, got " + std::to_string(arguments.positional.size()));
  }
  Dict* dict = make_dict(runtime, arguments.keywords.size());
  if (!arguments.positional.empty()) {
    const Value& source = arguments.positional[0];
    if (source.is(Type::dict)) {
      for (uint32_t i = 0; i < source.dict->size; ++i) {
        insert(runtime, *dict, source.dict->keys[i], source.dict->values[i]);
      }
    } else {
      Iterator* pairs = iterate(runtime, source);
      for (Value pair; pairs->next(runtime, pair);) {
        const List& parts = *to_list(runtime, pair);
        if (parts.size != 2) {
          fail("ValueError", "dictionary update sequence element has length " +
                                 std::to_string(parts.size) + "; 2 is required");
        }
        insert(runtime, *dict, parts.items[0], parts.items[1]);
      }
    }
  }
  for (const Keyword& keyword : arguments.keywords) {
    insert(runtime, *dict, runtime.text(keyword.name), keyword.value);
  }
  return dict;
}

Value call_dict(Runtime& runtime, Object*, const Arguments& arguments) {
  return Value::of(static_cast<const Dict*>(dict_of(runtime, arguments)));
}

void check_namespace_name(std::string_view name) {
  if (name.starts_with("_")) {
    fail("SecurityError",
         "Chat templates cannot store underscore-prefixed attributes on a namespace, but got '" +
             std::string(name) + "'. Please rename the attribute.");
  }
}

Value call_namespace(Runtime& runtime, Object*, const Arguments& arguments) {
  Dict* attributes = dict_of(runtime, arguments);
  for (uint32_t i = 0; i < attributes->size; ++i) {
    if (attributes->keys[i].is_string()) check_namespace_name(attributes->keys[i].view());
  }
  return Value::of(static_cast<Object*>(runtime.arena.make<Namespace>(attributes)));
}

struct Cycler final : Object {
  const List* items;
  uint32_t at = 0;

  explicit Cycler(const List* items) : items(items) {}
  std::string_view type_name() const override { return "Cycler"; }
  static Value next(Runtime&, Object* self, const Arguments& arguments) {
    Parameters("next", arguments, {});
    auto& cycler = *static_cast<Cycler*>(self);
    const Value item = cycler.items->items[cycler.at];
    cycler.at = (cycler.at + 1) % cycler.items->size;
    return item;
  }
  static Value reset(Runtime&, Object* self, const Arguments& arguments) {
    Parameters("reset", arguments, {});
    static_cast<Cycler*>(self)->at = 0;
    return Value::none();
  }
  bool attribute(Runtime& runtime, std::string_view name, Value& result) override {
    if (name == "current") {
      result = items->items[at];
    } else if (name == "pos") {
      result = Value::of(int64_t{at});
    } else if (name == "items") {
      result = Value::tuple_of(items);
    } else if (name == "next" || name == "reset") {
      result = Value::of(static_cast<Object*>(
          runtime.arena.make<FunctionObject>(name, name == "next" ? next : reset, this)));
    } else {
      return false;
    }
    return true;
  }
};

Value call_cycler(Runtime& runtime, Object*, const Arguments& arguments) {
  if (arguments.positional.empty()) fail("RuntimeError", "at least one item has to be provided");
  if (!arguments.keywords.empty()) fail("TypeError", "cycler() takes no keyword arguments");
  const Value items = runtime.list(arguments.positional);
  return Value::of(static_cast<Object*>(runtime.arena.make<Cycler>(items.list)));
}

struct Joiner final : Object {
  Value separator;
  bool used = false;

  explicit Joiner(const Value& separator) : separator(separator) {}
  std::string_view type_name() const override { return "Joiner"; }
  bool is_callable() const override { return true; }
  bool attribute(Runtime&, std::string_view name, Value& result) override {
    if (name == "sep") return result = separator, true;
    if (name == "used") return result = Value::of(used), true;
    return false;
  }
  Value call(Runtime& runtime, const Arguments& arguments) override {
    Parameters("joiner", arguments, {});
    if (used) return separator;
    used = true;
    return runtime.text("");
  }
};

Value call_joiner(Runtime& runtime, Object*, const Arguments& arguments) {
  const Parameters given("joiner", arguments, {"sep"});
  const Value separator = given.has(0) ? given.get(0) : runtime.text(", ");
  return Value::of(static_cast<Object*>(runtime.arena.make<Joiner>(separator)));
}

Value call_raise(Runtime& runtime, Object*, const Arguments& arguments) {
  const Parameters given("raise_exception", arguments, {"message"}, 1);
  fail("TemplateError", std::string(to_text(runtime, given.get(0))->view()));
}

Value call_strftime(Runtime& runtime, Object*, const Arguments& arguments) {
  const Parameters given("strftime_now", arguments, {"format"}, 1);
  return runtime.text(format_time(runtime.now, std::string(given.string(0)->view())));
}

Value call_lipsum(Runtime&, Object*, const Arguments&) {
  fail("NotImplementedError", "lipsum() gives random text: it is not supported");
}

}  // namespace

bool FunctionObject::attribute(Runtime& runtime, std::string_view attribute, Value& result) {
  if (name != "dict" || attribute != "fromkeys") return false;
  Dict* empty = make_dict(runtime);
  result = get_attribute(runtime, Value::of(static_cast<const Dict*>(empty)), "fromkeys");
  return true;
}

bool Namespace::attribute(Runtime&, std::string_view name, Value& result) {
  const Value* found = static_cast<const Dict*>(attributes)->find(name);
  if (found != nullptr) result = *found;
  return found != nullptr;
}

void Namespace::set(Runtime& runtime, std::string_view name, const Value& value) {
  check_namespace_name(name);
  insert(runtime, *attributes, runtime.text(name), value);
}

std::string Namespace::describe(Runtime& runtime, int depth) const {
  TextBuilder inside(runtime.arena);  // `depth` bounds it: a namespace may hold itself
  append_repr(runtime, inside, Value::of(static_cast<const Dict*>(attributes)), depth + 1);
  return "<Namespace " + std::string(inside.finish()->view()) + ">";
}

Value builtin(Runtime& runtime, std::string_view name) {
  static constexpr std::pair<std::string_view, FunctionObject::Function> kFunctions[] = {
      {"range", call_range},           {"namespace", call_namespace},   {"dict", call_dict},
      {"raise_exception", call_raise}, {"strftime_now", call_strftime}, {"cycler", call_cycler},
      {"joiner", call_joiner},         {"lipsum", call_lipsum},
  };
  for (const auto& [known, function] : kFunctions) {
    if (known == name) {
      return Value::of(static_cast<Object*>(runtime.arena.make<FunctionObject>(known, function)));
    }
  }
  return {};
}

}  // namespace burnish::jinja
