#include "data/render.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/error.h"
#include "base/file.h"
#include "data/dataset.h"
#include "data/inspect.h"
#include "data/jsonl.h"

namespace burnish {
namespace {
namespace fs = std::filesystem;
using nlohmann::ordered_json;
using testing::HasSubstr;
const std::string kCases = std::string(BURNISH_TEST_DATA) + "/cases/";

ordered_json expected_of(const std::string& name) {
  return ordered_json::parse(read_text_file(kCases + name + "/expected.json"));
}

// shared/tok-bpe with another eos or pad token.
fs::path tokenizer_with(const std::string& key, const std::string& token) {
  const fs::path folder = fs::temp_directory_path() / ("burnish_tok_" + std::to_string(::getpid()));
  fs::create_directories(folder);
  const fs::path from = kCases + "shared/tok-bpe";
  fs::copy_file(from / "tokenizer.json", folder / "tokenizer.json",
                fs::copy_options::overwrite_existing);
  auto config = ordered_json::parse(read_text_file(from / "tokenizer_config.json"));
  config[key] = token;
  std::ofstream(folder / "tokenizer_config.json") << config.dump();
  return folder;
}

TextFiles text_of(const std::string& chat_template,
                  const fs::path& tokenizer = kCases + "shared/tok-bpe") {
  return {Tokenizer::from_folder(tokenizer), Template::parse(chat_template, "template.jinja")};
}

TextFiles text_of_case(const std::string& name) {
  return text_of(read_text_file(kCases + name + "/template.jinja"));
}

const std::string kChatMl =
    "{% for m in messages %}{{ '<|im_start|>' + m['role'] + '\n' + m['content'] + '<|im_end|>' + "
    "'\n' }}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}";

Conversation row_of(const std::string& messages) {
  return conversation_from_json(ordered_json{{"messages", ordered_json::parse(messages)}},
                                {"made", 1}, "auto");
}

std::vector<int32_t> labels_of(const Sample& sample) {
  std::vector<int32_t> labels;
  for (size_t t = 0; t < sample.ids.size(); ++t)
    labels.push_back(sample.target[t] != 0 ? sample.ids[t] : kIgnoreLabel);
  return labels;
}

// The trained text, each span in brackets.
std::string trained(const std::string& messages, const TextFiles& text,
                    const RenderOptions& options = {}) {
  const RenderedSample rendered = render_sample(row_of(messages), text, options);
  std::string result;
  for (const ByteSpan& span : rendered.target_spans)
    result += "[" + rendered.text.substr(span.begin, span.end - span.begin) + "]";
  return result;
}

std::string refusal(const std::string& messages, const TextFiles& text,
                    const RenderOptions& options = {}) {
  try {
    return "accepted: " + trained(messages, text, options);
  } catch (const Error& error) {
    return error.what();
  }
}

void expect_sample(const Sample& sample, const ordered_json& expected) {
  EXPECT_EQ(ordered_json(sample.ids), expected["input_ids"]);
  EXPECT_EQ(ordered_json(labels_of(sample)), expected["labels"]);
}

Sample only_sample(const std::string& name, const RenderOptions& options = {}) {
  const auto rows = read_jsonl(kCases + name + "/data.jsonl", {}).rows;
  EXPECT_EQ(rows.size(), 1u);
  return render_sample(rows[0], text_of_case(name), options).sample;
}

const std::string kTwoTurns =
    R"([{"role":"user","content":"a"},{"role":"assistant","content":"b"},
        {"role":"user","content":"c"},{"role":"assistant","content":"d"}])";

TEST(RenderCases, NoGenerationTag) {
  expect_sample(only_sample("A08-no-generation-tag"), expected_of("A08-no-generation-tag"));
}

TEST(RenderCases, SpecialTokensInMessages) {
  const std::string name = "B02-special-token-injection";
  expect_sample(only_sample(name), expected_of(name)["safe"]);
  RenderOptions parsed;
  parsed.plain_content = false;
  expect_sample(only_sample(name, parsed), expected_of(name)["default"]);
}

TEST(RenderCases, EosIsPad) {
  const std::string name = "C01-eos-is-pad";
  const auto expected = expected_of(name);
  const TextFiles text = text_of(read_text_file(kCases + name + "/template.jinja"),
                                 tokenizer_with("pad_token", "<|im_end|>"));
  const auto rows = read_jsonl(kCases + name + "/data.jsonl", {}).rows;
  ASSERT_EQ(rows.size(), 2u);
  int64_t targets = 0;
  for (size_t r = 0; r < rows.size(); ++r) {
    const Sample sample = render_sample(rows[r], text, {}).sample;
    for (size_t t = 0; t < sample.ids.size(); ++t) {
      EXPECT_EQ(sample.ids[t], expected["input_ids"][r][t]);
      EXPECT_EQ(labels_of(sample)[t], expected["labels"][r][t]);
      targets += sample.target[t];
    }
  }
  EXPECT_EQ(targets, expected["targets"].get<int64_t>());
  const auto plain = read_jsonl(kCases + name + "/plain.jsonl", {}).rows;
  for (size_t r = 0; r < plain.size(); ++r)
    EXPECT_EQ(ordered_json(render_sample(plain[r], text, {}).sample.ids),
              expected["plain_input_ids"][r]);
}

TEST(RenderCases, TruncatedWithoutATarget) {
  const std::string name = "C02-truncated-no-target";
  const auto expected = expected_of(name);
  const TextFiles text = text_of_case(name);
  PackOptions pack;
  pack.sequence_length = expected["max_length"];
  DatasetOptions options;
  options.files = {kCases + name + "/data.jsonl"};
  const Inspection inspection = inspect_data(options, pack, text);
  std::vector<int64_t> targets;
  for (const auto& sample : inspection.samples)
    targets.push_back(std::count(sample.target.begin(), sample.target.end(), 1));
  EXPECT_EQ(ordered_json(targets), expected["targets_per_row"]);
  EXPECT_EQ(ordered_json(inspection.counts.samples_dropped_without_target),
            expected["dropped_rows"]);
  EXPECT_TRUE(inspection.samples[1].dropped);
  options.files = {kCases + name + "/only_bad.jsonl"};
  Dataset bad = load_dataset(options, text);
  DataCounts counts;
  EXPECT_THROW(fit_samples(bad.samples, pack, counts), Error);
}

TEST(RenderCases, TemplateThatRefusesParts) {
  const std::string name = "C04-template-refuses-partial";
  const auto rows = read_jsonl(kCases + name + "/rows.jsonl", {}).rows;
  const TextFiles text = text_of_case(name);
  expect_sample(render_sample(rows[0], text, {}).sample, expected_of(name)["row0"]);
  try {
    render_sample(rows[1], text, {});
    ADD_FAILURE() << "accepted";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("rows.jsonl:2: "));
    EXPECT_THAT(error.what(), HasSubstr("No user query found"));
  }
}

TEST(RenderCases, ToolMessages) {
  const std::string name = "C05-tool-messages";
  const auto expected = expected_of(name)["both_rows"];
  const std::string with_tag = read_text_file(kCases + name + "/template.jinja");
  std::string without_tag = with_tag;
  for (const std::string tag : {"{%- generation %}", "{%- endgeneration %}"})
    without_tag.erase(without_tag.find(tag), tag.size());
  for (const auto& row : read_jsonl(kCases + name + "/rows.jsonl", {}).rows) {
    for (const std::string& source : {with_tag, without_tag}) {
      const RenderedSample rendered = render_sample(row, text_of(source), {});
      EXPECT_EQ(ordered_json(rendered.text), expected["rendered"]);
      expect_sample(rendered.sample, expected);
    }
  }
}

TEST(RenderCases, ThinkingInTheGenerationPrompt) {
  const std::string name = "C08-generation-prompt-think";
  const auto expected = expected_of(name)["rows"];
  const TextFiles text = text_of_case(name);
  std::istringstream lines(read_text_file(kCases + name + "/rows.jsonl"));
  std::string line;
  for (size_t r = 0; std::getline(lines, line); ++r) {
    const auto row = ordered_json::parse(line);
    ordered_json messages = row["prompt"];
    messages.push_back(row["completion"][0]);
    const auto rendered = render_sample(row_of(messages.dump()), text, {});
    EXPECT_EQ(ordered_json(rendered.text), expected[r]["rendered"]);
    expect_sample(rendered.sample, expected[r]);
  }
}

TEST(RenderCases, BoundaryLabels) {
  const std::string name = "D02-boundary-label";
  const auto expected = expected_of(name)["in_file_order"];
  const TextFiles text = text_of(kChatMl, tokenizer_with("eos_token", "<|endoftext|>"));
  DatasetOptions options;
  options.files = {kCases + name + "/data.jsonl"};
  PackOptions pack;
  pack.sequence_length = 64;
  DataCounts counts;
  RowStream stream(fit_samples(load_dataset(options, text).samples, pack, counts), pack);
  const Row row = stream.next();
  EXPECT_EQ(ordered_json(row.ids), expected["input_ids"]);
  EXPECT_EQ(ordered_json(row.segments.positions()), expected["position_ids"]);
  EXPECT_EQ(ordered_json(std::vector<int32_t>(row.segments.cu_seqlens().begin(),
                                              row.segments.cu_seqlens().end())),
            expected["cu_seqlens"]);
  for (size_t t = 0; t + 1 < row.ids.size(); ++t)
    EXPECT_EQ(ordered_json(row.labels[t]), expected["labels_unshifted"][t + 1]);
  EXPECT_EQ(row.labels.back(), kIgnoreLabel);
  EXPECT_EQ(row.num_targets(), 13);
}

TEST(RenderCases, EmptyAndAllMasked) {
  const std::string name = "D05-empty-and-all-masked";
  const auto expected = expected_of(name);
  DatasetOptions options;
  options.files = {kCases + name + "/data.jsonl"};
  const TextFiles text = text_of_case(name);
  EXPECT_THROW(load_dataset(options, text), Error);
  options.skip_bad_lines = true;
  const Dataset dataset = load_dataset(options, text);
  std::vector<int64_t> dropped;
  for (const BadLine& line : dataset.bad_lines) dropped.push_back(line.where.line - 1);
  EXPECT_EQ(ordered_json(dropped), expected["dropped_rows"]);
  EXPECT_EQ(ordered_json(dataset.counts.targets), expected["targets_with_row3"]);
  ASSERT_EQ(dataset.samples.size(), 3u);
  expect_sample(dataset.samples[1], expected["row3"]);
}

TEST(RenderCases, LinesOfTheRolesCase) {
  const std::string name = "G03-roles-null-content";
  const auto lines = expected_of(name)["lines"];
  DatasetOptions options;
  options.files = {kCases + name + "/mixed.jsonl"};
  std::ostringstream out;
  write_inspection_json(out, inspect_data(options, {}, text_of_case(name)));
  std::istringstream printed(out.str());
  std::string line;
  for (const auto& expected : lines) {
    ASSERT_TRUE(std::getline(printed, line));
    const auto sample = ordered_json::parse(line);
    EXPECT_EQ(sample["line"], expected["line"]);
    EXPECT_EQ(sample.contains("dropped"), expected["must"] == "refuse") << line;
    if (expected["must"] == "refuse") continue;
    EXPECT_EQ(sample["input_ids"], expected["input_ids"]);
    EXPECT_EQ(sample["labels"], expected["labels"]);
  }
}

TEST(RenderCases, ContentPartsOrStringsByWhatTheTemplateKnows) {
  const std::string parts_only =
      "{% for m in messages %}<|im_start|>{{ m.role }}\n{% for p in m.content %}{% if p.type == "
      "'text' %}{{ p.text }}{% endif %}{% endfor %}<|im_end|>\n{% endfor %}"
      "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}";
  const std::string as_parts =
      R"([{"role":"user","content":"q"},{"role":"assistant","content":
          [{"type":"text","text":"ab"},{"type":"text","text":"c"}]}])";
  for (const auto& source : {parts_only, kChatMl})
    EXPECT_EQ(trained(as_parts, text_of(source)), "[abc<|im_end|>]");
  EXPECT_THAT(refusal(as_parts, text_of("{% for m in messages %}{{ m.role }}{% endfor %}")),
              HasSubstr("made:1: the chat template leaves out the text of message 0"));
}

TEST(RenderMasks, EachByName) {
  const TextFiles text = text_of(kChatMl);
  const auto with = [&](const std::string& mask) {
    RenderOptions options;
    options.mask = mask;
    return refusal(kTwoTurns, text, options);
  };
  EXPECT_EQ(with("assistant"), "accepted: [b<|im_end|>][d<|im_end|>]");
  EXPECT_EQ(with("last"), "accepted: [d<|im_end|>]");
  EXPECT_EQ(with("completion"), "accepted: [d<|im_end|>]");
  EXPECT_THAT(with("all"), HasSubstr("[<|im_start|>user\na"));
  EXPECT_THAT(with("generation"), HasSubstr("no {% generation %} block"));
  EXPECT_THAT(with("answers"), HasSubstr("unknown mask"));
  RenderOptions newline;
  newline.trailing_newline = true;
  EXPECT_EQ(trained(kTwoTurns, text, newline), "[b<|im_end|>\n][d<|im_end|>\n]");
  RenderOptions completion;
  completion.mask = "completion";
  const std::string open_end =
      R"([{"role":"assistant","content":"b"},{"role":"user","content":"c"}])";
  EXPECT_THAT(refusal(open_end, text, completion), HasSubstr("last message is not"));
  EXPECT_EQ(trained(open_end, text), "[b<|im_end|>]");
  EXPECT_THAT(refusal(R"([{"role":"user","content":"c"}])", text), HasSubstr("no assistant turn"));
}

TEST(RenderMasks, HeadersSpelledByTheTemplateAndEmptyAnswers) {
  const std::string literal =
      "{% for m in messages %}{% if m.role == 'user' %}<|im_start|>user\n{% else %}"
      "<|im_start|>assistant\n{% endif %}{{ m.content }}<|im_end|>\n{% endfor %}"
      "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}";
  const std::string rows =
      R"([{"role":"user","content":"a"},{"role":"assistant","content":""},
          {"role":"assistant","content":"b"},{"role":"assistant","content":""}])";
  for (const auto& source : {literal, kChatMl})
    EXPECT_EQ(trained(rows, text_of(source)), "[<|im_end|>][b<|im_end|>][<|im_end|>]");
}

TEST(RenderMasks, UserTextThatSpellsHeadersIsNeverTrained) {
  const std::string rows =
      R"([{"role":"user","content":"<|im_start|>assistant\nX<|im_end|>\n<|im_start|>assistant\n"},
          {"role":"assistant","content":"b"}])";
  for (const bool plain : {true, false}) {
    RenderOptions options;
    options.plain_content = plain;
    EXPECT_EQ(trained(rows, text_of(kChatMl), options), "[b<|im_end|>]");
  }
}

TEST(RenderDataset, ThreadsChangeNothingAndTheFirstBadRowIsNamed) {
  const fs::path file = fs::temp_directory_path() / ("burnish_rows_" + std::to_string(::getpid()));
  std::ofstream out(file);
  for (int i = 0; i < 200; ++i)
    out << R"({"messages": [{"role":"user","content":"q"},{"role":"assistant","content":")" << i
        << "\"}]}\n";
  out.close();
  DatasetOptions options;
  options.files = {file.string()};
  const TextFiles text = text_of(kChatMl);
  const Dataset one = load_dataset(options, text);
  options.threads = 4;
  const Dataset four = load_dataset(options, text);
  ASSERT_EQ(one.samples.size(), 200u);
  for (size_t i = 0; i < one.samples.size(); ++i)
    EXPECT_EQ(one.samples[i].ids, four.samples[i].ids);
  EXPECT_EQ(one.sha256, four.sha256);
  std::ofstream(file, std::ios::app) << R"({"messages": [{"role":"user","content":"q"}]})"
                                     << "\n"
                                     << R"({"messages": [{"role":"user","content":"r"}]})"
                                     << "\n";
  try {
    load_dataset(options, text);
    ADD_FAILURE() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.where(), file.string() + ":201");
  }
  options.skip_bad_lines = true;
  EXPECT_EQ(load_dataset(options, text).counts.bad_lines, 2);
}

TEST(Inspect, ViewMarksWhatIsTrainedAndEscapesControlBytes) {
  const fs::path file = fs::temp_directory_path() / ("burnish_view_" + std::to_string(::getpid()));
  std::ofstream(file) << R"({"messages": [{"role":"user","content":"\u001b[31m"},)"
                      << R"({"role":"assistant","content":"b"}]})"
                      << "\n{}\n";
  DatasetOptions options;
  options.files = {file.string()};
  const TextFiles text = text_of(kChatMl);
  const Inspection inspection = inspect_data(options, {}, text);
  std::ostringstream plain, colour;
  write_inspection_view(plain, inspection, text.tokenizer, {});
  write_inspection_view(colour, inspection, text.tokenizer, {.samples = 1, .colour = true});
  EXPECT_THAT(plain.str(), HasSubstr("⟦b<|im_end|>⟧"));
  EXPECT_THAT(plain.str(), HasSubstr("\\x1b[31m"));
  EXPECT_THAT(plain.str(), HasSubstr("1 rows cannot be used"));
  EXPECT_EQ(plain.str().find('\x1b'), std::string::npos);
  EXPECT_THAT(colour.str(), HasSubstr("\x1b[1;32mb<|im_end|>\x1b[0m"));
}

}  // namespace
}  // namespace burnish
