#include "recipe/import/translation.h"

#include <algorithm>

#include "base/error.h"
#include "recipe/checks.h"
#include "recipe/import/source_value.h"
#include "recipe/utf8_check.h"

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
  std::string shown = item.path.substr(0, 200);
  shown.resize(utf8_prefix(shown));
  throw Error(ErrorCode::recipe, std::string(format.title) + " has no key `" + shown + "`",
              item.key_place, advice);
}

YamlNode scalar(const std::string& text) {
  YamlNode node;
  node.kind = YamlNode::Kind::scalar;
  node.text = text;
  return node;
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

}  // namespace burnish::foreign
