#include "text/tokenizer/pattern.h"

#include <algorithm>
#include <utility>

#include "text/tokenizer/characters.h"

namespace burnish {

Pattern Pattern::regex(std::string_view expression, std::string where) {
  Pattern pattern;
  pattern.regex_ = Regex(expression, std::move(where));
  return pattern;
}

Pattern Pattern::string(std::string text) {
  Pattern pattern;
  pattern.string_ = std::move(text);
  return pattern;
}

Pattern Pattern::from_json(const JsonValue& json) {
  if (const JsonValue expression = json["Regex"]; !expression.is_null())
    return regex(expression.string(), expression.where());
  return string(json["String"].string());
}

std::optional<ByteSpan> Pattern::find(std::string_view text, size_t from,
                                      RegexScratch& scratch) const {
  if (regex_) return regex_->find(text, from, scratch);
  const size_t begin = string_.empty() ? std::string_view::npos : text.find(string_, from);
  if (begin == std::string_view::npos) return std::nullopt;
  return ByteSpan{begin, begin + string_.size()};
}

size_t Pattern::after_character(std::string_view text, size_t at) {
  return at + (at < text.size() ? character_at(text, at).length : 1);
}

std::vector<ByteSpan> Split::parts(std::string_view text, RegexScratch& scratch) const {
  struct Part {
    ByteSpan span;
    bool is_delimiter;
  };
  std::vector<Part> parts;
  size_t end = 0;
  pattern.for_each_match(text, scratch, [&](size_t match_begin, size_t match_end) {
    if (end != match_begin) parts.push_back({{end, match_begin}, invert});
    parts.push_back({{match_begin, match_end}, !invert});
    end = match_end;
  });
  if (end != text.size()) parts.push_back({{end, text.size()}, invert});

  std::vector<ByteSpan> kept;
  const bool backwards = behavior == SplitBehavior::merged_with_next;
  if (backwards) std::reverse(parts.begin(), parts.end());
  bool previous = false;
  for (const auto& [span, is_delimiter] : parts) {
    bool joins = false;  // the part that was kept last
    if (behavior == SplitBehavior::contiguous)
      joins = is_delimiter == previous;
    else if (behavior != SplitBehavior::isolated && behavior != SplitBehavior::removed)
      joins = is_delimiter && !previous;
    previous = is_delimiter;
    if (behavior == SplitBehavior::removed && is_delimiter) continue;
    if (!joins || kept.empty())
      kept.push_back(span);
    else if (backwards)
      kept.back().begin = span.begin;
    else
      kept.back().end = span.end;
  }
  if (backwards) std::reverse(kept.begin(), kept.end());
  return kept;
}

}  // namespace burnish
