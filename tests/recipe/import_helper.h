// Imports of the example files of tests/data/recipe/import.
#pragma once

#include <filesystem>
#include <string>

#include "recipe/import/import.h"

namespace burnish::testing_tools {

std::string import_data(const std::string& name);

/// The import of an example file, run where its data files stand: DATASET_DIR is their folder.
ImportedRecipe import_example(const std::string& name, const ImportOptions& options = {});
ImportedRecipe import_text(const std::string& text, const ImportOptions& options = {});

/// The recipe of an import; a failed expectation with the obstacles where there is none.
Recipe recipe_of(const ImportedRecipe& imported);

/// What became of a key; an empty one if nothing did.
ImportedKey outcome_of(const ImportedRecipe& imported, const std::string& key);

/// "REASON; INSTEAD" of a refused key that changes the training; else what it is.
std::string refusal_of(const ImportedRecipe& imported, const std::string& key);

/// The message of the Error that the import throws.
std::string error_of(const std::string& text, const ImportOptions& options = {});

}  // namespace burnish::testing_tools
