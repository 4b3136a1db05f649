// Filters whose result is a generator: nothing happens before it is walked, and it is walked once.
#include <algorithm>

#include "text/template/access.h"
#include "text/template/filters.h"
#include "text/template/iterate.h"
#include "text/template/operators.h"
#include "text/template/parameters.h"

namespace burnish::jinja {
namespace {

struct LazyFilter : Iterator {
  Value source;
  Arguments arguments;
  Iterator* items = nullptr;

  LazyFilter(const Value& source, const Arguments& arguments)
      : source(source), arguments(arguments) {}
  bool next_item(Runtime& runtime, Value& item) {
    const Runtime::Nested nested(runtime);
    runtime.charge(1);
    if (items == nullptr) items = jinja::iterate(runtime, source);
    return items->next(runtime, item);
  }

 protected:
  ~LazyFilter() = default;
};

template <class Generator, class... Args>
Value generator(Runtime& runtime, Args&&... args) {
  return Value::of(
      static_cast<Object*>(runtime.arena.make<Generator>(std::forward<Args>(args)...)));
}

const Value* keyword(const Arguments& arguments, std::string_view name) {
  for (const Keyword& keyword : arguments.keywords) {
    if (keyword.name == name) return &keyword.value;
  }
  return nullptr;
}

std::string_view name_in(const Value& value, const char* kind) {
  if (!value.is_string()) {
    fail("TemplateRuntimeError", std::string("a ") + kind + " is named by a text");
  }
  return value.view();
}

struct Map final : LazyFilter {
  FilterFunction filter = nullptr;

  using LazyFilter::LazyFilter;
  void prepare() {
    if (arguments.positional.empty() && keyword(arguments, "attribute") != nullptr) {
      for (const Keyword& given : arguments.keywords) {
        if (given.name != "attribute" && given.name != "default") {
          fail("FilterArgumentError",
               "Unexpected keyword argument '" + std::string(given.name) + "'");
        }
      }
      return;
    }
    if (arguments.positional.empty()) {
      fail("FilterArgumentError", "map requires a filter argument");
    }
    const std::string_view name = name_in(arguments.positional[0], "filter");
    filter = find_filter(name);
    if (filter == nullptr) {
      fail("TemplateRuntimeError", "No filter named '" + std::string(name) + "'.");
    }
  }
  bool next(Runtime& runtime, Value& item) override {
    if (items == nullptr) {
      if (!is_true(runtime, source)) return false;
      prepare();
    }
    if (!next_item(runtime, item)) return false;
    if (filter != nullptr) {
      item = filter(runtime, item, {arguments.positional.subspan(1), arguments.keywords});
    } else {
      item = attribute_at(runtime, item, *keyword(arguments, "attribute"),
                          keyword(arguments, "default"));
    }
    return true;
  }
};

struct Select final : LazyFilter {
  bool wanted, by_attribute;
  TestFunction test = nullptr;

  Select(const Value& source, const Arguments& arguments, bool wanted, bool by_attribute)
      : LazyFilter(source, arguments), wanted(wanted), by_attribute(by_attribute) {}
  void prepare() {
    const size_t first = by_attribute ? 1 : 0;
    if (arguments.positional.size() < first) {
      fail("FilterArgumentError", "Missing parameter for attribute name");
    }
    if (arguments.positional.size() == first) return;
    const std::string_view name = name_in(arguments.positional[first], "test");
    test = find_test(name);
    if (test == nullptr) {
      fail("TemplateRuntimeError", "No test named '" + std::string(name) + "'.");
    }
  }
  bool next(Runtime& runtime, Value& item) override {
    if (items == nullptr) {
      if (!is_true(runtime, source)) return false;
      prepare();
    }
    while (next_item(runtime, item)) {
      const Value tested =
          by_attribute ? attribute_at(runtime, item, arguments.positional[0]) : item;
      const size_t used = by_attribute ? 2 : 1;
      const bool passed =
          test == nullptr
              ? is_true(runtime, tested)
              : test(runtime, tested, {arguments.positional.subspan(used), arguments.keywords});
      if (passed == wanted) return true;
    }
    return false;
  }
};

struct Items final : LazyFilter {
  using LazyFilter::LazyFilter;
  bool next(Runtime& runtime, Value& item) override {
    if (items == nullptr && !source.is_undefined()) {
      if (!source.is(Type::dict)) fail("TypeError", "Can only get item pairs from a mapping.");
      source = dict_view(runtime, source, "items");
    }
    return next_item(runtime, item);
  }
};

struct Unique final : LazyFilter {
  Dict* seen = nullptr;

  using LazyFilter::LazyFilter;
  bool next(Runtime& runtime, Value& item) override {
    const Parameters given("unique", arguments, {"case_sensitive", "attribute"});
    if (seen == nullptr) seen = make_dict(runtime);
    while (next_item(runtime, item)) {
      const Value key = sort_key(runtime, item, given.get(1), is_true(runtime, given.get(0)));
      if (static_cast<const Dict*>(seen)->find(runtime, key) != nullptr) continue;
      insert(runtime, *seen, key, Value::none());
      return true;
    }
    return false;
  }
};

struct Batch final : LazyFilter {
  bool ended = false;

  using LazyFilter::LazyFilter;
  bool next(Runtime& runtime, Value& item) override {
    const Parameters given("batch", arguments, {"linecount", "fill_with"}, 1);
    const int64_t count = given.integer(0, 0);
    ListBuilder batch(runtime.arena);
    Value one;
    while (!ended && (count <= 0 || static_cast<int64_t>(batch.size()) < count)) {
      if (!next_item(runtime, one)) {
        ended = true;
      } else {
        batch.append(one);
      }
    }
    if (batch.size() == 0) return false;
    while (given.has_value(1) && static_cast<int64_t>(batch.size()) < count) {
      runtime.charge(1);
      batch.append(given.get(1));
    }
    item = Value::list_of(batch.finish());
    return true;
  }
};

struct Slice final : LazyFilter {
  const List* all = nullptr;
  int64_t number = 0, offset = 0;

  using LazyFilter::LazyFilter;
  bool next(Runtime& runtime, Value& item) override {
    const Parameters given("slice", arguments, {"slices", "fill_with"}, 1);
    const int64_t slices = given.integer(0, 0);
    if (all == nullptr) all = to_list(runtime, source);
    if (slices == 0) fail("ZeroDivisionError", "integer division or modulo by zero");
    if (number >= slices) return false;
    runtime.charge(1);
    const int64_t each = all->size / slices, extra = all->size % slices;
    const int64_t begin = offset + number * each;
    if (number < extra) ++offset;
    const int64_t end = offset + (number + 1) * each;
    ListBuilder part(runtime.arena, static_cast<size_t>(end - begin));
    for (int64_t i = begin; i < end; ++i) part.append(all->items[i]);
    if (given.has_value(1) && number >= extra) part.append(given.get(1));
    ++number;
    item = Value::list_of(part.finish());
    return true;
  }
};

template <class Generator>
Value filter_lazy(Runtime& runtime, const Value& input, const Arguments& arguments) {
  return generator<Generator>(runtime, input, arguments);
}

template <bool kWanted, bool kByAttribute>
Value filter_select(Runtime& runtime, const Value& input, const Arguments& arguments) {
  return generator<Select>(runtime, input, arguments, kWanted, kByAttribute);
}

constexpr NamedFilter kFilters[] = {
    {"items", filter_lazy<Items>},
    {"map", filter_lazy<Map>},
    {"select", filter_select<true, false>},
    {"reject", filter_select<false, false>},
    {"selectattr", filter_select<true, true>},
    {"rejectattr", filter_select<false, true>},
    {"unique", filter_lazy<Unique>},
    {"batch", filter_lazy<Batch>},
    {"slice", filter_lazy<Slice>},
};

}  // namespace

std::span<const NamedFilter> lazy_filters() {
  return kFilters;
}

}  // namespace burnish::jinja
