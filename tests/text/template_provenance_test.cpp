// For every byte of the output: which message, and which part of it.
#include "text/template_helper.h"

namespace burnish::test {
namespace {

const Json kMessages = Json::parse(R"([
  {"role": "user", "content": "  a-b <c>\n"},
  {"role": "assistant", "content": "Answer", "reasoning_content": "why",
   "tool_calls": [{"name": "f", "arguments": {"x": 1, "y": [true, null, "é"]}}]}])");

std::string origins(const std::string& source) {
  return marked(render_messages(source, kMessages));
}

struct Case {
  const char* source;
  const char* expected;
};

class Provenance : public testing::TestWithParam<Case> {};

TEST_P(Provenance, Survives) {
  EXPECT_EQ(origins(GetParam().source), GetParam().expected);
}

INSTANTIATE_TEST_SUITE_P(
    Parts, Provenance,
    testing::Values(Case{"{{ messages[1].role }}", "<1:role|assistant>"},
                    Case{"[{{ messages[1].content }}]", "[<1:content|Answer>]"},
                    Case{"{{ messages[1].reasoning_content }}", "<1:reasoning|why>"},
                    Case{"{{ messages[1].thinking }}", "<1:reasoning|why>"},
                    Case{"{{ messages[1].tool_calls[0].name }}", "<1:tool|f>"},
                    Case{"{{ messages[1].tool_calls[0].arguments.x }}", "<1:tool|1>"},
                    Case{"{{ messages[1].tool_calls[0].arguments.y[0] }}", "<1:tool|True>"},
                    Case{"{{ messages[1].tool_calls[0].arguments.x + 1 }}", "<1:tool|2>"},
                    Case{"{{ messages|length }}", "2"}));

INSTANTIATE_TEST_SUITE_P(
    Texts, Provenance,
    testing::Values(
        Case{"{{ '<' + messages[1].content + '>' }}", "<<1:content|Answer>>"},
        Case{"{{ '<' ~ messages[1].content ~ 1 }}", "<<1:content|Answer>1"},
        Case{"{{ messages[1].role ~ messages[1].content }}",
             "<1:role|assistant><1:content|Answer>"},
        Case{"{{ messages[1].content[1:3] }}", "<1:content|ns>"},
        Case{"{{ messages[1].content[::-1] }}", "<1:content|rewsnA>"},
        Case{"{{ ('x' + messages[1].content + 'y')[0:3] }}", "x<1:content|An>"},
        Case{"{{ messages[1].content[0] }}", "<1:content|A>"},
        Case{"[{{ messages[0].content|trim }}]", "[<0:content|a-b <c>>]"},
        Case{"[{{ messages[0].content.strip().lstrip('a') }}]", "[<0:content|-b <c>>]"},
        Case{"{{ messages[0].content.strip().split('-')|join('+') }}",
             "<0:content|a>+<0:content|b <c>>"},
        Case{"{{ messages[0].content.rsplit(None, 1)[1] }}", "<0:content|<c>>"},
        Case{"{{ messages[0].content.splitlines()[0][2:] }}", "<0:content|a-b <c>>"},
        Case{"{{ messages[0].content.strip().partition('-')[2] }}", "<0:content|b <c>>"},
        Case{"{{ messages[1].content|replace('w', '#') }}", "<1:content|Ans>#<1:content|er>"},
        Case{"{{ 'a#b'|replace('#', messages[1].content) }}", "a<1:content|Answer>b"},
        Case{"{{ messages[1].content|upper }}", "<1:content|ANSWER>"},
        Case{"{{ messages[1].content.lower() }}", "<1:content|answer>"},
        Case{"{{ messages[0].content.strip()|title }}", "<0:content|A-B <C>>"},
        Case{"{{ messages[0].content.strip()|capitalize }}", "<0:content|A-b <c>>"},
        Case{"{{ messages[0].content.strip()|e }}", "<0:content|a-b &lt;c&gt;>"},
        Case{"{{ messages[1].content|safe|string|default('x') }}", "<1:content|Answer>"},
        Case{"{{ nope|default(messages[1].content) }}", "<1:content|Answer>"},
        Case{"{{ ('x\n' + messages[1].content)|indent(2) }}", "x\n  <1:content|Answer>"},
        Case{"{{ '%s|%d' % (messages[1].content, 3) }}", "<1:content|Answer>|3"},
        Case{"{{ '%s!'|format(messages[1].content) }}", "<1:content|Answer>!"},
        Case{"{{ 'x{}y{n}'.format(messages[1].content, n=messages[1].role) }}",
             "x<1:content|Answer>y<1:role|assistant>"},
        Case{"{{ messages[1].content * 2 }}", "<1:content|AnswerAnswer>"}));

INSTANTIATE_TEST_SUITE_P(
    Json, Provenance,
    testing::Values(Case{"{{ messages[1].tool_calls[0].arguments|tojson }}",
                         R"(<1:tool|{"x": 1, "y": [true, null, "é"]}>)"},
                    Case{"{{ messages[1].tool_calls }}",
                         "<1:tool|[{'name': 'f', 'arguments': {'x': 1, 'y': [True, None, 'é']}}]>"},
                    Case{"{{ {'k': messages[1].content}|tojson }}",
                         R"({"k": <1:content|"Answer">})"},
                    Case{"{{ [messages[1].content, 1] }}", "[<1:content|'Answer'>, 1]"},
                    Case{"{{ messages[1].tool_calls|map(attribute='name')|list|tojson }}",
                         R"([<1:tool|"f">])"}));

INSTANTIATE_TEST_SUITE_P(
    Flow, Provenance,
    testing::Values(
        Case{"{% for m in messages[1:] %}{{ m.content }}{% endfor %}", "<1:content|Answer>"},
        Case{"{% for m in messages[::-1] %}{{ m.role }} {% endfor %}",
             "<1:role|assistant> <0:role|user> "},
        Case{"{% set messages = messages[1:] %}{{ messages[0].content }}", "<1:content|Answer>"},
        Case{"{% set x %}<{{ messages[1].content }}>{% endset %}{{ x }}", "<<1:content|Answer>>"},
        Case{"{% macro m(x) %}({{ x }}){% endmacro %}{{ m(messages[1].content)|trim }}",
             "(<1:content|Answer>)"},
        Case{"{% filter upper %}x{{ messages[1].content }}{% endfilter %}", "X<1:content|ANSWER>"},
        Case{"{% macro m() %}[{{ caller() }}]{% endmacro %}"
             "{% call m() %}{{ messages[1].role }}{% endcall %}",
             "[<1:role|assistant>]"},
        Case{"{% set ns = namespace(t='') %}{% for m in messages %}"
             "{% set ns.t = ns.t + m.role + ';' %}{% endfor %}{{ ns.t }}",
             "<0:role|user>;<1:role|assistant>;"},
        Case{"{% for k, v in messages[1].tool_calls[0].arguments.items() %}{{ k }}={{ v }} "
             "{% endfor %}",
             "<1:tool|x>=<1:tool|1> <1:tool|y>=<1:tool|[True, None, 'é']> "}));

TEST(TemplateProvenance, PartsOfAContentListAreContent) {
  const Json messages = Json::parse(
      R"([{"role": "user", "content": [{"type": "text", "text": "ab"}, {"type": "image"}]}])");
  EXPECT_EQ(
      marked(render_messages(
          "{% for p in messages[0].content %}{{ p.type }}:{{ p.text }} {% endfor %}", messages)),
      "<0:content|text>:<0:content|ab> <0:content|image>: ");
}

TEST(TemplateProvenance, ToolsAreTools) {
  RenderInput input;
  input.tools = Json::parse(R"([{"name": "f"}])");
  const auto rendered = Template::parse("x{{ tools|tojson }}", "t").render(input);
  EXPECT_EQ(marked(rendered), R"(x<-1:tools|[{"name": "f"}]>)");
}

TEST(TemplateProvenance, ComparisonsAndKeysIgnoreIt) {
  EXPECT_EQ(
      origins("{{ messages[1].role == 'assistant' }}{{ {'assistant': 'k'}[messages[1].role] }}"
              "{{ 'Answer' in [messages[1].content] }}"),
      "TruekTrue");
}

TEST(TemplateProvenance, GenerationSpansSurviveMacrosAndBlocks) {
  const Rendered rendered = render_messages(
      "{% macro m(x) %}<{% generation %}{{ x }}.{% endgeneration %}>{% endmacro %}"
      "{% set t %}{{ m(messages[1].content) }}{% endset %}a{{ t }}b{{ m('q') }}",
      kMessages);
  ASSERT_EQ(rendered.text, "a<Answer.>b<q.>");
  EXPECT_THAT(rendered.generation, testing::ElementsAre(ByteSpan{2, 9}, ByteSpan{12, 14}));
}

// The runs cover the text in order, without gaps, whatever the template does.
TEST(TemplateProvenance, RunsCoverTheText) {
  const Rendered rendered = render_messages(
      "{% for m in messages %}{{ m }}{{ m.content|upper|replace('A', '') }}{% endfor %}",
      kMessages);
  size_t at = 0;
  for (const OriginRun& run : rendered.origins) {
    EXPECT_EQ(run.span.begin, at);
    EXPECT_LT(run.span.begin, run.span.end);
    at = run.span.end;
  }
  EXPECT_EQ(at, rendered.text.size());
}

}  // namespace
}  // namespace burnish::test
