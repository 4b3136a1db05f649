#include "recipe/import/translation.h"

#include <algorithm>

#include "base/error.h"
#include "recipe/checks.h"
#include "recipe/import/source_value.h"
#include "recipe/overrides.h"
#include "recipe/schema.h"

namespace burnish::foreign {
namespace {

using Outcome = ImportedKey::Outcome;

/// "datasets.0.path" is "datasets[].path" in a table.
std::string table_key(const std::string& path) {
  std::string key;
  for (size_t begin = 0; begin <= path.size();) {
    const size_t end = std::min(path.find('.', begin), path.size());
    const std::string part = path.substr(begin, end - begin);
    const bool index = !part.empty() && part.find_first_not_of("0123456789") == std::string::npos;
    key += index ? "[]" : (key.empty() ? "" : ".") + part;
    begin = end + 1;
  }
  return key;
}

[[noreturn]] void refuse_unknown(const Format& format, const YamlNode& item,
                                 const std::string& group) {
  const std::vector<std::string> names = format.names_in(group);
  const auto near = nearest(item.key, names);
  std::string advice = "leave it out, if " + std::string(format.title) + " takes it all the same";
  if (near) advice = "did you mean `" + (group.empty() ? "" : group + ".") + *near + "`?";
  throw Error(ErrorCode::recipe,
              std::string(format.title) + " has no key `" + item.path.substr(0, 200) + "`",
              item.key_place, advice);
}

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

YamlNode scalar(const std::string& text) {
  YamlNode node;
  node.kind = YamlNode::Kind::scalar;
  node.text = text;
  return node;
}

/// "data" and "data.train" touch each other, "data" and "dataset" do not.
bool touch(const std::string& a, const std::string& b) {
  const std::string& longer = a.size() < b.size() ? b : a;
  const std::string& shorter = a.size() < b.size() ? a : b;
  return longer == shorter || longer.starts_with(shorter + ".");
}

}  // namespace

void Translation::translate(const Format& format, const YamlNode& root) {
  format_ = &format;
  root_ = &root;
  titles_.insert(titles_.begin(), format.title);  // the trainer stands before its launcher
  check_and_apply(root);
  std::vector<void (*)(Translation&)> done;
  for (const KeyRow& row : format.rows) {
    if (row.rule.map == nullptr) continue;
    if (std::find(done.begin(), done.end(), row.rule.map) != done.end()) continue;
    done.push_back(row.rule.map);
    row.rule.map(*this);
  }
  rest_of(root, "");
}

void Translation::check_and_apply(const YamlNode& node) {
  if (node.kind == YamlNode::Kind::sequence)
    for (const YamlNode& item : node.items) check_and_apply(item);
  if (node.kind != YamlNode::Kind::map) return;
  for (const YamlNode& item : node.items) {
    places_.push_back(item.key_place);
    const std::string key = table_key(item.path);
    const KeyRow* row = format_->row(key);
    const bool is_group = format_->has_below(key);
    if (row == nullptr && !is_group) refuse_unknown(*format_, item, table_key(node.path));
    if (row != nullptr) apply_rule(*row, item);
    if (row == nullptr && item.kind == YamlNode::Kind::scalar)
      item.fail("must be a group of keys, not " + item.shown());
    if (is_group) check_and_apply(item);
  }
}

void Translation::apply_rule(const KeyRow& row, const YamlNode& node) {
  ImportedKey key{.key = node.path, .value = node.shown(), .place = node.key_place};
  key.reason = row.rule.reason;
  key.outcome = Outcome::no_effect;
  if (row.rule.kind == Rule::Kind::mapped) return;
  if (row.rule.kind != Rule::Kind::idle) {
    if (is_neutral(node, row.fallback)) {
      key.reason = "this is the default: off, or what happens here too";
    } else {
      key.outcome = Outcome::refused;
      key.instead = row.rule.instead;
      key.changes_training = row.rule.kind == Rule::Kind::lacking;
    }
  }
  report(std::move(key));
}

const YamlNode* Translation::given(std::string_view key) const {
  const YamlNode* node = find_node(*root_, std::string(key));
  return node == nullptr || node->kind == YamlNode::Kind::null ? nullptr : node;
}

bool Translation::is_null(std::string_view key) const {
  const YamlNode* node = find_node(*root_, std::string(key));
  return node != nullptr && node->kind == YamlNode::Kind::null;
}

std::string Translation::word(std::string_view key) const {
  if (const YamlNode* node = given(key)) return text_of(*node);
  const KeyRow* row = format_->row(key);
  const std::string fallback(row == nullptr ? "null" : row->fallback);
  return fallback == "null" ? "" : fallback;
}

bool Translation::flag(std::string_view key) const {
  if (const YamlNode* node = given(key)) return flag_of(*node);
  return word(key) == "true";
}

YamlNode Translation::value_of(std::string_view key) const {
  if (const YamlNode* node = given(key)) return *node;
  const std::string fallback = word(key);
  if (fallback.empty())
    throw Error(ErrorCode::recipe,
                std::string(format_->title) + " needs the key `" + std::string(key) + "`",
                root_->place, "write it into the file");
  return scalar(fallback);
}

double Translation::number(std::string_view key) const {
  return number_of(value_of(key));
}

int64_t Translation::whole(std::string_view key, int64_t low, int64_t high) const {
  return whole_of(value_of(key), low, high);
}

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

void Translation::rest_of(const YamlNode& node, const std::string& became) {
  if (node.kind == YamlNode::Kind::sequence || node.kind == YamlNode::Kind::map) {
    for (const YamlNode& item : node.items) {
      const bool group = format_->has_below(table_key(item.path)) || item.key.empty();
      const KeyRow* row = format_->row(table_key(item.path));
      if (group) rest_of(item, became);
      if (row == nullptr || reported(item.key_place)) continue;
      ImportedKey key{.key = item.path, .value = item.shown(), .place = item.key_place};
      key.outcome = became.empty() ? Outcome::no_effect : Outcome::mapped;
      key.became = became;
      if (became.empty()) key.reason = "beside the other keys it changes nothing";
      report(std::move(key));
    }
  }
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
