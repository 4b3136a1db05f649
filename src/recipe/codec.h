// How a value of a recipe is read, checked, written and described: one declaration each. Codecs are
// put together from smaller ones; schema.cpp is the table made of them.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "recipe/nearest_key.h"
#include "recipe/yaml_text.h"
#include "recipe/yaml_tree.h"

namespace burnish {

using Json = nlohmann::ordered_json;

/// A key as docs/recipe.md shows it. `path` is relative to the codec that holds it.
struct KeyDescription {
  std::string path, type, fallback, unit, meaning;
};

template <class Value>
struct Codec {
  std::string type;  ///< as messages and docs/recipe.md say it: "a whole number, 1 or more"
  std::function<Value(const YamlNode&)> read;  ///< @throws Error(recipe), Error(unsupported)
  std::function<Json(const Value&)> write;
  std::vector<KeyDescription> keys;  ///< of a group
};

/// Bounds of a number; open bounds are not part of it.
struct Range {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool low_open = false, high_open = false;
};

Codec<double> number(Range range);
Codec<int64_t> whole(int64_t low, int64_t high = std::numeric_limits<int64_t>::max());
Codec<int> small_whole(int low, int high);
Codec<bool> flag();
/// Text that is not empty.
Codec<std::string> text(const std::string& type = "text");
/// Text, or null for the empty text.
Codec<std::string> text_or_null(const std::string& type = "text");
/// One of `present`; one of `later` is refused as not there yet.
Codec<std::string> choice(const std::vector<std::string>& present,
                          const std::vector<std::string>& later = {});

/// Error(unsupported): "PATH: VALUE is not there yet".
[[noreturn]] void refuse_as_absent(const YamlNode& node, const std::string& present);

/// null in place of a value, for which the file may also write `word`.
template <class Value>
Codec<std::optional<Value>> optional(Codec<Value> inner, const std::string& word = "null") {
  Codec<std::optional<Value>> codec;
  codec.type = inner.type + ", or " + word;
  codec.read = [inner, word, type = codec.type](const YamlNode& node) -> std::optional<Value> {
    if (word == "null" ? node.kind == YamlNode::Kind::null
                       : node.kind == YamlNode::Kind::scalar && node.text == word)
      return std::nullopt;
    return inner.read(node);
  };
  codec.write = [inner, word](const std::optional<Value>& value) {
    if (value) return inner.write(*value);
    return word == "null" ? Json() : Json(word);
  };
  codec.keys = inner.keys;
  return codec;
}

/// A value that has only one present setting, the others being features to come.
template <class Value>
Codec<Value> only(Value present, Codec<Value> inner) {
  Codec<Value> codec = inner;
  codec.type = "only " + yaml_value(inner.write(present));
  codec.read = [inner, present](const YamlNode& node) {
    Value value = inner.read(node);
    if (value != present) refuse_as_absent(node, yaml_value(inner.write(present)));
    return value;
  };
  return codec;
}

/// `problem` says what is wrong with a value ("must ..."), or nothing.
template <class Value>
Codec<Value> checked(Codec<Value> inner, std::function<std::string(const Value&)> problem) {
  Codec<Value> codec = inner;
  codec.read = [inner, problem](const YamlNode& node) {
    Value value = inner.read(node);
    const std::string fault = problem(value);
    if (!fault.empty()) node.fail(fault + ", not " + node.shown());
    return value;
  };
  return codec;
}

/// A list, or a single item in its place.
template <class Value>
Codec<std::vector<Value>> list(Codec<Value> item, const std::string& type) {
  Codec<std::vector<Value>> codec;
  codec.type = type;
  codec.read = [item, type](const YamlNode& node) {
    std::vector<Value> values;
    if (node.kind == YamlNode::Kind::null) node.fail("must be " + type + ", not null");
    if (node.kind != YamlNode::Kind::sequence) return std::vector<Value>{item.read(node)};
    for (const YamlNode& child : node.items) values.push_back(item.read(child));
    return values;
  };
  codec.write = [item](const std::vector<Value>& values) {
    Json out = Json::array();
    for (const Value& value : values) out.push_back(item.write(value));
    return out;
  };
  for (KeyDescription key : item.keys) {
    key.path = "[]." + key.path;
    codec.keys.push_back(std::move(key));
  }
  return codec;
}

/// Names chosen by the user, each with a value. Names appear in metrics and file names.
void check_user_name(const YamlNode& member);
template <class Value>
Codec<std::map<std::string, Value>> named(Codec<Value> item, const std::string& type) {
  Codec<std::map<std::string, Value>> codec;
  codec.type = type;
  codec.read = [item, type](const YamlNode& node) {
    std::map<std::string, Value> values;
    if (node.kind != YamlNode::Kind::map) node.fail("must be " + type + ", not " + node.shown());
    for (const YamlNode& member : node.items) {
      check_user_name(member);
      values.emplace(member.key, item.read(member));
    }
    return values;
  };
  codec.write = [item](const std::map<std::string, Value>& values) {
    Json out = Json::object();
    for (const auto& [name, value] : values) out[name] = item.write(value);
    return out;
  };
  for (KeyDescription key : item.keys) {
    key.path = ".NAME." + key.path;
    codec.keys.push_back(std::move(key));
  }
  return codec;
}

/// One key of a group.
template <class Owner>
struct Field {
  KeyDescription description;  ///< `path` is the key itself
  bool required = false;
  std::vector<KeyDescription> keys;  ///< below it, each path with its separator in front
  std::function<void(Owner&, const YamlNode&)> read;
  std::function<Json(const Owner&)> write;
};

/// A key that is a member of the struct.
template <class Owner, class Value>
Field<Owner> field(std::string name, Value Owner::*member, Codec<Value> codec, std::string meaning,
                   std::string unit = {}) {
  return {{std::move(name), codec.type, {}, std::move(unit), std::move(meaning)},
          false,
          codec.keys,
          [member, read = codec.read](Owner& owner, const YamlNode& node) {
            owner.*member = read(node);
          },
          [member, write = codec.write](const Owner& owner) { return write(owner.*member); }};
}

/// A key whose value is spread over several members.
template <class Owner, class Value>
Field<Owner> field(std::string name, std::function<Value(const Owner&)> get,
                   std::function<void(Owner&, Value)> set, Codec<Value> codec, std::string meaning,
                   std::string unit = {}) {
  return {{std::move(name), codec.type, {}, std::move(unit), std::move(meaning)},
          false,
          codec.keys,
          [set, read = codec.read](Owner& owner, const YamlNode& node) { set(owner, read(node)); },
          [get, write = codec.write](const Owner& owner) { return write(get(owner)); }};
}

template <class Owner>
Field<Owner> required(Field<Owner> key) {
  key.required = true;
  return key;
}

namespace detail {

template <class Owner>
const Field<Owner>& find_field(const std::vector<Field<Owner>>& fields, const YamlNode& member) {
  std::vector<std::string> names;
  for (const Field<Owner>& key : fields) {
    if (key.description.path == member.key) return key;
    names.push_back(key.description.path);
  }
  refuse_unknown_key(member, names);
}

template <class Owner>
std::vector<KeyDescription> describe(const std::vector<Field<Owner>>& fields) {
  std::vector<KeyDescription> keys;
  const Owner defaults{};
  for (const Field<Owner>& key : fields) {
    KeyDescription own = key.description;
    own.fallback = key.required ? "required" : yaml_value(key.write(defaults));
    const bool is_group = !key.keys.empty() && key.keys.front().path.front() != '[' &&
                          key.keys.front().path.rfind(".NAME", 0) != 0;
    if (!is_group) keys.push_back(own);
    for (KeyDescription below : key.keys) {
      below.path = key.description.path + below.path;
      keys.push_back(std::move(below));
    }
  }
  return keys;
}

}  // namespace detail

/// A group of keys that fills a struct; keys that are left out keep the struct's defaults.
template <class Owner>
Codec<Owner> group(std::vector<Field<Owner>> fields) {
  Codec<Owner> codec;
  // shared: a codec is copied often on its way into the whole
  const auto shared = std::make_shared<const std::vector<Field<Owner>>>(std::move(fields));
  codec.type = "a group of keys";
  for (KeyDescription key : detail::describe(*shared)) codec.keys.push_back(std::move(key));
  codec.read = [shared](const YamlNode& node) {
    Owner value{};
    if (node.kind != YamlNode::Kind::map)
      node.fail("must be a group of keys, not " + node.shown(),
                "write the keys below it, indented; leave it out for the defaults");
    for (const YamlNode& member : node.items)
      detail::find_field(*shared, member).read(value, member);
    for (const Field<Owner>& key : *shared)
      if (key.required && node.member(key.description.path) == nullptr)
        node.fail("lacks the key `" + key.description.path + "` (" + key.description.type + ")");
    return value;
  };
  codec.write = [shared](const Owner& value) {
    Json out = Json::object();
    for (const Field<Owner>& key : *shared) out[key.description.path] = key.write(value);
    return out;
  };
  return codec;
}

/// A group as a key of another.
template <class Value>
Codec<Value> below(Codec<Value> inner) {
  for (KeyDescription& key : inner.keys) key.path = "." + key.path;
  return inner;
}

}  // namespace burnish
