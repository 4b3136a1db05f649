// What transformers' own jinja environment renders (scripts/goldens/make_templates.py).
#include "text/template_helper.h"

namespace burnish::test {
namespace {

RenderInput input_of(const Json& entry) {
  RenderInput input;
  input.messages = entry["messages"];
  if (entry.contains("tools")) input.tools = entry["tools"];
  if (entry.contains("documents")) input.documents = entry["documents"];
  if (entry.contains("extra")) input.extra = entry["extra"];
  input.add_generation_prompt = entry.value("add_generation_prompt", false);
  input.special_tokens = {{"bos_token", "<s>"}, {"eos_token", "</s>"}, {"pad_token", "<pad>"}};
  input.now = 1735776000;  // 2025-01-02
  return input;
}

TEST(TemplateGolden, ConversationsRenderAsTheOriginalDoes) {
  const std::string folder = "text/template/";
  const Json conversations = read_json(folder + "conversations.json");
  const Json expected = read_json(folder + "expected_templates.json");
  size_t rendered_count = 0, refused_count = 0;
  for (const auto& [file, results] : expected.items()) {
    const std::string path = std::string(BURNISH_TEST_DATA) + "/" + folder + "templates/" + file;
    const auto chat = Template::parse(read_text_file(path), file);
    for (const auto& [name, entry] : conversations.items()) {
      SCOPED_TRACE(file + ", " + name);
      const Json& wanted = results[name];
      if (wanted.contains("error")) {
        ++refused_count;
        EXPECT_NE(error_of([&] { chat.render(input_of(entry)); }, ErrorCode::data), "no error");
        continue;
      }
      ++rendered_count;
      const Rendered rendered = chat.render(input_of(entry));
      EXPECT_EQ(rendered.text, wanted["text"].get<std::string>());
      Json generated = Json::array();
      for (const ByteSpan& span : rendered.generation) {
        generated.push_back(rendered.text.substr(span.begin, span.end - span.begin));
      }
      EXPECT_EQ(generated, wanted.value("generated", Json::array()));
    }
  }
  EXPECT_GT(rendered_count, 50u);
  EXPECT_GT(refused_count, 10u);
}

TEST(TemplateGolden, ExpressionsGiveWhatTheOriginalGives) {
  const Json expressions = read_json("text/template/expressions.json");
  const Json expected = read_json("text/template/expected_expressions.json");
  ASSERT_EQ(expressions["templates"].size(), expected.size());
  for (size_t i = 0; i < expected.size(); ++i) {
    const std::string source = expressions["templates"][i];
    SCOPED_TRACE(source);
    RenderInput input;
    input.extra = expressions["context"];
    input.now = 1735776000;
    std::string text, error;
    try {
      text = Template::parse(source, "t").render(input).text;
    } catch (const Error& e) {
      error = e.what();
    }
    if (expected[i].contains("error")) {
      EXPECT_NE(error, "") << "the original: " << expected[i]["error"] << ", ours: " << text;
    } else {
      EXPECT_EQ(text, expected[i]["text"].get<std::string>()) << error;
    }
  }
}

}  // namespace
}  // namespace burnish::test
