#include "recipe/import_helper.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/file.h"

namespace burnish::testing_tools {
namespace {

constexpr char kFolder[] = BURNISH_TEST_DATA "/recipe/import";

}  // namespace

std::string import_data(const std::string& name) {
  std::string text = read_text_file(std::filesystem::path(kFolder) / name);
  for (size_t at; (at = text.find("DATASET_DIR")) != std::string::npos;)
    text.replace(at, 11, kFolder);
  return text;
}

ImportedRecipe import_example(const std::string& name, const ImportOptions& options) {
  return import_recipe_text(import_data(name), name, "", "", options);
}

ImportedRecipe import_text(const std::string& text, const ImportOptions& options) {
  return import_recipe_text(text, "c.yaml", "", "", options);
}

Recipe recipe_of(const ImportedRecipe& imported) {
  for (const ImportedKey* key : imported.obstacles())
    ADD_FAILURE() << key->key << ": " << key->reason << "; " << key->instead;
  return imported.yaml.empty() ? Recipe{} : parse_recipe(imported.yaml, "imported").recipe;
}

ImportedKey outcome_of(const ImportedRecipe& imported, const std::string& key) {
  for (const ImportedKey& one : imported.keys)
    if (one.key == key) return one;
  return {};
}

std::string refusal_of(const ImportedRecipe& imported, const std::string& key) {
  const ImportedKey found = outcome_of(imported, key);
  if (found.key.empty()) return "not named";
  if (found.outcome == ImportedKey::Outcome::mapped) return "mapped: " + found.became;
  if (found.outcome == ImportedKey::Outcome::no_effect) return "no effect: " + found.reason;
  return (found.changes_training ? "" : "aside: ") + found.reason + "; " + found.instead;
}

std::string error_of(const std::string& text, const ImportOptions& options) {
  try {
    import_text(text, options);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace burnish::testing_tools
