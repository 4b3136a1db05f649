#include "recipe/import/import.h"

#include "base/error.h"
#include "base/file.h"
#include "recipe/import/detect.h"
#include "recipe/import/translation.h"

namespace burnish {
namespace {

YamlNode read_tree(const std::string& text, const std::string& name) {
  YamlNode root = parse_yaml(text, name);
  if (root.kind != YamlNode::Kind::map)
    throw Error(ErrorCode::recipe,
                "the file must be a group of keys, not " +
                    (root.kind == YamlNode::Kind::null ? "empty" : root.shown()),
                name, "name a configuration file of TRL, axolotl, LLaMA-Factory or accelerate");
  set_paths(root);
  return root;
}

std::string read_file(const std::filesystem::path& file) {
  const MappedFile mapped(file);
  return std::string(mapped.text().substr(0, kMaxRecipeBytes + 1));
}

}  // namespace

std::vector<const ImportedKey*> ImportedRecipe::obstacles() const {
  std::vector<const ImportedKey*> found;
  for (const ImportedKey& key : keys)
    if (key.outcome == ImportedKey::Outcome::refused && key.changes_training) found.push_back(&key);
  return found;
}

ImportedRecipe import_recipe(const std::filesystem::path& file, const ImportOptions& options) {
  const std::string launcher = options.accelerate.empty() ? "" : read_file(options.accelerate);
  return import_recipe_text(read_file(file), file.string(), launcher, options.accelerate.string(),
                            options);
}

ImportedRecipe import_recipe_text(const std::string& text, const std::string& name,
                                  const std::string& accelerate, const std::string& accelerate_name,
                                  const ImportOptions& options) {
  const YamlNode root = read_tree(text, name);
  const foreign::Format& format = foreign::format_of(root, options.format);
  foreign::Translation translation(options);
  YamlNode launcher;
  if (!accelerate.empty()) {
    if (&format == &foreign::accelerate_format())
      throw Error(ErrorCode::usage, "two accelerate files are one too many", name,
                  "name the trainer's file, and accelerate's with --accelerate");
    launcher = read_tree(accelerate, accelerate_name);
    translation.has_trainer = true;
    translation.translate(foreign::accelerate_format(), launcher);
  }
  translation.translate(format, root);
  return translation.finish(name);
}

}  // namespace burnish
