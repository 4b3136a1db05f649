// Writing a recipe and reading it back changes nothing; differences sees every changed value.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "base/error.h"
#include "base/file.h"
#include "recipe/recipe.h"

namespace burnish {
namespace {
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// Text that is UTF-8 without NUL, with what YAML readers stumble on.
rc::Gen<std::string> any_text() {
  const auto piece = rc::gen::element<std::string>(
      "a", "Z", " ", "\n", "\t", "\"", "'", ":", ": ", "#", " #", "-", "- ", "{", "}", "[", "]",
      ",", "&", "*", "!", "|", ">", "%", "@", "`", "\\", "null", "true", "~", "1", "1e5", ".nan",
      "é", "日本", "🙂", "\r", "\x7f", "\x01", "\xc2\x85", "\xe2\x80\xa8", "\xef\xbb\xbf", "=",
      "<<");
  return rc::gen::map(rc::gen::nonEmpty(rc::gen::container<std::vector<std::string>>(piece)),
                      [](const std::vector<std::string>& pieces) {
                        std::string all;
                        for (const std::string& part : pieces) all += part;
                        return all;
                      });
}

double any_positive(double most) {
  return *rc::gen::element(1e-300, 1e-8, 0.1, 1.0 / 3, 0.25, most);
}

Recipe any_recipe() {
  Recipe recipe;
  recipe.model.source = *any_text();
  recipe.model.trainable =
      *rc::gen::nonEmpty(rc::gen::container<std::vector<std::string>>(any_text()));
  const std::string format = *rc::gen::element<std::string>("auto", "messages", "text");
  for (int i = *rc::gen::inRange(1, 4); i > 0; --i) {
    DataSource source;
    source.source = *rc::gen::suchThat(
        any_text(), [](const std::string& text) { return text.find("://") == std::string::npos; });
    source.format = format;
    recipe.data.train.push_back(source);
  }
  recipe.data.evaluation["held_out"].source = "h";
  recipe.data.evaluation[*rc::gen::element<std::string>("null", "1", "true", "a-b")].source = "o";
  recipe.data.mask = *rc::gen::element<std::string>("assistant", "all", "completion");
  recipe.data.shuffle_seed = *rc::gen::element<std::optional<int64_t>>(
      std::nullopt, 0, 5, std::numeric_limits<int64_t>::max());
  recipe.train.end.steps = *rc::gen::inRange<int64_t>(1, 100);
  if (*rc::gen::arbitrary<bool>()) recipe.train.end.epochs = any_positive(1e6);
  if (*rc::gen::arbitrary<bool>()) recipe.train.micro_batch_rows = *rc::gen::inRange(1, 9);
  recipe.train.init_from = *rc::gen::element<std::string>("", "runs/a");
  recipe.optimizer.learning_rate = any_positive(1e6);
  recipe.optimizer.schedule.min_learning_rate = recipe.optimizer.learning_rate * 0.5;
  recipe.optimizer.beta1 = any_positive(0.999999999999);
  if (*rc::gen::arbitrary<bool>()) recipe.optimizer.clip_norm.reset();
  if (*rc::gen::arbitrary<bool>())
    recipe.optimizer.schedule.warmup_fraction = any_positive(0.5);
  else
    recipe.optimizer.schedule.warmup_steps = *rc::gen::inRange(1, 9);
  if (*rc::gen::arbitrary<bool>())
    recipe.optimizer.groups = {{*any_text(), any_positive(1), std::nullopt},
                               {"b", std::nullopt, 0.0}};
  recipe.evaluation.prompts = {*any_text(), *any_text()};
  recipe.evaluation.every_steps = 3;
  recipe.evaluation.keep_best = *rc::gen::arbitrary<bool>();
  recipe.output = "somewhere/" + *any_text();
  return recipe;
}

RC_GTEST_PROP(RecipeRoundTrip, ToYamlReadsBackToTheSameValues, ()) {
  const Recipe recipe = any_recipe();
  const std::string yaml = to_yaml(recipe);
  RC_LOG() << yaml;
  const LoadedRecipe again = parse_recipe(yaml, "r.yaml");
  RC_ASSERT(differences(recipe, again.recipe).empty());
  RC_ASSERT(to_yaml(again.recipe) == yaml);
  RC_ASSERT(again.given == yaml);
}

/// Whatever one does to the bytes, there is a recipe or an Error, nothing else.
RC_GTEST_PROP(RecipeRoundTrip, DamagedTextIsReadOrRefused, ()) {
  std::string yaml = to_yaml(any_recipe());
  for (int i = *rc::gen::inRange(1, 6); i > 0; --i) {
    const auto at = *rc::gen::inRange<size_t>(0, yaml.size());
    switch (*rc::gen::inRange(0, 3)) {
      case 0:
        yaml[at] = *rc::gen::arbitrary<char>();
        break;
      case 1:
        yaml.insert(at, *any_text());
        break;
      default:
        yaml.erase(at, *rc::gen::inRange<size_t>(0, 40));
    }
    if (yaml.empty()) break;
  }
  try {
    parse_recipe(yaml, "r.yaml");
  } catch (const Error& error) {
    RC_ASSERT(error.code() == ErrorCode::recipe || error.code() == ErrorCode::unsupported);
  }
}

Recipe small() {
  return parse_recipe("model: {source: m}\ndata: {train: [a.jsonl]}\ntrain: {end: {steps: 3}}\n",
                      "r.yaml")
      .recipe;
}

std::string shown(const std::vector<RecipeDifference>& found) {
  std::string all;
  for (const auto& [key, before, after] : found) all += key + ": " + before + " -> " + after + "\n";
  return all;
}

TEST(RecipeDifferences, EveryChangedValueWithBothSides) {
  Recipe after = small();
  after.optimizer.learning_rate = 2e-5;
  after.optimizer.beta2 = 0.999;
  after.data.train = {{"a.jsonl"}, {"b c.jsonl"}};
  after.data.evaluation["h"].source = "h.jsonl";
  after.train.end.steps.reset();
  after.train.end.epochs = 2;
  after.optimizer.groups = {{"*", 0.0, std::nullopt}};
  EXPECT_EQ(shown(differences(small(), after)),
            "data.train.1.source: (none) -> \"b c.jsonl\"\n"
            "data.train.1.format: (none) -> auto\n"
            "data.train.1.split: (none) -> train\n"
            "data.train.1.weight: (none) -> 1.0\n"
            "data.evaluation.h.source: (none) -> h.jsonl\n"
            "data.evaluation.h.format: (none) -> auto\n"
            "data.evaluation.h.split: (none) -> train\n"
            "data.evaluation.h.weight: (none) -> 1.0\n"
            "train.end.steps: 3 -> null\n"
            "train.end.epochs: null -> 2.0\n"
            "optimizer.learning_rate: 1.0e-05 -> 2.0e-05\n"
            "optimizer.betas: [0.9, 0.95] -> [0.9, 0.999]\n"
            "optimizer.groups.0.pattern: (none) -> \"*\"\n"
            "optimizer.groups.0.learning_rate: (none) -> 0.0\n"
            "optimizer.groups.0.weight_decay: (none) -> null\n");
  EXPECT_THAT(differences(after, after), IsEmpty());
}

TEST(RecipeShow, GivenKeysAlone) {
  const auto loaded =
      parse_recipe("train: {end: {steps: 3}}\nmodel: {source: m}\ndata: {train: a.jsonl}\n",
                   "r.yaml", {{"optimizer.schedule.warmup", "0.1"}});
  EXPECT_EQ(loaded.given,
            "model:\n  source: m\n"
            "data:\n  train:\n    - source: a.jsonl\n      format: auto\n      split: train\n"
            "      weight: 1.0\n"
            "train:\n  end:\n    steps: 3\n"
            "optimizer:\n  schedule:\n    warmup: 0.1\n");
}

std::string project_file(const std::string& name) {
  return read_text_file(BURNISH_TEST_DATA "/../../" + name);
}

TEST(RecipeShow, ASourceGivenByItsPathIsWhole) {
  const auto loaded = parse_recipe(
      "model: {source: m}\ndata: {train: a, evaluation: {h: b}}\ntrain: {end: {steps: 3}}\n", "r");
  EXPECT_THAT(differences(parse_recipe(loaded.given, "given").recipe, loaded.recipe), IsEmpty());
  EXPECT_THAT(loaded.given, HasSubstr("    h:\n      source: b\n"));
}

TEST(RecipeDocs, TheTablesAreThoseOfTheSchema) {
  EXPECT_THAT(project_file("docs/recipe.md"), HasSubstr(recipe_reference()))
      << "put the output of `burnish recipe keys` into docs/recipe.md";
}

TEST(RecipeDocs, TheExampleIsARecipeWithoutWarnings) {
  EXPECT_THAT(parse_recipe(project_file("recipes/smollm2-chat.yaml"), "e.yaml").warnings,
              IsEmpty());
}

}  // namespace
}  // namespace burnish
