#include "base/error.h"
#include "base/file.h"
#include "recipe/checks.h"
#include "recipe/overrides.h"
#include "recipe/recipe.h"
#include "recipe/schema.h"
#include "recipe/yaml_text.h"

namespace burnish {
namespace {

/// The keys of `written` that the tree gives; a source given by its path alone is whole.
Json given_part(const Json& written, const YamlNode& node) {
  if (!written.is_object() || node.kind != YamlNode::Kind::map) return written;
  Json part = Json::object();
  for (const auto& [key, value] : written.items())
    if (const YamlNode* member = node.member(key)) part[key] = given_part(value, *member);
  return part;
}

}  // namespace

LoadedRecipe load_recipe(const std::filesystem::path& file,
                         const std::vector<RecipeOverride>& overrides) {
  const MappedFile mapped(file);
  const std::string text(mapped.text().substr(0, kMaxRecipeBytes + 1));
  return parse_recipe(text, file.string(), overrides);
}

LoadedRecipe parse_recipe(const std::string& yaml, const std::string& name,
                          const std::vector<RecipeOverride>& overrides) {
  YamlNode root = parse_yaml(yaml, name);
  if (root.kind == YamlNode::Kind::null)
    root.fail("is empty", "docs/recipe.md explains the keys; recipes/ holds examples");
  if (root.kind != YamlNode::Kind::map)
    root.fail("must be a group of keys, not " + root.shown(), "write `key: value` lines");
  for (const RecipeOverride& change : overrides) apply_override(root, change);
  return recipe_from_tree(std::move(root));
}

LoadedRecipe recipe_from_tree(YamlNode root) {
  set_paths(root);
  LoadedRecipe loaded;
  loaded.recipe = recipe_codec().read(root);
  refuse_impossible_pairs(loaded.recipe, root);
  loaded.warnings = settings_without_effect(loaded.recipe, root);
  loaded.given = yaml_text(given_part(recipe_codec().write(loaded.recipe), root));
  return loaded;
}

std::string to_yaml(const Recipe& recipe) {
  return yaml_text(recipe_codec().write(recipe));
}

}  // namespace burnish
