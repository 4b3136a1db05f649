// Configuration files of other trainers as recipes. docs/recipe-import.md says what becomes of
// their keys; the keys themselves are the tables in this folder, one file a format.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "recipe/recipe.h"

namespace burnish {

struct ImportOptions {
  std::string format;  ///< trl, axolotl, llama-factory, accelerate; empty: told by the keys
  std::filesystem::path accelerate;       ///< the launcher's file beside it; empty: none
  int64_t processes = 1;                  ///< of the original run, where no accelerate file says it
  std::vector<RecipeOverride> overrides;  ///< put over what is imported; they settle refusals
  bool skip_refused = false;
};

/// What became of one key.
struct ImportedKey {
  enum class Outcome { mapped, no_effect, refused };
  std::string key{}, value{};  ///< as the file writes them, or the source's default
  std::string place{};         ///< FILE:line:column; "TRL's default" for a key that is not given
  bool given = true;
  Outcome outcome = Outcome::mapped;
  std::string became{};           ///< "optimizer.learning_rate: 2.0e-05": what it is here
  std::string reason{};           ///< why it has no effect or is refused; a remark on a mapping
  std::string instead{};          ///< what to write in place of a refused one
  bool changes_training = false;  ///< a refused key without which the run would be another one
};

struct ImportedRecipe {
  std::string format;             ///< "TRL"
  std::vector<ImportedKey> keys;  ///< in the order of the file, defaults last
  std::string yaml;               ///< the recipe; empty where keys were refused
  std::vector<std::string> warnings;

  /// The refused keys that change the training, which leave `yaml` empty.
  std::vector<const ImportedKey*> obstacles() const;
};

/// Every key of `file` is mapped, named as without effect, or refused; defaults of the source are
/// written out. Without obstacles (or with `skip_refused`) `yaml` is a recipe that parse_recipe
/// takes.
/// @throws Error(recipe): not YAML, an unknown key with the nearest one, a value of a wrong type or
/// range at its place in `file`, an unknown or ambiguous format; Error(io).
ImportedRecipe import_recipe(const std::filesystem::path& file, const ImportOptions& options);
/// The same from texts; the names stand in messages. An empty `accelerate` is none.
ImportedRecipe import_recipe_text(const std::string& text, const std::string& name,
                                  const std::string& accelerate, const std::string& accelerate_name,
                                  const ImportOptions& options);

}  // namespace burnish
