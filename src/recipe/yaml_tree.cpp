#include "recipe/yaml_tree.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <sstream>

#include "base/error.h"
#include "recipe/utf8_check.h"

namespace burnish {
namespace {

constexpr size_t kMaxDepth = 16;
constexpr size_t kMaxValues = 10'000;
constexpr size_t kShownCharacters = 60;

std::string join_path(const std::string& parent, const std::string& name) {
  return parent.empty() ? name : parent + "." + name;
}

/// Builds the tree from the parser's events and refuses what a recipe has no use for.
class TreeBuilder : public YAML::EventHandler {
 public:
  explicit TreeBuilder(const std::string& name) : name_(name) {}

  YamlNode take_root() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (documents_++ > 0)
      fail(mark, "holds a second document", "a recipe is one YAML document: one file each");
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    add(leaf(mark, "", anchor, YamlNode::Kind::null));
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    fail(mark, "uses a YAML alias (*name)", "write the value out");
  }
  void OnAnchor(const YAML::Mark& mark, const std::string&) override {
    fail(mark, "uses a YAML anchor (&name)", "write the value out where it is needed");
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    YamlNode node = leaf(mark, tag, anchor, YamlNode::Kind::scalar);
    node.text = value;
    node.quoted = tag == "!";
    const bool is_null =
        value.empty() || value == "~" || value == "null" || value == "Null" || value == "NULL";
    if (!node.quoted && is_null) node.kind = YamlNode::Kind::null;
    if (open_.empty() || open_.back().node.kind != YamlNode::Kind::map || open_.back().has_key) {
      add(std::move(node));
    } else {
      begin_member(std::move(node));
    }
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(mark, tag, anchor, YamlNode::Kind::sequence);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(mark, tag, anchor, YamlNode::Kind::map);
  }
  void OnMapEnd() override { close(); }

 private:
  struct Open {
    YamlNode node;
    bool has_key = false;
    std::string key, key_place;
  };

  std::string place(const YAML::Mark& mark) const {
    return name_ + ":" + std::to_string(mark.line + 1) + ":" + std::to_string(mark.column + 1);
  }

  [[noreturn]] void fail(const YAML::Mark& mark, const std::string& fact,
                         const std::string& advice) const {
    throw Error(ErrorCode::recipe, "the recipe " + fact, place(mark), advice);
  }

  YamlNode leaf(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                YamlNode::Kind kind) {
    if (anchor != YAML::NullAnchor)
      fail(mark, "uses a YAML anchor (&name)", "write the value out where it is needed");
    if (!tag.empty() && tag != "?" && tag != "!")
      fail(mark, "uses the YAML tag " + tag, "leave the tag out: every key has one type");
    if (++values_ > kMaxValues)
      fail(mark, "holds more than " + std::to_string(kMaxValues) + " values",
           "is this really a recipe?");
    YamlNode node;
    node.kind = kind;
    node.place = place(mark);
    return node;
  }

  void begin_member(YamlNode key) {
    Open& map = open_.back();
    const auto same = std::find_if(map.node.items.begin(), map.node.items.end(),
                                   [&](const YamlNode& member) { return member.key == key.text; });
    if (same != map.node.items.end())
      throw Error(ErrorCode::recipe, "the key `" + key.text + "` stands here a second time",
                  key.place, "the first is at " + same->key_place + ": keep one of them");
    map.has_key = true;
    map.key = std::move(key.text);
    map.key_place = std::move(key.place);
  }

  void add(YamlNode node) {
    if (open_.empty()) {
      root_ = std::move(node);
      return;
    }
    Open& parent = open_.back();
    if (parent.node.kind == YamlNode::Kind::map) {
      if (!parent.has_key)
        throw Error(ErrorCode::recipe, "a key must be a name", node.place, "write `name: value`");
      node.key = std::move(parent.key);
      node.key_place = std::move(parent.key_place);
      parent.has_key = false;
    }
    parent.node.items.push_back(std::move(node));
  }

  void open(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
            YamlNode::Kind kind) {
    if (open_.size() >= kMaxDepth)
      fail(mark, "is nested more than " + std::to_string(kMaxDepth) + " levels deep",
           "no key needs that: docs/recipe.md lists them all");
    open_.push_back({leaf(mark, tag, anchor, kind), false, {}, {}});
  }

  void close() {
    YamlNode done = std::move(open_.back().node);
    open_.pop_back();
    add(std::move(done));
  }

  std::string name_;
  int documents_ = 0;
  size_t values_ = 0;
  std::vector<Open> open_;
  YamlNode root_;
};

void check_bytes(const std::string& text, const std::string& name) {
  if (text.size() > kMaxRecipeBytes)
    throw Error(ErrorCode::recipe,
                "the recipe is longer than " + std::to_string(kMaxRecipeBytes) + " bytes", name,
                "is this really a recipe?");
  const size_t good = utf8_prefix(text);
  const size_t bad = std::min(good, text.find('\0'));
  if (bad >= text.size()) return;
  const auto line = std::count(text.begin(), text.begin() + static_cast<ptrdiff_t>(bad), '\n') + 1;
  const size_t line_start = bad == 0 ? 0 : text.rfind('\n', bad - 1) + 1;
  throw Error(ErrorCode::recipe,
              good == bad ? "the recipe is not UTF-8 text" : "the recipe holds a NUL byte",
              name + ":" + std::to_string(line) + ":" + std::to_string(bad - line_start + 1),
              "save the file as UTF-8 text");
}

}  // namespace

const YamlNode* YamlNode::member(std::string_view name) const {
  if (kind != Kind::map) return nullptr;
  for (const YamlNode& item : items)
    if (item.key == name) return &item;
  return nullptr;
}

YamlNode* YamlNode::member(std::string_view name) {
  return const_cast<YamlNode*>(std::as_const(*this).member(name));
}

std::string YamlNode::shown() const {
  switch (kind) {
    case Kind::null:
      return "null";
    case Kind::sequence:
      return "a list";
    case Kind::map:
      return "a group of keys";
    case Kind::scalar:
      break;
  }
  std::string cut = text.substr(0, kShownCharacters);
  cut.resize(utf8_prefix(cut));
  if (cut.size() < text.size()) cut += "...";
  std::replace(cut.begin(), cut.end(), '\n', ' ');
  return quoted ? '"' + cut + '"' : cut;
}

void YamlNode::fail(const std::string& fact, const std::string& advice) const {
  throw Error(ErrorCode::recipe, path.empty() ? "the recipe " + fact : path + " " + fact, place,
              advice);
}

YamlNode parse_yaml(const std::string& text, const std::string& name) {
  check_bytes(text, name);
  std::istringstream stream(text);
  TreeBuilder builder(name);
  try {
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (const YAML::Exception& error) {
    const std::string place = error.mark.is_null()
                                  ? name
                                  : name + ":" + std::to_string(error.mark.line + 1) + ":" +
                                        std::to_string(error.mark.column + 1);
    throw Error(ErrorCode::recipe, "this is not YAML: " + error.msg, place,
                "look at the indentation, colons and quotes of this line and the one before");
  }
  YamlNode root = builder.take_root();
  if (root.place.empty()) root.place = name;
  return root;
}

void set_paths(YamlNode& node) {
  for (size_t i = 0; i < node.items.size(); ++i) {
    YamlNode& item = node.items[i];
    item.path =
        join_path(node.path, node.kind == YamlNode::Kind::map ? item.key : std::to_string(i));
    set_paths(item);
  }
}

}  // namespace burnish
