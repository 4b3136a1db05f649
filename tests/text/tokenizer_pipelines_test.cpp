// Many pipelines over two small vocabularies against the tokenizers package
// (scripts/goldens/tokenizer_pipelines.py): ids, offsets, decoded text.
#include <gtest/gtest.h>
// after gtest.h, which it needs
#include <rapidcheck/gtest.h>

#include <map>
#include <thread>

#include "tokenizer_helper.h"

namespace burnish {
namespace {

using Ids = std::vector<int32_t>;

std::vector<ByteSpan> spans_of(const nlohmann::json& flat) {
  std::vector<ByteSpan> spans;
  for (size_t i = 0; i + 1 < flat.size(); i += 2)
    spans.push_back({flat[i].get<size_t>(), flat[i + 1].get<size_t>()});
  return spans;
}

TEST(TokenizerPipelines, AgreeWithTheTokenizersPackage) {
  std::map<std::string, nlohmann::json> bases = {
      {"bpe", json_file("cases/shared/tok-bpe/tokenizer.json")},
      {"spm", json_file("cases/shared/tok-spm/tokenizer.json")}};
  size_t samples = 0;
  for (const auto& pipeline : json_file("text/tokenizer_pipelines.json")) {
    const std::string name = pipeline["name"];
    nlohmann::json document = bases[pipeline["base"]];
    document.update(pipeline["changes"]);
    document["model"].update(pipeline["model"]);
    const auto tokenizer = Tokenizer::from_json(document.dump(), "", name);
    for (const auto& sample : pipeline["samples"]) {
      const std::string text = sample["text"];
      const Encoding encoding = tokenizer.encode(text, {.add_special_tokens = true});
      EXPECT_EQ(encoding.ids, sample["ids"].get<Ids>()) << name << ": " << text;
      EXPECT_EQ(encoding.offsets, spans_of(sample["offsets"])) << name << ": " << text;
      EXPECT_EQ(tokenizer.decode(sample["ids"].get<Ids>()), sample["decoded"].get<std::string>())
          << name << ": " << text;
      ++samples;
    }
  }
  EXPECT_GT(samples, 800u);
}

std::string any_text() {
  const auto codes = *rc::gen::container<std::vector<int>>(
      rc::gen::oneOf(rc::gen::inRange(0, 0x300), rc::gen::inRange(0xE000, 0x11000),
                     rc::gen::inRange(0x10000, 0x110000), rc::gen::inRange(0x20, 0x7F)));
  std::string text;
  for (const int code : codes) {
    const auto put = [&](int byte) { text += static_cast<char>(byte); };
    if (code < 0x80) {
      put(code);
    } else if (code < 0x800) {
      put(0xC0 | code >> 6), put(0x80 | (code & 0x3F));
    } else if (code < 0x10000) {
      put(0xE0 | code >> 12), put(0x80 | (code >> 6 & 0x3F)), put(0x80 | (code & 0x3F));
    } else {
      put(0xF0 | code >> 18), put(0x80 | (code >> 12 & 0x3F)), put(0x80 | (code >> 6 & 0x3F)),
          put(0x80 | (code & 0x3F));
    }
  }
  return text;
}

RC_GTEST_PROP(TokenizerPipelines, BytesSurviveARoundTrip, ()) {
  nlohmann::json document = json_file("cases/shared/tok-bpe/tokenizer.json");
  document["normalizer"] = nullptr;
  static const auto tokenizer = Tokenizer::from_json(document.dump(), "", "tok-bpe");
  const std::string text = any_text();
  const Encoding encoding = tokenizer.encode(text);
  RC_ASSERT(tokenizer.decode(encoding.ids) == text);
  size_t covered = 0;
  for (const ByteSpan& span : encoding.offsets) {
    RC_ASSERT(span.begin < span.end);
    RC_ASSERT(span.begin <= covered);
    covered = std::max(covered, span.end);
  }
  RC_ASSERT(covered == text.size());
}

TEST(TokenizerPipelines, ThreadsShareATokenizer) {
  const Tokenizer tokenizer = tok_bpe();
  std::vector<std::string> texts;
  for (int i = 0; i < 200; ++i)
    texts.push_back("the " + std::string(static_cast<size_t>(i), 'a') + " e\u0301 " +
                    std::to_string(i * 7919) + "<|im_end|>");
  std::vector<Ids> alone;
  for (const std::string& text : texts) alone.push_back(tokenizer.encode(text).ids);
  std::vector<std::thread> threads;
  std::vector<int> wrong(4);
  for (size_t t = 0; t < wrong.size(); ++t)
    threads.emplace_back([&, t] {
      for (size_t i = 0; i < texts.size(); ++i)
        wrong[t] += tokenizer.encode(texts[i]).ids != alone[i];
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, (std::vector<int>{0, 0, 0, 0}));
}

TEST(TokenizerPipelines, SpecialTokensComeFromTheConfiguration) {
  const Tokenizer tokenizer = tok_bpe();
  EXPECT_EQ(tokenizer.special_tokens().eos, "<|im_end|>");
  EXPECT_EQ(tokenizer.special_tokens().eos_id, 628);
  EXPECT_EQ(tokenizer.special_tokens().pad_id, 629);
  EXPECT_FALSE(tokenizer.special_tokens().bos);
  EXPECT_EQ(tokenizer.size(), 634);
  EXPECT_TRUE(tokenizer.is_special(628));
  EXPECT_FALSE(tokenizer.is_special(630));  // <think>
  EXPECT_EQ(tokenizer.id_of("<think>"), 630);
  EXPECT_EQ(tokenizer.decode(std::vector<int32_t>{627, 64, 630, 628}, true), "a<think>");
}

TEST(TokenizerPipelines, TokensThatOnlyTheConfigurationHasAreAdded) {
  const std::string config =
      R"({"eos_token": {"content": "</turn>"}, "added_tokens_decoder": {
          "634": {"content": "<new>", "special": true, "lstrip": true, "normalized": false},
          "628": {"content": "<|im_end|>", "special": true}}})";
  const auto tokenizer = Tokenizer::from_json(
      read_text_file(test_data("cases/shared/tok-bpe/tokenizer.json")), config, "tok-bpe");
  EXPECT_EQ(tokenizer.encode("a <new>b").ids, (Ids{64, 634, 65}));
  EXPECT_EQ(tokenizer.special_tokens().eos_id, 635);
  EXPECT_EQ(tokenizer.size(), 636);
}

}  // namespace
}  // namespace burnish
