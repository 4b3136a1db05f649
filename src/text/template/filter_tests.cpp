// The tests: value is name(arguments).
#include "text/template/filters.h"
#include "text/template/iterate.h"
#include "text/template/operators.h"
#include "text/template/parameters.h"
#include "text/template/python_text.h"
#include "text/template/unicode.h"

namespace burnish::jinja {
namespace {

using Predicate = bool (*)(const Value&);
template <Predicate kIs>
bool test_value(Runtime&, const Value& input, const Arguments& arguments) {
  Parameters("test", arguments, {});
  return kIs(input);
}

template <Comparison kComparison>
bool test_comparison(Runtime& runtime, const Value& input, const Arguments& arguments) {
  const Parameters given("comparison", arguments, {"other"}, 1);
  return compare(runtime, kComparison, input, given.get(0));
}

bool remainder_is(Runtime& runtime, const Value& input, const Value& divisor, int64_t wanted) {
  const Value rest = calculate(runtime, Arithmetic::modulo, input, divisor);
  return equal(runtime, rest, Value::of(wanted));
}

template <int kRest>
bool test_parity(Runtime& runtime, const Value& input, const Arguments& arguments) {
  Parameters("parity", arguments, {});
  return remainder_is(runtime, input, Value::of(int64_t{2}), kRest);
}

bool test_divisibleby(Runtime& runtime, const Value& input, const Arguments& arguments) {
  const Parameters given("divisibleby", arguments, {"num"}, 1);
  return remainder_is(runtime, input, given.get(0), 0);
}

bool test_iterable(Runtime& runtime, const Value& input, const Arguments& arguments) {
  Parameters("iterable", arguments, {});
  return is_iterable(runtime, input);
}

bool test_sameas(Runtime& runtime, const Value& input, const Arguments& arguments) {
  const Parameters given("sameas", arguments, {"other"}, 1);
  const Value other = given.get(0);
  if (input.type != other.type) return false;
  switch (input.type) {
    case Type::list:
    case Type::tuple:
      return input.list == other.list;
    case Type::dict:
      return input.dict == other.dict;
    case Type::undefined:
      return input.undefined == other.undefined;
    default:
      return equal(runtime, input, other);
  }
}

/// Some letter has the case, and none the other.
bool has_case(Runtime& runtime, const Value& input, bool lower) {
  const std::string_view text = to_text(runtime, input)->view();
  runtime.charge(text.size() / 16);
  bool any = false;
  for (size_t at = 0; at < text.size();) {
    const char32_t c = next_character(text, at);
    if (is_title(c) || (lower ? is_upper(c) : is_lower(c))) return false;
    any = any || is_cased(c);
  }
  return any;
}

template <bool kLower>
bool test_case(Runtime& runtime, const Value& input, const Arguments& arguments) {
  Parameters("case", arguments, {});
  return has_case(runtime, input, kLower);
}

bool test_filter(Runtime&, const Value& input, const Arguments&) {
  return input.is_string() && find_filter(input.view()) != nullptr;
}
bool test_test(Runtime&, const Value& input, const Arguments&) {
  return input.is_string() && find_test(input.view()) != nullptr;
}

bool is_defined(const Value& value) {
  return !value.is_undefined();
}
bool is_undefined(const Value& value) {
  return value.is_undefined();
}
bool is_none(const Value& value) {
  return value.is_none();
}
bool is_boolean(const Value& value) {
  return value.is(Type::boolean);
}
bool is_literally_true(const Value& value) {
  return value.is(Type::boolean) && value.boolean;
}
bool is_literally_false(const Value& value) {
  return value.is(Type::boolean) && !value.boolean;
}
bool is_integer(const Value& value) {
  return value.is(Type::integer) || value.is(Type::big_integer);
}
bool is_float(const Value& value) {
  return value.is(Type::real);
}
bool is_number(const Value& value) {
  return value.is_number() || value.is(Type::big_integer);
}
bool is_string(const Value& value) {
  return value.is_string();
}
bool is_mapping(const Value& value) {
  return value.is(Type::dict);
}
bool is_escaped(const Value& value) {
  return value.is_string() && value.text->markup;
}
bool is_callable(const Value& value) {
  // Undefined has a call operator, which fails
  return value.is_undefined() || (value.is(Type::object) && value.object->is_callable());
}
bool is_sequence(const Value& value) {
  return value.is_undefined() || value.is_string() || value.is_sequence() || value.is(Type::dict) ||
         value.is(Type::range);
}

struct NamedTest {
  std::string_view name;
  TestFunction function;
};

constexpr NamedTest kTests[] = {
    {"defined", test_value<is_defined>},
    {"undefined", test_value<is_undefined>},
    {"none", test_value<is_none>},
    {"string", test_value<is_string>},
    {"mapping", test_value<is_mapping>},
    {"iterable", test_iterable},
    {"sequence", test_value<is_sequence>},
    {"number", test_value<is_number>},
    {"integer", test_value<is_integer>},
    {"float", test_value<is_float>},
    {"boolean", test_value<is_boolean>},
    {"true", test_value<is_literally_true>},
    {"false", test_value<is_literally_false>},
    {"callable", test_value<is_callable>},
    {"escaped", test_value<is_escaped>},
    {"odd", test_parity<1>},
    {"even", test_parity<0>},
    {"divisibleby", test_divisibleby},
    {"sameas", test_sameas},
    {"lower", test_case<true>},
    {"upper", test_case<false>},
    {"filter", test_filter},
    {"test", test_test},
    {"in", test_comparison<Comparison::in>},
    {"==", test_comparison<Comparison::equal>},
    {"eq", test_comparison<Comparison::equal>},
    {"equalto", test_comparison<Comparison::equal>},
    {"!=", test_comparison<Comparison::not_equal>},
    {"ne", test_comparison<Comparison::not_equal>},
    {"<", test_comparison<Comparison::less>},
    {"lt", test_comparison<Comparison::less>},
    {"lessthan", test_comparison<Comparison::less>},
    {"<=", test_comparison<Comparison::less_equal>},
    {"le", test_comparison<Comparison::less_equal>},
    {">", test_comparison<Comparison::greater>},
    {"gt", test_comparison<Comparison::greater>},
    {"greaterthan", test_comparison<Comparison::greater>},
    {">=", test_comparison<Comparison::greater_equal>},
    {"ge", test_comparison<Comparison::greater_equal>},
};

}  // namespace

TestFunction find_test(std::string_view name) {
  for (const NamedTest& test : kTests) {
    if (test.name == name) return test.function;
  }
  return nullptr;
}

}  // namespace burnish::jinja
