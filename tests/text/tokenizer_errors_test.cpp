// Broken and unknown tokenizer.json: the error names file and key.
#include <gmock/gmock.h>

#include "format/utf8.h"
#include "text/tokenizer/regex.h"
#include "tokenizer_helper.h"

namespace burnish {
namespace {

using testing::HasSubstr;

nlohmann::json small() {
  return nlohmann::json::parse(R"({"added_tokens": [], "normalizer": null, "pre_tokenizer": null,
    "post_processor": null, "decoder": null,
    "model": {"type": "BPE", "vocab": {"a": 0, "b": 1, "ab": 2, "<unk>": 3}, "merges": ["a b"]}})");
}

Error error_for(const std::string& json) {
  return error_of([&] { Tokenizer::from_json(json, "", "some/tokenizer.json").encode("abc"); });
}

// `path` is a JSON pointer.
void expect_refused(const std::string& path, const nlohmann::json& value, ErrorCode code,
                    const std::string& key) {
  nlohmann::json document = small();
  document[nlohmann::json::json_pointer(path)] = value;
  const Error error = error_for(document.dump());
  EXPECT_EQ(error.code(), code) << path << " " << error.what();
  EXPECT_THAT(error.where(), HasSubstr("some/tokenizer.json")) << path;
  EXPECT_THAT(error.what(), HasSubstr(key)) << path;
}

TEST(TokenizerErrors, TheSmallDocumentIsFine) {
  EXPECT_EQ(Tokenizer::from_json(small().dump(), "", "t").encode("abc").ids,
            std::vector<int32_t>{2});
}

TEST(TokenizerErrors, NotJson) {
  for (const std::string text : {"", "{", "[]", "3", "{\"model\": 1e999}", "{\"a\": \"\xFF\"}"})
    EXPECT_EQ(error_for(text).code(), ErrorCode::model) << text;
  EXPECT_EQ(error_for(std::string(200'000, '[')).code(), ErrorCode::model);
  EXPECT_THAT(error_for("{\"model\": tru").what(), HasSubstr("byte"));
  for (const std::string cut : {"{\"a\": \"\xFF\"}", "{\"a\": tr\u4F60}"})
    EXPECT_TRUE(is_utf8(error_for(cut).what())) << cut;
}

TEST(TokenizerErrors, WrongTypesAndValues) {
  const ErrorCode model = ErrorCode::model;
  expect_refused("/model", nullptr, model, "'model'");
  expect_refused("/model", 5, model, "'model'");
}

TEST(TokenizerErrors, Model) {
  const ErrorCode model = ErrorCode::model;
  expect_refused("/model/vocab/a", -1, model, "model.vocab");
  expect_refused("/model/vocab/a", 1e18, model, "model.vocab");
  expect_refused("/model/vocab/a", uint64_t{1} << 63, model, "model.vocab");
  expect_refused("/model/vocab/a", 2, model, "belongs to");
  expect_refused("/model/vocab/a", "x", model, "model.vocab");
  expect_refused("/model/vocab/a", nlohmann::json::array(), model, "model.vocab");
  expect_refused("/model/merges/0", "a c", model, "model.merges[0]");
  expect_refused("/model/merges/0", "b a", model, "model.merges[0]");
  expect_refused("/model/merges/0", "ab", model, "model.merges[0]");
  expect_refused("/model/merges/0", "a b c", model, "model.merges[0]");
  expect_refused("/model/merges/0", {"a"}, model, "model.merges[0]");
  expect_refused("/model/merges/0", {"a", "b", "c"}, model, "model.merges[0]");
  expect_refused("/model/merges/0", 7, model, "model.merges[0]");
  expect_refused("/model/merges/0", {"a", nlohmann::json::array()}, model, "model.merges[0]");
  expect_refused("/model/unk_token", "<none>", model, "model.unk_token");
  expect_refused("/model/unk_token", 3, model, "model.unk_token");
  expect_refused("/model/fuse_unk", "yes", model, "model.fuse_unk");
  expect_refused("/model/dropout", 0.1, ErrorCode::unsupported, "model.dropout");
  expect_refused("/model/type", "Unigram", ErrorCode::unsupported, "Unigram");
}

TEST(TokenizerErrors, Stages) {
  const ErrorCode model = ErrorCode::model, unsupported = ErrorCode::unsupported;
  expect_refused("/normalizer", {{"type", "Nmt"}}, unsupported, "Nmt");
  expect_refused("/normalizer", {{"kind", "NFC"}}, model, "normalizer.type");
  expect_refused("/pre_tokenizer", {{"type", "BertPreTokenizer"}}, unsupported, "BertPreTokenizer");
  expect_refused("/pre_tokenizer", {{"type", "Split"}, {"pattern", {{"Regex", "("}}}}, model,
                 "pre_tokenizer.pattern.Regex");
  expect_refused("/pre_tokenizer",
                 {{"type", "Split"}, {"pattern", {{"String", "a"}}}, {"behavior", "Isolate"}},
                 model, "pre_tokenizer.behavior");
  expect_refused("/pre_tokenizer", {{"type", "ByteLevel"}, {"trim_offsets", true}}, model,
                 "pre_tokenizer.add_prefix_space");
  expect_refused("/post_processor", {{"type", "BertProcessing"}}, unsupported, "BertProcessing");
  expect_refused("/post_processor",
                 {{"type", "TemplateProcessing"}, {"single", nlohmann::json::array()}}, model,
                 "post_processor.single");
  expect_refused("/decoder", {{"type", "CTC"}}, unsupported, "CTC");
  expect_refused("/version", "2.0", unsupported, "version");
}

TEST(TokenizerErrors, SequencesNestedTooDeep) {
  nlohmann::json nested = {{"type", "NFC"}};
  for (int i = 0; i < 20; ++i) nested = {{"type", "Sequence"}, {"normalizers", {nested}}};
  expect_refused("/normalizer", nested, ErrorCode::model, "nested too deep");
}

TEST(TokenizerErrors, AddedTokens) {
  const auto token = [](int64_t id, const std::string& content) {
    return nlohmann::json{{{"id", id}, {"content", content}, {"special", true}}};
  };
  expect_refused("/added_tokens", token(9, "<x>"), ErrorCode::model, "gets 4");
  expect_refused("/added_tokens", token(1, "a"), ErrorCode::model, "gets 0");
  expect_refused("/added_tokens", token(-4, "<x>"), ErrorCode::model, "added_tokens[0].id");
  expect_refused("/added_tokens", token(4, std::string(5000, 'x')), ErrorCode::unsupported,
                 "added_tokens");
  expect_refused("/added_tokens", {{{"id", 4}}}, ErrorCode::model, "added_tokens[0].content");
  expect_refused("/added_tokens", {7}, ErrorCode::model, "added_tokens[0]");
}

// 60 steps, each of which doubles the text.
TEST(TokenizerErrors, PipelinesThatBlowTheTextUp) {
  const nlohmann::json replace = {
      {"type", "Replace"}, {"pattern", {{"String", "a"}}}, {"content", "aa"}};
  const nlohmann::json bytes = {
      {"type", "ByteLevel"}, {"add_prefix_space", false}, {"trim_offsets", true}};
  const auto in_a_row = [](const char* key, const nlohmann::json& member) {
    return nlohmann::json{{"type", "Sequence"}, {key, nlohmann::json(60, member)}};
  };
  nlohmann::json document = small();
  document["normalizer"] = in_a_row("normalizers", replace);
  EXPECT_THAT(error_for(document.dump()).what(), HasSubstr("bytes of a text of 3"));
  document = small();
  document["pre_tokenizer"] = in_a_row("pretokenizers", bytes);
  const auto spelling = Tokenizer::from_json(document.dump(), "", "t");
  EXPECT_EQ(error_of([&] { spelling.encode("\n"); }).code(), ErrorCode::data);
  document = small();
  document["decoder"] = in_a_row("decoders", in_a_row("decoders", replace));
  const auto decoding = Tokenizer::from_json(document.dump(), "", "t");
  const std::vector<int32_t> ids = {0};
  EXPECT_EQ(error_of([&] { decoding.decode(ids); }).code(), ErrorCode::data);
}

// The ids of a special token count wherever it stands, and a long name is no part of every path.
TEST(TokenizerErrors, TemplatesOfManyTokens) {
  const std::string name(100'000, 'n');
  nlohmann::json document = {{"type", "TemplateProcessing"},
                             {"single", {{{"SpecialToken", {{"id", name}}}}}},
                             {"special_tokens", {{name, {{"ids", nlohmann::json(300'000, 0)}}}}}};
  expect_refused("/post_processor", document, ErrorCode::model, "more than 1000 tokens");
}

TEST(TokenizerErrors, StrippingALongTokenIsLinear) {
  nlohmann::json document = small();
  document["model"]["vocab"][std::string(2'000'000, ' ')] = 4;
  document["decoder"] = {{"type", "Strip"}, {"content", " "}, {"start", 1'999'998}, {"stop", 1}};
  const std::vector<int32_t> ids = {4};
  EXPECT_EQ(Tokenizer::from_json(document.dump(), "", "t").decode(ids), " ");
}

TEST(TokenizerErrors, IdsOutsideTheVocabulary) {
  const Tokenizer tokenizer = tok_bpe();
  for (const int32_t id : {-1, 634, 2'000'000'000}) {
    const std::vector<int32_t> ids = {id};
    EXPECT_EQ(error_of([&] { tokenizer.decode(ids); }).code(), ErrorCode::data);
  }
}

TEST(TokenizerErrors, FolderWithoutTokenizer) {
  const Error error =
      error_of([] { Tokenizer::from_folder(test_data("cases/B02-special-token-injection")); });
  EXPECT_EQ(error.code(), ErrorCode::model);
  EXPECT_THAT(error.what(), HasSubstr("tokenizer.json"));
}

TEST(TokenizerErrors, AHostileExpressionGivesUp) {
  const Regex regex("(x+x+)+[0-9]", "here");
  RegexScratch scratch;
  const Error error = error_of([&] { regex.find(std::string(40, 'x'), 0, scratch); });
  EXPECT_EQ(error.code(), ErrorCode::data);
  EXPECT_EQ(error.where(), "here");
}

TEST(TokenizerErrors, ConstructsThatCannotBeRewritten) {
  for (const char* pattern : {"[a-z&&[^b]]", "[a[^b]]", R"([\W])", R"(\Ka)", R"(\u12é4)"})
    EXPECT_EQ(error_of([&] { Regex(pattern, "here"); }).code(), ErrorCode::unsupported) << pattern;
}

// It would take single bytes of a character.
TEST(TokenizerErrors, ExpressionsMatchWholeCharacters) {
  EXPECT_EQ(error_of([] { Regex(R"(\C)", "here"); }).code(), ErrorCode::model);
}

}  // namespace
}  // namespace burnish
