#include "recipe/codec.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/error.h"
#include "recipe/number_text.h"

namespace burnish {
namespace {

std::string joined(const std::vector<std::string>& words) {
  std::string all;
  for (const std::string& word : words) all += (all.empty() ? "" : ", ") + word;
  return all;
}

std::string described(const Range& range) {
  const bool low = std::isfinite(range.low), high = std::isfinite(range.high);
  std::string text = "a number";
  if (low && range.low_open) text += ", more than " + short_number(range.low);
  if (low && !range.low_open) text += ", " + short_number(range.low) + " or more";
  if (low && high) text += " and";
  if (high && range.high_open) text += " below " + short_number(range.high);
  if (high && !range.high_open) text += " at most " + short_number(range.high);
  return text;
}

bool inside(double value, const Range& range) {
  return (range.low_open ? value > range.low : value >= range.low) &&
         (range.high_open ? value < range.high : value <= range.high);
}

[[noreturn]] void fail_type(const YamlNode& node, const std::string& type) {
  std::string advice;
  if (node.quoted) advice = "without the quotes it would be a value, not text";
  node.fail("must be " + type + ", not " + node.shown(), advice);
}

bool is_plain(const YamlNode& node) {
  return node.kind == YamlNode::Kind::scalar && !node.quoted;
}

double read_number(const YamlNode& node, const std::string& type) {
  if (!is_plain(node)) fail_type(node, type);
  const std::optional<double> value = parse_number(node.text);
  if (!value) fail_type(node, type);
  if (!std::isfinite(*value)) node.fail("must be " + type + ", and finite, not " + node.shown());
  return *value;
}

int64_t read_whole(const YamlNode& node, const std::string& type) {
  if (!is_plain(node)) fail_type(node, type);
  const std::optional<int64_t> value = parse_whole(node.text);
  if (value) return *value;
  const std::optional<double> number = parse_number(node.text);
  std::string advice;
  if (number && std::fabs(*number) < 9e15 && std::trunc(*number) == *number)
    advice = "write " + std::to_string(static_cast<int64_t>(*number));
  node.fail("must be " + type + ", not " + node.shown(), advice);
}

std::string read_text(const YamlNode& node, const std::string& type) {
  if (node.kind != YamlNode::Kind::scalar) fail_type(node, type);
  if (node.text.empty()) node.fail("must be " + type + ", not empty");
  if (node.text.find('\0') != std::string::npos) node.fail("holds a NUL character");
  return node.text;
}

}  // namespace

Codec<double> number(Range range) {
  Codec<double> codec;
  codec.type = described(range);
  codec.read = [range, type = codec.type](const YamlNode& node) {
    const double value = read_number(node, type);
    if (!inside(value, range)) node.fail("must be " + type + ", not " + node.shown());
    return value;
  };
  codec.write = [](const double& value) { return Json(value); };
  return codec;
}

Codec<int64_t> whole(int64_t low, int64_t high) {
  const bool bounded = high != std::numeric_limits<int64_t>::max();
  Codec<int64_t> codec;
  codec.type = "a whole number, " + std::to_string(low) +
               (bounded ? " to " + std::to_string(high) : std::string(" or more"));
  codec.read = [low, high, type = codec.type](const YamlNode& node) {
    const int64_t value = read_whole(node, type);
    if (value < low || value > high) node.fail("must be " + type + ", not " + node.shown());
    return value;
  };
  codec.write = [](const int64_t& value) { return Json(value); };
  return codec;
}

Codec<int> small_whole(int low, int high) {
  const Codec<int64_t> wide = whole(low, high);
  Codec<int> codec;
  codec.type = wide.type;
  codec.read = [wide](const YamlNode& node) { return static_cast<int>(wide.read(node)); };
  codec.write = [](const int& value) { return Json(value); };
  return codec;
}

Codec<bool> flag() {
  Codec<bool> codec;
  codec.type = "true or false";
  codec.read = [](const YamlNode& node) {
    if (is_plain(node)) {
      for (const char* yes : {"true", "True", "TRUE"})
        if (node.text == yes) return true;
      for (const char* no : {"false", "False", "FALSE"})
        if (node.text == no) return false;
    }
    fail_type(node, "true or false");
  };
  codec.write = [](const bool& value) { return Json(value); };
  return codec;
}

Codec<std::string> text(const std::string& type) {
  Codec<std::string> codec;
  codec.type = type;
  codec.read = [type](const YamlNode& node) { return read_text(node, type); };
  codec.write = [](const std::string& value) { return Json(value); };
  return codec;
}

Codec<std::string> text_or_null(const std::string& type) {
  Codec<std::string> codec;
  codec.type = type + ", or null";
  codec.read = [type = codec.type](const YamlNode& node) {
    return node.kind == YamlNode::Kind::null ? std::string() : read_text(node, type);
  };
  codec.write = [](const std::string& value) { return value.empty() ? Json() : Json(value); };
  return codec;
}

Codec<std::string> choice(const std::vector<std::string>& present,
                          const std::vector<std::string>& later) {
  Codec<std::string> codec;
  codec.type = present.size() == 1 ? "only " + present.front() : "one of " + joined(present);
  codec.read = [present, later](const YamlNode& node) {
    const auto among = [&](const std::vector<std::string>& words) {
      return std::find(words.begin(), words.end(), node.text) != words.end();
    };
    const std::string expected = "must be one of " + joined(present) + ", not " + node.shown();
    if (node.kind != YamlNode::Kind::scalar) node.fail(expected);
    if (among(present)) return node.text;
    if (among(later)) refuse_as_absent(node, joined(present));
    const std::optional<std::string> near = nearest(node.text, present);
    node.fail(expected, near ? "did you mean `" + *near + "`?" : "");
  };
  codec.write = [](const std::string& value) { return Json(value); };
  return codec;
}

void refuse_as_absent(const YamlNode& node, const std::string& present) {
  throw Error(ErrorCode::unsupported, node.path + ": " + node.shown() + " is not there yet",
              node.place, "what this version has: " + present);
}

void check_user_name(const YamlNode& member) {
  const bool good = !member.key.empty() && member.key.size() <= 64 &&
                    std::all_of(member.key.begin(), member.key.end(), [](unsigned char c) {
                      return std::isalnum(c) != 0 || c == '_' || c == '-';
                    });
  if (!good)
    throw Error(ErrorCode::recipe, "the name `" + member.key + "` cannot be used", member.key_place,
                "use letters, digits, _ and - (at most 64)");
}

}  // namespace burnish
