// From Oniguruma's regular expressions to PCRE2's: only what the two read differently is touched.
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "text/tokenizer/newer_unicode.h"
#include "text/tokenizer/regex.h"

namespace burnish {
namespace {

// PCRE2's own \s has U+180E, its \w no combining marks; \h is a hexadecimal digit in Oniguruma.
constexpr std::string_view kSpace = R"(\p{White_Space})";
constexpr std::string_view kNoSpace = R"(\P{White_Space})";
constexpr std::string_view kWord = R"(\p{Alphabetic}\p{M}\p{Nd}\p{Pc})";
constexpr std::string_view kHex = "0-9a-fA-F";

class Translator {
 public:
  Translator(std::string_view pattern, const std::string& where)
      : pattern_(pattern), where_(where) {}

  std::string run() {
    while (at_ < pattern_.size()) item();
    return std::move(out_);
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const {
    throw Error(ErrorCode::unsupported,
                what + " in the regular expression \"" + std::string(pattern_) + "\"", where_);
  }

  char next(size_t ahead = 0) const {
    return at_ + ahead < pattern_.size() ? pattern_[at_ + ahead] : '\0';
  }
  bool follows(std::string_view text) const { return pattern_.substr(at_).starts_with(text); }
  void copy(size_t count) {
    out_.append(pattern_.substr(at_, count));
    at_ += count;
  }

  void item() {
    switch (next()) {
      case '\\':
        return begin_atom(), escape();
      case '[':
        return begin_atom(), bracket();
      case '(':
        return group();
      case ')':
        if (!open_.empty()) {
          atom_ = open_.back();
          open_.pop_back();
        }
        return copy(1);
      case '{':
        return interval();
      case '*':
      case '+':
      case '?':
      case '|':
        return copy(1);
      default:
        return begin_atom(), character();
    }
  }

  void begin_atom() { atom_ = out_.size(); }

  void character() {
    copy(1);
    while (at_ < pattern_.size() && (static_cast<unsigned char>(next()) & 0xC0) == 0x80) copy(1);
  }

  void group() {
    open_.push_back(out_.size());
    if (follows("(?m")) {
      out_ += "(?s";
      at_ += 3;
    } else {
      copy(follows("(?") ? 2 : 1);
    }
  }

  // {n}, {n,}, {,m}, {n,m}; anything else is a literal brace. A + behind it repeats the whole.
  void interval() {
    size_t end = at_ + 1;
    size_t digits = 0;
    for (; end < pattern_.size(); ++end) {
      const char c = pattern_[end];
      if (c >= '0' && c <= '9')
        ++digits;
      else if (c != ',')
        break;
    }
    if (digits == 0 || end >= pattern_.size() || pattern_[end] != '}')
      return begin_atom(), void(out_ += "\\{"), void(++at_);
    std::string count(pattern_.substr(at_, end + 1 - at_));
    if (count[1] == ',') count.insert(1, "0");
    out_ += count;
    at_ = end + 1;
    if (next() == '+') {
      out_.insert(atom_, "(?:");
      out_ += ")";
    }
  }

  void escape() {
    const char kind = next(1);
    const auto replace = [&](std::string_view text) {
      out_ += text;
      at_ += 2;
    };
    const std::string word = "[" + std::string(kWord) + "]", hex = std::string(kHex);
    switch (kind) {
      case 's':
        return replace(kSpace);
      case 'S':
        return replace(kNoSpace);
      case 'w':
        return replace(word);
      case 'W':
        return replace("[^" + std::string(kWord) + "]");
      case 'h':
        return replace("[" + hex + "]");
      case 'H':
        return replace("[^" + hex + "]");
      case 'b':
        return replace("(?:(?<=" + word + ")(?!" + word + ")|(?<!" + word + ")(?=" + word + "))");
      case 'B':
        return replace("(?:(?<=" + word + ")(?=" + word + ")|(?<!" + word + ")(?!" + word + "))");
      case 'O':
        return replace("(?s:.)");
      case 'u':
        return code_point();
      case 'p':
      case 'P':
        return property(false);
      case 'y':
      case 'Y':
      case 'K':
      case 'g':
      case 'N':
        refuse(std::string("\\") + kind + " is not supported");
      default:
        plain_escape();
    }
  }

  void plain_escape() {
    if (at_ + 1 >= pattern_.size()) return copy(1);
    copy(1);
    character();
  }

  // \uHHHH
  void code_point() {
    const std::string_view digits = pattern_.substr(at_ + 2, 4);
    if (digits.size() < 4 || digits.find_first_not_of("0123456789abcdefABCDEF") != digits.npos)
      refuse("\\u without four hexadecimal digits");
    out_ += "\\x{" + std::string(digits) + "}";
    at_ += 6;
  }

  void add_property(std::string_view name, bool negated, bool in_class) {
    const std::string property = "\\p{" + std::string(name) + "}";
    const std::string newer = name.size() <= 2 ? newer_members_of(name) : "";
    if (newer.empty())
      out_ += negated ? "\\P{" + std::string(name) + "}" : property;
    else if (!in_class)
      out_ += (negated ? "[^" : "[") + property + newer + "]";
    else if (!negated)
      out_ += property + newer;
    else
      out_ += "\\P{" + std::string(name) + "}";  // the newer ones count as outside
  }

  // Names of Oniguruma's own: Alpha, Space, ... ; the rest are Unicode's, as in PCRE2.
  void property(bool in_class) {
    const size_t end = pattern_.find('}', at_);
    if (next(2) != '{' || end == std::string_view::npos) return plain_escape();
    bool negated = next(1) == 'P';
    std::string_view name = pattern_.substr(at_ + 3, end - at_ - 3);
    if (name.starts_with("^")) {
      negated = !negated;
      name.remove_prefix(1);
    }
    if (name == "Alpha") name = "Alphabetic";
    if (name == "Space") name = "White_Space";
    if (name == "Digit") name = "Nd";
    if (name == "Upper") name = "Uppercase";
    if (name == "Lower") name = "Lowercase";
    add_property(name, negated, in_class);
    at_ = end + 1;
  }

  // [...]: the members of a nested class join the outer one.
  void bracket() {
    copy(1);
    if (next() == '^') copy(1);
    class_members(/*depth=*/0);
    out_ += "]";
  }

  // Up to the closing bracket, which is read but not written.
  void class_members(int depth) {
    if (depth > 8) refuse("classes nested deeper than 8");
    bool first = true;
    for (; at_ < pattern_.size(); first = false) {
      if (next() == ']' && !first) return void(++at_);
      if (next() == ']') {
        out_ += "\\]";
        ++at_;
      } else if (follows("&&")) {
        refuse("the intersection && of classes is not supported");
      } else if (follows("[:")) {
        posix_class();
      } else if (next() == '[') {
        if (next(1) == '^') refuse("a negated class inside a class is not supported");
        ++at_;
        class_members(depth + 1);
      } else if (next() == '\\') {
        class_escape();
      } else {
        character();
      }
    }
    throw Error(ErrorCode::model,
                "a class without its closing bracket in \"" + std::string(pattern_) + "\"", where_);
  }

  void posix_class() {
    const size_t end = pattern_.find(":]", at_);
    if (end == std::string_view::npos) return void(out_ += "\\["), void(++at_);
    if (follows("[:space:]")) {
      out_ += kSpace;
      at_ = end + 2;
    } else {
      copy(end + 2 - at_);
    }
  }

  void class_escape() {
    const auto replace = [&](std::string_view text) {
      out_ += text;
      at_ += 2;
    };
    switch (next(1)) {
      case 's':
        return replace(kSpace);
      case 'S':
        return replace(kNoSpace);
      case 'w':
        return replace(kWord);
      case 'h':
        return replace(kHex);
      case 'W':
      case 'H':
        refuse(std::string("\\") + next(1) + " inside a class is not supported");
      case 'u':
        return code_point();
      case 'p':
      case 'P':
        return property(true);
      default:
        plain_escape();
    }
  }

  std::string_view pattern_;
  const std::string& where_;
  std::string out_;
  size_t at_ = 0;
  size_t atom_ = 0;           // where in out_ the last atom begins
  std::vector<size_t> open_;  // where the open groups begin
};

}  // namespace

std::string to_pcre2_syntax(std::string_view pattern, const std::string& where) {
  return Translator(pattern, where).run();
}

}  // namespace burnish
