// Broken templates, refused conversations, and templates that want too much.
#include "text/template_helper.h"

namespace burnish::test {
namespace {

using testing::HasSubstr;

std::string parse_error(const std::string& source) {
  return error_of([&] { Template::parse(source, "chat.jinja"); }, ErrorCode::model);
}

std::string render_error(const std::string& source, const RenderLimits& limits = {}) {
  return error_of([&] { Template::parse(source, "chat.jinja").render({}, limits); },
                  ErrorCode::data);
}

TEST(TemplateError, SyntaxHasLineAndColumn) {
  EXPECT_THAT(parse_error("a\n  {{ x"), HasSubstr("chat.jinja:2:"));
  EXPECT_THAT(parse_error("{% if x %}"), HasSubstr("Unexpected end of template"));
  EXPECT_THAT(parse_error("{% endif %}"), HasSubstr("unknown tag 'endif'"));
  EXPECT_THAT(parse_error("{{ 'abc }}"), HasSubstr("chat.jinja:1:4"));
  EXPECT_THAT(parse_error("{{ (1] }}"), HasSubstr("expected ')'"));
  EXPECT_THAT(parse_error("{{ x|nope }}"), HasSubstr("No filter named 'nope'"));
  EXPECT_THAT(parse_error("{{ x is nope }}"), HasSubstr("No test named 'nope'"));
  EXPECT_THAT(parse_error("{# never closed"), HasSubstr("Missing end of comment"));
  EXPECT_THAT(parse_error("{% raw %}x"), HasSubstr("Missing end of raw"));
  EXPECT_THAT(parse_error("{% break %}"), HasSubstr("outside of a loop"));
  EXPECT_THAT(parse_error("{% set loop.x.y = 1 %}"), HasSubstr("chat.jinja:1:"));
  EXPECT_THAT(parse_error("{% set true = 1 %}"), HasSubstr("can't assign"));
  EXPECT_THAT(parse_error("{{ f(a=1, 2) }}"), HasSubstr("invalid syntax"));
  EXPECT_THAT(parse_error("{{ '\\ud800' }}"), HasSubstr("escape"));
}

TEST(TemplateError, OnlyUtf8IsRead) {
  EXPECT_THAT(parse_error("a\xFF"), HasSubstr("not UTF-8"));
  EXPECT_THAT(render_error("{{ '%é' % 1 }}"), HasSubstr("character 'é'"));
}

TEST(TemplateError, AnUnknownFilterInABranchFailsWhenItIsUsed) {
  EXPECT_EQ(render("{% if false %}{{ 1|nope }}{% endif %}{{ 1|nope if false else 2 }}"), "2");
  EXPECT_THAT(render_error("{% if true %}{{ 1|nope }}{% endif %}"), HasSubstr("nope"));
}

TEST(TemplateError, TagsThatNeedOtherTemplatesAreUnsupported) {
  EXPECT_THAT(error_of([] { Template::parse("{% include 'x' %}", "t"); }, ErrorCode::unsupported),
              HasSubstr("include"));
}

TEST(TemplateError, RaiseExceptionGivesItsText) {
  EXPECT_THAT(render_error("a\n{{ raise_exception('No user query found.') }}"),
              HasSubstr("chat.jinja:2:"));
  EXPECT_THAT(render_error("{{ raise_exception('No user query found.') }}"),
              HasSubstr("No user query found."));
}

TEST(TemplateError, OperationsSayWhereAndWhat) {
  EXPECT_THAT(render_error("\n\n{{ nope.x }}"), HasSubstr("chat.jinja:3:"));
  EXPECT_THAT(render_error("{{ nope.x }}"), HasSubstr("'nope' is undefined"));
  EXPECT_THAT(render_error("{{ {}.a.b }}"), HasSubstr("'dict object' has no attribute 'a'"));
  EXPECT_THAT(render_error("{{ 1 + 'a' }}"), HasSubstr("unsupported operand"));
  EXPECT_THAT(render_error("{{ 1 / 0 }}"), HasSubstr("division by zero"));
  EXPECT_THAT(render_error("{{ [].append(1) }}"), HasSubstr("unsafe"));
  EXPECT_THAT(render_error("{{ 'a'() }}"), HasSubstr("not callable"));
  EXPECT_THAT(render_error("{{ 'a'.startswith(1) }}"), HasSubstr("startswith first arg"));
  EXPECT_THAT(render_error("{{ 'a'.endswith(1) }}"), HasSubstr("endswith first arg"));
  EXPECT_THAT(render_error("{{ 'a'.removeprefix(1) }}"), HasSubstr("removeprefix() argument 1"));
  EXPECT_THAT(render_error("{{ 'a'.removesuffix(1) }}"), HasSubstr("removesuffix() argument 1"));
  EXPECT_THAT(render_error("{% set x = 1 %}{% set x.y = 2 %}"), HasSubstr("non-namespace"));
  EXPECT_THAT(render_error("{% set a, b = [1] %}"), HasSubstr("not enough values"));
  EXPECT_THAT(render_error("{{ 9223372036854775807 + 1 }}"), HasSubstr("64 bits"));
}

TEST(TemplateError, MessagesMustBeObjects) {
  RenderInput input;
  input.messages = Json::parse("[1]");
  const auto printing = Template::parse("{{ messages }}", "t");
  EXPECT_THAT(error_of([&] { printing.render(input); }, ErrorCode::data), HasSubstr("message 0"));
  input.messages = Json::parse("[]");
  input.tools = Json::parse("[1]");
  const auto tools = Template::parse("{{ tools }}", "t");
  EXPECT_THAT(error_of([&] { tools.render(input); }, ErrorCode::data), HasSubstr("tools"));
}

TEST(TemplateLimit, DeepNestingIsAnError) {
  EXPECT_THAT(parse_error("{{ " + std::string(100000, '(')), HasSubstr("levels deep"));
  EXPECT_THAT(parse_error("{{ " + std::string(100000, '[')), HasSubstr("levels deep"));
  EXPECT_THAT(parse_error("{{ " + std::string(100000, '-') + "1 }}"), HasSubstr("levels deep"));
  std::string sum = "{{ 1", blocks, negations = "{{ ", subscripts = "{{ a", filters = "{{ a";
  for (int i = 0; i < 20000; ++i) {
    sum += " + 1";
    blocks += "{% if a %}";
    negations += "not ";
    subscripts += "[0]";
    filters += "|trim";
  }
  EXPECT_THAT(parse_error(sum + " }}"), HasSubstr("too long"));
  EXPECT_THAT(parse_error(blocks), HasSubstr("levels deep"));
  EXPECT_THAT(parse_error(negations + "1 }}"), HasSubstr("levels deep"));
  EXPECT_THAT(parse_error(subscripts + " }}"), HasSubstr("too long"));
  EXPECT_THAT(parse_error(filters + " }}"), HasSubstr("too long"));
}

TEST(TemplateLimit, WorkIsBounded) {
  RenderLimits limits;
  limits.steps = 10000;
  EXPECT_THAT(render_error("{% for i in range(100000) %}{{ i }}{% endfor %}", limits),
              HasSubstr("10000 steps"));
  EXPECT_THAT(render_error("{{ range(100000)|map('string')|list|sort|join }}", limits),
              HasSubstr("steps"));
  EXPECT_THAT(render_error("{{ range(1000000) }}"), HasSubstr("Range too big"));
}

TEST(TemplateLimit, MemoryIsBounded) {
  EXPECT_THAT(render_error("{{ 'a' * 9000000000 }}"), HasSubstr("too long"));
  EXPECT_THAT(render_error("{{ [1] * 9000000000 }}"), HasSubstr("too long"));
  EXPECT_THAT(render_error("{{ '%999999999d' % 1 }}"), HasSubstr("too long"));
  EXPECT_THAT(render_error("{{ 'a'.center(9000000000) }}"), HasSubstr("too long"));
  EXPECT_THAT(render_error("{% set ns = namespace(x='ab') %}{% for i in range(60) %}"
                           "{% set ns.x = ns.x + ns.x %}{% endfor %}"),
              HasSubstr("grows beyond"));
  RenderLimits limits;
  limits.memory_bytes = 1 << 20;
  EXPECT_THAT(render_error("{% set ns = namespace(x=[]) %}{% for i in range(2000) %}"
                           "{% set ns.x = [i] + ns.x %}{% endfor %}",
                           limits),
              HasSubstr("1 MiB"));
  limits = {};
  limits.output_bytes = 1000;
  EXPECT_THAT(render_error("{% for i in range(2000) %}a{% endfor %}", limits),
              HasSubstr("1000 bytes"));
}

TEST(TemplateLimit, RecursionIsBounded) {
  EXPECT_THAT(render_error("{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}"),
              HasSubstr("levels deep"));
  EXPECT_THAT(render_error("{% set ns = namespace(x=[]) %}{% for i in range(5000) %}"
                           "{% set ns.x = [ns.x] %}{% endfor %}{{ ns.x }}"),
              HasSubstr("nested too deeply"));
  EXPECT_THAT(render_error("{% set ns = namespace(x=[]) %}{% for i in range(5000) %}"
                           "{% set ns.x = ns.x|map('upper') %}{% endfor %}{{ ns.x|list }}"),
              HasSubstr("too deeply"));
  EXPECT_THAT(render_error("{% set ns = namespace() %}{% set ns.x = ns %}{{ ns }}"),
              HasSubstr("too deeply"));
  EXPECT_THAT(render_error("{% for a in [[]] recursive %}{{ loop([[a]]) }}{% endfor %}"),
              HasSubstr("too deeply"));
}

// The same list may stand in another many times over: 2^60 pairs to compare, from 60 lists.
TEST(TemplateLimit, ComparingCountsAsWork) {
  const std::string doubled =
      "{% set ns = namespace(a=(1,), b=(1,)) %}{% for i in range(60) %}"
      "{% set ns.a = (ns.a, ns.a) %}{% set ns.b = (ns.b, ns.b) %}{% endfor %}";
  for (const char* use : {"{{ ns.a == ns.b }}", "{{ ns.a < ns.b }}", "{{ {ns.a: 1} }}",
                          "{{ [ns.a] == [ns.b] }}", "{{ {1: ns.a} == {1: ns.b} }}"})
    EXPECT_THAT(render_error(doubled + use), HasSubstr("steps")) << use;
}

TEST(TemplateLimit, SearchingCountsAsWork) {
  RenderLimits limits;
  limits.steps = 3'000'000;
  const std::string a = "{% set a = 'a' * 600000 %}{% set b = 'a' * 400000 ~ 'b' %}";
  for (const char* use :
       {"{{ b in a }}", "{{ a.replace(b, 'c') }}", "{{ a.split(b)|length }}",
        "{{ a.rsplit(b)|length }}", "{{ a.strip(b[1:] ~ 'c') }}", "{{ ('b' * 600000).strip(b) }}",
        "{{ a.find(b) }}", "{{ a.rfind(b) }}", "{{ a.count(b) }}", "{{ a.partition(b)|length }}"})
    EXPECT_THAT(render_error(a + use, limits), HasSubstr("3000000 steps")) << use;
  EXPECT_THAT(render_error("{% set ns = namespace(l=[]) %}{% for i in range(30000) %}"
                           "{% set ns.l = ns.l + [[i|string, i]] %}{% endfor %}"
                           "{{ dict(**dict(ns.l)) }}"),
              HasSubstr("steps"));
}

TEST(TemplateLimit, QuotingManyBlanksIsLinear) {
  EXPECT_EQ(render("{{ ({'a': ' ' * 3000000}|urlencode)|length }}"), "3000002");
  EXPECT_EQ(render("{{ {'a b': '/ c'}|urlencode }} {{ 'a b/c'|urlencode }}"), "a+b=%2F+c a%20b/c");
}

TEST(TemplateLimit, NumbersAtTheEdge) {
  const std::string least = "{% set least = -9223372036854775807 - 1 %}";
  EXPECT_EQ(render(least + "{{ least % 3 }} {{ least % -1 }} {{ least // 3 }}"),
            "1 0 -3074457345618258603");
  EXPECT_EQ(render(least + "{{ 'a,b'.split(',', least) }} {{ 'aa'.replace('a', 'b', least) }}"),
            "['a', 'b'] bb");
  EXPECT_EQ(render(least + "{{ 'a'.zfill(least) }} {{ 15|round(least) }} {{ 15|round(-1) }}"),
            "a 0 20");
  EXPECT_EQ(render("{% set r = range(-9000000000000000000, 9000000000000000000, "
                   "1000000000000000000) %}{{ r[17] }} {{ 8000000000000000000 in r }}"),
            "8000000000000000000 True");
  for (const char* rounded : {"9223372036854775807|round(-1)", "9223372036854775807|round(-19)"})
    EXPECT_THAT(render_error(std::string("{{ ") + rounded + " }}"), HasSubstr("64 bits"));
  EXPECT_EQ(render("{{ '%.5c|%#.3c' % (43, 65) }}"), "+|A");
}

// A text that grows by a bit in every pass costs time in proportion, not squared.
TEST(TemplateLimit, AppendingIsLinear) {
  RenderLimits limits;
  limits.memory_bytes = 64 << 20;
  const auto appending = Template::parse(
      "{% set ns = namespace(x='', l=[]) %}{% for i in range(50000) %}"
      "{% set ns.x = ns.x + 'some more of it ' %}{% set ns.l = ns.l + [i] %}{% endfor %}"
      "{{ ns.x|length }} {{ ns.l|length }}",
      "t");
  EXPECT_EQ(appending.render({}, limits).text, "800000 50000");
}

}  // namespace
}  // namespace burnish::test
