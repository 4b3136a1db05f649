// YAML that a recipe does not need is refused, with its place, and quickly.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

#include "base/error.h"
#include "recipe/recipe.h"

namespace burnish {
namespace {
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string refusal(const std::string& yaml) {
  try {
    parse_recipe(yaml, "r.yaml");
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::recipe) << error.what();
    return error.what();
  }
  return "no error";
}

std::string repeated(const std::string& part, int count) {
  std::string all;
  for (int i = 0; i < count; ++i) all += part;
  return all;
}

TEST(RecipeYaml, BrokenSyntaxNamesItsPlace) {
  EXPECT_THAT(refusal("model: {source: m\ndata: 3\n"), StartsWith("r.yaml:2:"));
  EXPECT_THAT(refusal("model:\n\tsource: m\n"), StartsWith("r.yaml:2:"));
  EXPECT_THAT(refusal("model: a: b\n"), StartsWith("r.yaml:1:9: this is not YAML"));
  EXPECT_THAT(refusal("model: \"m\n"), StartsWith("r.yaml:"));
}

TEST(RecipeYaml, DuplicateKey) {
  EXPECT_EQ(refusal("train: {}\nmodel: {source: a}\ntrain: {}\n"),
            "r.yaml:3:1: the key `train` stands here a second time. the first is at r.yaml:1:1: "
            "keep one of them");
  EXPECT_THAT(refusal("model: {source: a, source: b}\n"), StartsWith("r.yaml:1:20: the key"));
}

TEST(RecipeYaml, AnchorsAliasesMergesAndTags) {
  EXPECT_THAT(refusal("model: &a {source: m}\n"), HasSubstr("anchor"));
  EXPECT_THAT(refusal("a: *b\n"), HasSubstr("r.yaml:1:4"));
  EXPECT_THAT(refusal("<<: {a: 1}\n"), HasSubstr("merge keys"));
  EXPECT_THAT(refusal("model: !!map {source: m}\n"), HasSubstr("tag"));
  EXPECT_THAT(refusal("model: !x m\n"), HasSubstr("tag"));
  EXPECT_THAT(refusal("? [a]\n: b\n"), HasSubstr("a key must be a name"));
}

TEST(RecipeYaml, SecondDocument) {
  EXPECT_THAT(refusal("a: 1\n---\nb: 2\n"), HasSubstr("second document"));
}

TEST(RecipeYaml, BombsEndAtOnce) {
  const auto start = std::chrono::steady_clock::now();
  std::string laughs = "a0: &a0 [x, x]\n";
  for (int i = 1; i < 40; ++i) {
    const std::string now = std::to_string(i), before = std::to_string(i - 1);
    laughs += "a" + now + ": &a" + now + " [*a" + before + ", *a" + before + "]\n";
  }
  EXPECT_THAT(refusal(laughs), HasSubstr("anchor"));
  EXPECT_THAT(refusal(repeated("[", 100'000)), HasSubstr("r.yaml"));
  EXPECT_THAT(refusal(repeated("{a: ", 100'000)), HasSubstr("r.yaml"));
  EXPECT_THAT(refusal(repeated("- ", 100'000)), HasSubstr("r.yaml"));
  EXPECT_THAT(refusal(repeated("? ", 100'000)), HasSubstr("r.yaml"));
  EXPECT_THAT(refusal("a: [" + repeated("1, ", 80'000) + "1]"), HasSubstr("10000 values"));
  EXPECT_THAT(refusal(repeated("k: 1\n", 60'000)), HasSubstr("longer than"));
  EXPECT_THAT(refusal("a: |\n" + repeated("  x\n", 60'000) + "b: "), HasSubstr("no key `a`"));
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
}

TEST(RecipeYaml, BytesThatAreNotText) {
  EXPECT_THAT(refusal("a: 1\nb: \"\xff\"\n"), StartsWith("r.yaml:2:5: the recipe is not UTF-8"));
  EXPECT_THAT(refusal("\xff\xfe"
                      "a\0"),
              HasSubstr("r.yaml:1:1: the recipe is not UTF-8"));
  EXPECT_THAT(refusal(std::string("a: \0b\n", 6)), HasSubstr("NUL"));
  EXPECT_THAT(refusal("a: \"\xed\xa0\x80\"\n"), HasSubstr("not UTF-8"));
  EXPECT_THAT(refusal("a: \"\xc0\xaf\"\n"), HasSubstr("not UTF-8"));
}

TEST(RecipeYaml, ByteOrderMarkAndCarriageReturnsAreWhiteSpace) {
  const std::string yaml =
      "\xef\xbb\xbfmodel: {source: m}\r\ndata: {train: [a]}\r\ntrain: {end: {steps: 1}}\r\n";
  EXPECT_EQ(parse_recipe(yaml, "r.yaml").recipe.model.source, "m");
}

}  // namespace
}  // namespace burnish
