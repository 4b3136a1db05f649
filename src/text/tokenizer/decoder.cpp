#include "text/tokenizer/decoder.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>
#include <utility>

#include "format/utf8.h"
#include "text/tokenizer/byte_alphabet.h"
#include "text/tokenizer/characters.h"
#include "text/tokenizer/growth_limit.h"
#include "text/tokenizer/pattern.h"

namespace burnish {
namespace {

using Parts = std::vector<std::string>;

size_t size_of(const Parts& parts) {
  size_t size = 0;
  for (const std::string& part : parts) size += part.size();
  return size;
}

class JoinWithSpaces : public Decoder {
 public:
  void apply(Parts& parts) const override {
    for (size_t i = 1; i < parts.size(); ++i) parts[i].insert(0, 1, ' ');
  }
};

class ByteLevel : public Decoder {
 public:
  void apply(Parts& parts) const override {
    for (std::string& part : parts) part = ByteAlphabet::get().read(part).value_or(part);
    for (size_t i = 1; i < parts.size(); ++i) parts[0] += parts[i];
    parts.resize(std::min<size_t>(parts.size(), 1));
    for (std::string& part : parts) part = with_replacement_characters(part);
  }
};

class Fuse : public Decoder {
 public:
  void apply(Parts& parts) const override {
    for (size_t i = 1; i < parts.size(); ++i) parts[0] += parts[i];
    parts.resize(std::min<size_t>(parts.size(), 1));
  }
};

// Runs of tokens <0xNN> become the characters that they spell, or one U+FFFD for each byte.
class ByteFallback : public Decoder {
 public:
  void apply(Parts& parts) const override {
    Parts result;
    std::string bytes;
    const auto end_run = [&] {
      if (is_utf8(bytes))
        result.push_back(bytes);
      else
        result.insert(result.end(), bytes.size(), "\uFFFD");
      bytes.clear();
    };
    for (std::string& part : parts) {
      if (const auto byte = byte_of(part)) {
        bytes += *byte;
        continue;
      }
      if (!bytes.empty()) end_run();
      result.push_back(std::move(part));
    }
    if (!bytes.empty()) end_run();
    parts = std::move(result);
  }

 private:
  static std::optional<char> byte_of(std::string_view token) {
    if (token.size() != 6 || !token.starts_with("<0x") || token[5] != '>') return std::nullopt;
    uint8_t byte = 0;
    const char* end = token.data() + 5;
    const auto [stop, error] = std::from_chars(token.data() + 3, end, byte, 16);
    if (error != std::errc() || stop != end) return std::nullopt;
    return static_cast<char>(byte);
  }
};

class Replace : public Decoder {
 public:
  Replace(Pattern pattern, std::string content)
      : pattern_(std::move(pattern)), content_(std::move(content)) {}

  void apply(Parts& parts) const override {
    RegexScratch scratch;
    const GrowthLimit limit(size_of(parts));
    size_t size = 0;  // of the parts that are done
    for (std::string& part : parts) {
      part = replaced(part, scratch, limit, size);
      size += part.size();
    }
  }

 private:
  std::string replaced(const std::string& text, RegexScratch& scratch, const GrowthLimit& limit,
                       size_t before) const {
    std::string result;
    size_t kept = 0;
    pattern_.for_each_match(text, scratch, [&](size_t begin, size_t end) {
      result.append(text, kept, begin - kept).append(content_);
      limit.check(before + result.size());
      kept = end;
    });
    return result.append(text, kept);
  }

  Pattern pattern_;
  std::string content_;
};

// Takes up to `start` of the character from the begin of every part, and up to `stop` from its end.
class Strip : public Decoder {
 public:
  Strip(std::string character, int64_t start, int64_t stop)
      : character_(std::move(character)), start_(start), stop_(stop) {}

  void apply(Parts& parts) const override {
    for (std::string& part : parts) {
      std::string_view left = part;
      for (int64_t i = 0; i < start_ && left.starts_with(character_); ++i)
        left.remove_prefix(character_.size());
      for (int64_t i = 0; i < stop_ && left.ends_with(character_); ++i)
        left.remove_suffix(character_.size());
      if (left.size() < part.size()) part = std::string(left);
    }
  }

 private:
  std::string character_;
  int64_t start_, stop_;
};

class Metaspace : public Decoder {
 public:
  Metaspace(std::string replacement, bool strips_first)
      : replacement_(std::move(replacement)), strips_first_(strips_first) {}

  void apply(Parts& parts) const override {
    for (size_t i = 0; i < parts.size(); ++i)
      parts[i] = replaced(parts[i], i == 0 && strips_first_ ? "" : " ");
  }

 private:
  std::string replaced(std::string_view text, std::string_view with) const {
    std::string result;
    for (size_t next; (next = text.find(replacement_)) != std::string_view::npos;) {
      result.append(text.substr(0, next)).append(with);
      text.remove_prefix(next + replacement_.size());
    }
    return result.append(text);
  }

  std::string replacement_;
  bool strips_first_;
};

class Sequence : public Decoder {
 public:
  explicit Sequence(std::vector<std::unique_ptr<Decoder>> members) : members_(std::move(members)) {}
  void apply(Parts& parts) const override {
    const GrowthLimit limit(size_of(parts));
    for (const auto& member : members_) {
      member->apply(parts);
      limit.check(size_of(parts));
    }
  }

 private:
  std::vector<std::unique_ptr<Decoder>> members_;
};

std::string one_character(const JsonValue& json) {
  const std::string& text = json.string();
  if (text.empty() || character_at(text, 0).length != text.size())
    json.refuse("one character is needed, not \"" + text + "\"");
  return text;
}

bool strips_first_space(const JsonValue& json) {
  return json["prepend_scheme"].string_or("always") != "never" &&
         json["add_prefix_space"].boolean_or(true);
}

using Members = std::vector<std::unique_ptr<Decoder>>;

// Sequences within sequences become one, so that one limit holds for all their members.
void add(const JsonValue& json, int depth, Members& members) {
  constexpr int64_t kMost = std::numeric_limits<int32_t>::max();
  const std::string& type = json["type"].string();
  if (type == "ByteLevel") {
    members.push_back(std::make_unique<ByteLevel>());
  } else if (type == "Fuse") {
    members.push_back(std::make_unique<Fuse>());
  } else if (type == "ByteFallback") {
    members.push_back(std::make_unique<ByteFallback>());
  } else if (type == "Replace") {
    members.push_back(
        std::make_unique<Replace>(Pattern::from_json(json["pattern"]), json["content"].string()));
  } else if (type == "Strip") {
    members.push_back(std::make_unique<Strip>(one_character(json["content"]),
                                              json["start"].integer(0, kMost),
                                              json["stop"].integer(0, kMost)));
  } else if (type == "Metaspace") {
    members.push_back(
        std::make_unique<Metaspace>(one_character(json["replacement"]), strips_first_space(json)));
  } else if (type == "Sequence") {
    if (depth >= kDeepestSequence) json.refuse("the sequences are nested too deep");
    for (const JsonValue& member : json["decoders"].items()) add(member, depth + 1, members);
  } else {
    json.unsupported("the decoder '" + type + "' is not there yet");
  }
}

}  // namespace

std::unique_ptr<Decoder> make_decoder(const JsonValue& json) {
  if (json.is_null()) return std::make_unique<JoinWithSpaces>();
  Members members;
  add(json, 0, members);
  return std::make_unique<Sequence>(std::move(members));
}

}  // namespace burnish
