#include "recipe/overrides.h"

#include "base/error.h"
#include "recipe/number_text.h"

namespace burnish {
namespace {

using Kind = YamlNode::Kind;

void set_place(YamlNode& node, const std::string& place) {
  node.place = node.key_place = place;
  for (YamlNode& item : node.items) set_place(item, place);
}

std::vector<std::string> parts_of(const std::string& key, const std::string& place) {
  std::vector<std::string> parts;
  for (size_t begin = 0; begin <= key.size();) {
    const size_t end = std::min(key.find('.', begin), key.size());
    parts.push_back(key.substr(begin, end - begin));
    if (parts.back().empty())
      throw Error(ErrorCode::recipe, "`" + key + "` is not the name of a key", place,
                  "write --set group.key=value");
    begin = end + 1;
  }
  return parts;
}

YamlNode& item_of(YamlNode& list, const std::string& part, const std::string& place) {
  const std::optional<int64_t> index = parse_whole(part);
  const auto size = static_cast<int64_t>(list.items.size());
  if (!index || *index < 0 || *index > size)
    throw Error(ErrorCode::recipe,
                "`" + part + "` is not an item of this list of " + std::to_string(size), place,
                "items are counted from 0");
  if (*index == size) list.items.emplace_back();
  return list.items[static_cast<size_t>(*index)];
}

YamlNode& child_of(YamlNode& parent, const std::string& part, const std::string& place) {
  if (parent.kind == Kind::sequence) return item_of(parent, part, place);
  if (parent.kind == Kind::scalar)
    throw Error(ErrorCode::recipe,
                "there is no `" + part + "` in the value " + parent.shown() + " of " + parent.place,
                place, "set the whole value instead");
  parent.kind = Kind::map;
  if (YamlNode* known = parent.member(part)) return *known;
  YamlNode& made = parent.items.emplace_back();
  made.key = part;
  made.place = made.key_place = place;
  return made;
}

}  // namespace

void apply_override(YamlNode& root, const RecipeOverride& change) {
  set_value(root, change, "--set " + change.key);
}

void set_value(YamlNode& root, const RecipeOverride& change, const std::string& place) {
  YamlNode value = parse_yaml(change.value, place);
  set_place(value, place);
  const std::vector<std::string> parts = parts_of(change.key, place);
  if (parts.size() > 16) throw Error(ErrorCode::recipe, "no key is nested that deep", place);
  YamlNode* at = &root;
  for (const std::string& part : parts) at = &child_of(*at, part, place);
  value.key = at->key;
  *at = std::move(value);
}

}  // namespace burnish
