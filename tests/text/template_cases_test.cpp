// Failures seen in public, with the values that the original environment gives.
#include "text/template_helper.h"

namespace burnish::test {
namespace {

class RenderCases : public testing::TestWithParam<const char*> {};

TEST_P(RenderCases, GiveTheOriginalsText) {
  const std::string folder = std::string("cases/") + GetParam() + "/";
  const Json context = read_json(folder + "context.json");
  const Json results = read_json(folder + "expected.json")["results"];
  size_t compared = 0;
  for (const Json& entry : read_json(folder + "expressions.json")) {
    const std::string id = entry["id"], source = entry["template"];
    SCOPED_TRACE(id + ": " + source);
    const Json& expected = results[id];
    ++compared;
    if (expected.contains("error")) {
      EXPECT_NE(error_of([&] { render(source, context); }, ErrorCode::data), "no error");
    } else {
      EXPECT_EQ(render(source, context), expected["rendered"].get<std::string>());
    }
  }
  EXPECT_EQ(compared, results.size());
}

INSTANTIATE_TEST_SUITE_P(Template, RenderCases,
                         testing::Values("A01-tojson", "A04-undefined-none", "A05-loops-scope",
                                         "A06-whitespace", "A12-filters-macros"));

TEST(TemplateCases, A07RendersWithGenerationTags) {
  const Json conversations = read_json("cases/A07-generation-tag/conversations.json");
  const Json expected = read_json("cases/A07-generation-tag/expected.json")["cases"];
  for (const auto& [name, entry] : conversations.items()) {
    SCOPED_TRACE(name);
    const Rendered rendered =
        render_messages(entry["template"].get<std::string>(), entry["messages"]);
    EXPECT_EQ(rendered.text, expected[name]["rendered"].get<std::string>());
    EXPECT_TRUE(rendered.has_generation_tag);
  }
}

std::vector<std::string> generated(const Rendered& rendered) {
  std::vector<std::string> texts;
  for (const ByteSpan& span : rendered.generation) {
    texts.push_back(rendered.text.substr(span.begin, span.end - span.begin));
  }
  return texts;
}

TEST(TemplateCases, A07SpansAreTheBodiesOfTheTags) {
  const Json conversations = read_json("cases/A07-generation-tag/conversations.json");
  const auto spans = [&](const char* name) {
    const Json& entry = conversations[name];
    return generated(render_messages(entry["template"].get<std::string>(), entry["messages"]));
  };
  using testing::ElementsAre;
  EXPECT_THAT(spans("two_turns"), ElementsAre("The town.<|im_end|>", "Because é 🤗!<|im_end|>"));
  EXPECT_THAT(spans("span_is_first_token"), ElementsAre("A"));
  EXPECT_THAT(spans("span_ends_in_space"), ElementsAre("The rule. "));
  EXPECT_THAT(spans("two_spans_touching"),
              ElementsAre("<think>12 apples</think>There are 12.", "<|im_end|>"));
  EXPECT_THAT(spans("empty_span"), ElementsAre());
}

// Without the tag the origin of every byte is known all the same.
TEST(TemplateCases, A08NeedsNoTag) {
  const std::string folder = std::string(BURNISH_TEST_DATA) + "/cases/A08-no-generation-tag/";
  const std::string source = read_text_file(folder + "template.jinja");
  const Json row = Json::parse(read_text_file(folder + "data.jsonl"));
  const Rendered rendered = render_messages(source, row["messages"]);
  EXPECT_FALSE(rendered.has_generation_tag);
  EXPECT_EQ(marked(rendered),
            "<|im_start|><0:role|user>\n<0:content|What is the rule?><|im_end|>\n"
            "<|im_start|><1:role|assistant>\n<1:content|The rule is simple.><|im_end|>\n"
            "<|im_start|><2:role|user>\n<2:content|Why?><|im_end|>\n"
            "<|im_start|><3:role|assistant>\n<3:content|Because.><|im_end|>\n");
}

TEST(TemplateCases, A10TakesTheDateOfTheRun) {
  const std::string folder = std::string(BURNISH_TEST_DATA) + "/cases/A10-strftime-now/";
  RenderInput input;
  input.messages = Json::parse(read_text_file(folder + "data.jsonl"))["messages"];
  input.now = 1735776000;  // 2025-01-02
  const auto dated = Template::parse(read_text_file(folder + "date.jinja"), "date.jinja");
  EXPECT_EQ(dated.render(input).text, "<sys>Today: 02 Jan 2025\n<user>hi\n");
  const auto given = Template::parse(read_text_file(folder + "date_string.jinja"), "d.jinja");
  EXPECT_EQ(given.render(input).text, "2025-01-02");
  input.extra = {{"date_string", "1999-12-31"}};
  EXPECT_EQ(given.render(input).text, "1999-12-31");
}

}  // namespace
}  // namespace burnish::test
