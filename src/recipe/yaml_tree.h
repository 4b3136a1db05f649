// A YAML text as a tree whose every node knows where it stands. Bounded: no aliases, no tags, no
// second document, limited size and depth.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace burnish {

inline constexpr size_t kMaxRecipeBytes = size_t{1} << 18;

struct YamlNode {
  enum class Kind { null, scalar, sequence, map } kind = Kind::null;
  std::string text;             ///< of a scalar
  bool quoted = false;          ///< "1" is text, 1 is a number
  std::vector<YamlNode> items;  ///< of a sequence; of a map, in the order of the file
  std::string key;              ///< as a member of a map
  std::string key_place;        ///< FILE:line:column of that key
  std::string place;            ///< FILE:line:column, or "--set KEY"
  std::string path;             ///< "optimizer.learning_rate"; empty for the root

  /// A member of a map, or nullptr.
  const YamlNode* member(std::string_view name) const;
  YamlNode* member(std::string_view name);

  /// The value as a message shows it: short, in quotes where the file has quotes.
  std::string shown() const;

  /// @throws Error(recipe): "PATH FACT" at this node's place.
  [[noreturn]] void fail(const std::string& fact, const std::string& advice = {}) const;
};

/// `name` stands in places. @throws Error(recipe) with the place: broken syntax, a duplicate key,
/// aliases, tags, bytes that are not UTF-8, too deep, too large.
YamlNode parse_yaml(const std::string& text, const std::string& name);

/// Gives every node below `node` its path, `node.path` being right.
void set_paths(YamlNode& node);

}  // namespace burnish
