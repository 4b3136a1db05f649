// Templates that are far larger or deeper than real ones: the work stays in proportion.
#include <functional>

#include "text/template_helper.h"

namespace burnish::test {
namespace {

using testing::HasSubstr;

std::string repeated(int count, const std::function<std::string(int)>& piece) {
  std::string text;
  for (int i = 0; i < count; ++i) text += piece(i);
  return text;
}

std::string parse_error(const std::string& source) {
  return error_of([&] { Template::parse(source, "chat.jinja"); }, ErrorCode::model);
}

std::string name(int i) {
  return "a" + std::to_string(i);
}
std::string set_statement(int i) {
  return "{% set " + name(i) + " = 1 %}";
}

// With a copy of all names for each branch this takes most of an hour.
TEST(TemplateSize, BranchesAmongManyNames) {
  const std::string sets = repeated(20000, set_statement);
  const std::string use = "{{ a0 }}{{ a19999 }}{{ b0 }}{{ b19999 }}";
  const std::string ifs =
      repeated(20000, [](int i) { return "{% if not b" + std::to_string(i) + " %}{% endif %}"; });
  EXPECT_EQ(render(sets + ifs + use), "11");
  const std::string elifs = repeated(20000, [](int i) {
    return "{% elif a0 %}{% set b" + std::to_string(i) + " = " + std::to_string(i) + " %}";
  });
  EXPECT_EQ(render(sets + "{% if x %}" + elifs + "{% endif %}" + use), "110");
}

TEST(TemplateSize, DuplicatesAmongManyParametersAndKeywords) {
  const std::string parameters = repeated(200000, [](int i) { return name(i) + ","; });
  EXPECT_THAT(parse_error("{% macro m(" + parameters + "a7) %}{% endmacro %}"),
              HasSubstr("duplicate argument 'a7'"));
  const std::string keywords = repeated(200000, [](int i) { return name(i) + "=1,"; });
  EXPECT_THAT(parse_error("{{ f(" + keywords + "a7=2) }}"),
              HasSubstr("keyword argument repeated: a7"));
}

using Around = std::pair<const char*, const char*>;
constexpr Around kExpressions[] = {
    {"f(", ")"},       {"f(k=", ")"},       {"f(*", ")"},           {"f(**", ")"},
    {"f(a, k=", ")"},  {"a|default(", ")"}, {"a|default(1, ", ")"}, {"a|d(boolean=", ")"},
    {"a is eq(", ")"}, {"a is eq [", "]"},  {"a is not eq(", ")"},  {"a.b(", ")"},
    {"(", ")|trim"},   {"(", ") is true"},  {"(", ")()"},           {"a[", "]"},
    {"a[1, ", "]"},    {"a[", ":]"},        {"a[:", "]"},           {"a[::", "]"},
    {"{1: ", "}"},     {"{", ": 1}"},       {"[1, ", "]"},          {"(1, ", ")"},
    {"(", ").b"},      {"(1 if ", ")"},     {"(", " if b else c)"}, {"(a if b else ", ")"},
    {"(a < ", ")"},    {"(a ~ ", ")"},      {"(not ", ")"},         {"(-(", "))"},
    {"(a or ", ")"},   {"(a and ", ")"},    {"(a ** ", ")"},        {"a('b', *(", "))"},
};
constexpr Around kStatements[] = {
    {"{{ ", " }}"},
    {"{% set x = ", " %}"},
    {"{% with x = ", " %}{% endwith %}"},
    {"{% macro m(x=", ") %}{% endmacro %}"},
    {"{% call(x=", ") f() %}{% endcall %}"},
    {"{% call f(", ") %}{% endcall %}"},
    {"{% filter default(", ") %}{% endfilter %}"},
    {"{% set x | default(", ") %}{% endset %}"},
    {"{% for x in ", " %}{% endfor %}"},
    {"{% for x in y if ", " %}{% endfor %}"},
    {"{% if ", " %}{% endif %}"},
};

/// 1 in `levels` expressions, one within the other, each with 200 additions.
std::string nested(const Around& around, int levels) {
  std::string text, end;
  for (int i = 0; i < levels; ++i) {
    text += around.first;
    for (int j = 0; j < 200; ++j) end += "+1";
    end += around.second;
  }
  return text.append("1").append(end);
}

// One alone is not too high; one within the other, as any kind of child, is.
TEST(TemplateSize, HeightCountsEveryChild) {
  for (const Around& expression : kExpressions) {
    for (const Around& statement : kStatements) {
      const auto error = [&](int levels) {
        std::string source = statement.first;
        return parse_error(source.append(nested(expression, levels)).append(statement.second));
      };
      EXPECT_EQ(error(1), "no error") << statement.first << expression.first;
      EXPECT_THAT(error(3), HasSubstr("too long")) << statement.first << expression.first;
    }
  }
}

// A loop over a body with many names sets them all anew in each pass.
TEST(TemplateSize, EnteringAScopeCountsAsWork) {
  const std::string body = "{% if no %}" + repeated(20000, set_statement) + "{% endif %}";
  const auto steps_of = [](const std::string& source) {
    return error_of([&] { Template::parse(source, "chat.jinja").render({}); }, ErrorCode::data);
  };
  EXPECT_THAT(steps_of("{% for i in range(100000) %}" + body + "{% endfor %}"), HasSubstr("steps"));
  const std::string parameters = repeated(20000, [](int i) { return name(i) + ","; });
  const std::string keywords = repeated(500, [](int i) { return "b" + std::to_string(i) + "=1,"; });
  EXPECT_THAT(steps_of("{% macro m(" + parameters + "z) %}{{ kwargs|length }}{% endmacro %}" +
                       "{% for i in range(1000) %}{{ m(" + keywords + "y=1) }}{% endfor %}"),
              HasSubstr("steps"));
}

TEST(TemplateScope, NamesOfBranchesStartAsTheOuterOnes) {
  const Json x = {{"x", "outer"}};
  EXPECT_EQ(render("{% if no %}{% set x = 1 %}{% endif %}{{ x }}", x), "outer");
  EXPECT_EQ(render("{% if no %}{% elif no %}{% set x = 1 %}{% endif %}{{ x }}", x), "outer");
  EXPECT_EQ(render("{% set x = 1 %}{% if no %}{% set x = 2 %}{% endif %}{{ x }}", x), "1");
  EXPECT_EQ(
      render("{% if no %}{% set x = 1 %}{% else %}{{ x }}{% endif %}{% set x = 2 %}{{ x }}", x),
      "outer2");
  EXPECT_EQ(render("{% for i in [1, 2] %}{% if i == 1 %}{% set x = 1 %}{% endif %}{{ x }} "
                   "{% endfor %}{{ x }}",
                   x),
            "1 outer outer");
  EXPECT_EQ(render("{% set x = 1 %}{% for i in [1, 2] %}{% if i == 1 %}{% set x = 2 %}{% endif %}"
                   "{{ x }} {% endfor %}{{ x }}",
                   x),
            "2 1 1");
}

TEST(TemplateScope, NamesAreFoundThroughFunctions) {
  EXPECT_EQ(render("{% set a = 1 %}{% macro m(b) %}{% for c in [[]] recursive %}"
                   "{% macro n(d) %}{{ a }}{{ b }}{{ c }}{{ d }}{{ e }}{% endmacro %}"
                   "{% with a = a + 1, c = 8 %}{{ a }}{{ c }}{{ n(4) }}{% endwith %}"
                   "{% endfor %}{{ a }}{% endmacro %}{{ m(2) }}{{ b }}",
                   {{"e", 5}}),
            "2812[]451");
}

}  // namespace
}  // namespace burnish::test
