// What the keys of a source become: settings of the recipe, and the report on each of them.
#include <algorithm>

#include "base/error.h"
#include "recipe/checks.h"
#include "recipe/import/translation.h"
#include "recipe/overrides.h"
#include "recipe/schema.h"

namespace burnish::foreign {
namespace {

using Outcome = ImportedKey::Outcome;

/// What a recipe with this one setting is refused for as not there yet.
std::optional<Error> schema_refusal(const std::string& target, const Json& value) {
  static const std::string kSmallest =
      "model: {source: m}\ndata: {train: [a.jsonl]}\ntrain: {end: {steps: 1}}\n";
  try {
    parse_recipe(kSmallest, "", {{target, value.dump()}});
  } catch (const Error& error) {
    if (error.code() == ErrorCode::unsupported) return error;
  }
  return std::nullopt;
}

/// "data" and "data.train" touch each other, "data" and "dataset" do not.
bool touch(const std::string& a, const std::string& b) {
  const std::string& longer = a.size() < b.size() ? b : a;
  const std::string& shorter = a.size() < b.size() ? a : b;
  return longer == shorter || longer.starts_with(shorter + ".");
}

}  // namespace

void Translation::put(const std::string& target, const Json& value, Keys from,
                      const std::string& remark, const std::string& instead) {
  if (overridden(target)) return idle(from, "--set decides " + target);
  if (const std::optional<Error> refusal = schema_refusal(target, value)) {
    const std::string advice = instead.empty() ? refusal->advice() : instead;
    ImportedKey key{.outcome = Outcome::refused};
    key.reason = refusal->fact();
    key.instead = advice;
    key.changes_training = true;
    return report_all(from, std::move(key), true);
  }
  settings_.push_back({{target, value.dump()}, place_of(from)});
  ImportedKey key{.outcome = Outcome::mapped};
  key.became = target + ": " + yaml_value(value);
  key.reason = remark;
  report_all(from, std::move(key), true);
}

bool Translation::accepts(const std::string& target, const Json& value) {
  return !schema_refusal(target, value);
}

void Translation::idle(Keys from, const std::string& reason) {
  ImportedKey key{.outcome = Outcome::no_effect};
  key.reason = reason;
  report_all(from, std::move(key), false);
}

void Translation::refuse(Keys from, const std::string& reason, const std::string& instead,
                         const std::string& target) {
  if (!target.empty() && overridden(target)) return idle(from, "--set decides " + target);
  ImportedKey key{.outcome = Outcome::refused};
  key.reason = reason;
  key.instead = instead;
  key.changes_training = true;
  report_all(from, std::move(key), true);
}

void Translation::set_aside(Keys from, const std::string& reason, const std::string& instead,
                            const std::string& target) {
  if (!target.empty() && overridden(target)) return idle(from, "--set decides " + target);
  ImportedKey key{.outcome = Outcome::refused};
  key.reason = reason;
  key.instead = instead;
  report_all(from, std::move(key), true);
}

bool Translation::overridden(const std::string& target) const {
  return std::any_of(options_.overrides.begin(), options_.overrides.end(),
                     [&](const RecipeOverride& change) { return touch(change.key, target); });
}

void Translation::report(ImportedKey key) {
  std::vector<ImportedKey>& list = key.given ? keys_ : defaults_;
  const auto same = std::find_if(list.begin(), list.end(), [&](const ImportedKey& known) {
    return known.place == key.place && known.key == key.key;
  });
  if (same == list.end()) {
    list.push_back(std::move(key));
    return;
  }
  // the weightier outcome stays: refused, then mapped, then without effect
  const auto weight = [](const ImportedKey& k) {
    return k.outcome == Outcome::refused ? 2 : k.outcome == Outcome::mapped ? 1 : 0;
  };
  if (weight(key) > weight(*same)) {
    *same = std::move(key);
  } else if (weight(key) == weight(*same) && key.outcome == Outcome::mapped) {
    same->became += ", " + key.became;
    if (!key.reason.empty()) same->reason += (same->reason.empty() ? "" : "; ") + key.reason;
  }
}

void Translation::report_all(Keys from, ImportedKey outcome, bool default_too) {
  bool any = false;
  for (const std::string_view name : from) {
    const YamlNode* node = find_node(*root_, std::string(name));
    if (node == nullptr) continue;
    any = true;
    ImportedKey key = outcome;
    key.key = node->path;
    key.value = node->shown();
    key.place = node->key_place.empty() ? node->place : node->key_place;
    report(std::move(key));
  }
  if (any || !default_too) return;
  outcome.key = from.size() == 0 ? "what " + std::string(format_->title) + " does"
                                 : std::string(*from.begin());
  const KeyRow* row = format_->row(outcome.key);
  outcome.value = row == nullptr ? "" : row->fallback;
  outcome.place = from.size() == 0 ? "always" : std::string(format_->title) + "'s default";
  outcome.given = false;
  report(std::move(outcome));
}

bool Translation::reported(const std::string& place) const {
  return std::any_of(keys_.begin(), keys_.end(),
                     [&](const ImportedKey& key) { return key.place == place; });
}

std::string Translation::place_of(Keys from) const {
  for (const std::string_view name : from)
    if (const YamlNode* node = find_node(*root_, std::string(name))) return node->place;
  return std::string(format_->title) + "'s default of " +
         (from.size() == 0 ? "" : std::string(*from.begin()));
}

std::string Translation::header(const std::string& file, const ImportedRecipe& imported) const {
  std::string text = "# Imported from " + file + " (" + imported.format + ").\n";
  bool any = false;
  for (const ImportedKey& key : imported.keys) {
    if (key.outcome != Outcome::refused) continue;
    if (!any) text += "# Left out, because it was refused:\n";
    any = true;
    text += "#   " + key.key + ": " + key.value + " (" + key.place + "): " + key.reason + "; " +
            key.instead + "\n";
  }
  return text;
}

ImportedRecipe Translation::finish(const std::string& file) {
  ImportedRecipe imported;
  for (const std::string_view title : titles_)
    imported.format += (imported.format.empty() ? "" : " with ") + std::string(title);
  for (const std::string& place : places_)
    for (const ImportedKey& key : keys_)
      if (key.place == place) imported.keys.push_back(key);
  imported.keys.insert(imported.keys.end(), defaults_.begin(), defaults_.end());
  if (!imported.obstacles().empty() && !options_.skip_refused) return imported;
  YamlNode root;
  root.kind = YamlNode::Kind::map;
  root.place = file;
  set_value(root, {"schema_version", "1"}, file);
  for (const Setting& setting : settings_) set_value(root, setting.value, setting.place);
  for (const RecipeOverride& change : options_.overrides) apply_override(root, change);
  const LoadedRecipe loaded = recipe_from_tree(std::move(root));
  imported.warnings = loaded.warnings;
  imported.yaml = header(file, imported) + loaded.given;
  return imported;
}

}  // namespace burnish::foreign
