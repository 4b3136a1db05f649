// One import under way: reads the source's values, and collects what they become.
#pragma once

#include <initializer_list>
#include <map>
#include <optional>

#include "recipe/codec.h"
#include "recipe/import/import.h"
#include "recipe/import/rule.h"

namespace burnish::foreign {

using Keys = std::initializer_list<std::string_view>;

class Translation {
 public:
  explicit Translation(const ImportOptions& options)
      : processes(options.processes), options_(options) {}

  /// Applies the rules of `format` to the keys of `root`, whose paths are set.
  /// @throws Error(recipe) for keys that it does not know, and for wrong values.
  void translate(const Format& format, const YamlNode& root);
  /// @throws Error(recipe) at the place of the source that gave the wrong value
  ImportedRecipe finish(const std::string& file);

  // What the rules of a format see.

  const TrainerKeys& names() const { return format_->keys; }
  /// The value of a key, or nullptr for one that is absent or null.
  const YamlNode* given(std::string_view key) const;
  /// Whether the file itself says null.
  bool is_null(std::string_view key) const;
  /// The value or the source's default; null is the empty text.
  std::string word(std::string_view key) const;
  bool flag(std::string_view key) const;
  /// @throws Error(recipe), also where neither a value nor a default is there
  double number(std::string_view key) const;
  int64_t whole(std::string_view key, int64_t low, int64_t high) const;

  /// `target` gets this value, which comes from these keys, the first of them having the default
  /// if none is given. What the schema does not have yet becomes a refusal, with `instead`.
  void put(const std::string& target, const Json& value, Keys from, const std::string& remark = "",
           const std::string& instead = "");
  /// Whether the schema has this value.
  static bool accepts(const std::string& target, const Json& value);
  void idle(Keys from, const std::string& reason);
  /// A refusal that changes the training, unless an override settles `target`.
  void refuse(Keys from, const std::string& reason, const std::string& instead,
              const std::string& target = "");
  /// A refusal of what does not change the training.
  void set_aside(Keys from, const std::string& reason, const std::string& instead,
                 const std::string& target = "");
  /// Reports the keys below that were not reported yet, as parts of a mapping.
  void rest_of(const YamlNode& node, const std::string& became);
  /// Whether --set gives this key, or one above or below it.
  bool overridden(const std::string& target) const;

  // What rules tell each other.

  int64_t processes;
  std::string launcher_precision;          ///< accelerate's mixed_precision; empty: none
  bool has_trainer = false;                ///< a trainer's file follows the launcher's
  std::map<std::string, Json> evaluation;  ///< sets, put if they are evaluated
  bool evaluates = false;

 private:
  struct Setting {
    RecipeOverride value;
    std::string place;
  };

  YamlNode value_of(std::string_view key) const;
  void check_and_apply(const YamlNode& node);
  void apply_rule(const KeyRow& row, const YamlNode& node);
  void report(ImportedKey key);
  /// Reports the given ones of these keys, or the first as a default if none is and `default_too`.
  void report_all(Keys from, ImportedKey outcome, bool default_too);
  bool reported(const std::string& place) const;
  std::string place_of(Keys from) const;
  std::string header(const std::string& file, const ImportedRecipe& imported) const;

  const ImportOptions& options_;
  const Format* format_ = nullptr;
  const YamlNode* root_ = nullptr;
  std::vector<std::string_view> titles_;
  std::vector<Setting> settings_;
  std::vector<std::string> places_;  ///< of all keys, in the order of the files
  std::vector<ImportedKey> keys_, defaults_;
};

}  // namespace burnish::foreign
