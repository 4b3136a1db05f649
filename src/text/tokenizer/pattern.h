// What a Split or a Replace looks for: a regular expression or a plain string.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text/tokenizer/json_value.h"
#include "text/tokenizer/regex.h"

namespace burnish {

class Pattern {
 public:
  static Pattern regex(std::string_view expression, std::string where);
  static Pattern string(std::string text);
  /// {"Regex": ...} or {"String": ...}
  static Pattern from_json(const JsonValue& json);

  /// Calls `found(begin, end)` for every match, from left to right, without overlap. An empty match
  /// right behind another match does not count.
  template <class Found>
  void for_each_match(std::string_view text, RegexScratch& scratch, Found&& found) const {
    size_t from = 0;
    std::optional<size_t> last_end;
    while (from <= text.size()) {
      const std::optional<ByteSpan> match = find(text, from, scratch);
      if (!match) return;
      if (match->begin == match->end && last_end == match->end) {
        from = after_character(text, from);
        continue;
      }
      found(match->begin, match->end);
      from = match->end;
      last_end = match->end;
    }
  }

 private:
  std::optional<ByteSpan> find(std::string_view text, size_t from, RegexScratch& scratch) const;
  static size_t after_character(std::string_view text, size_t at);

  std::optional<Regex> regex_;
  std::string string_;
};

/// What happens to the matches when a text is split.
enum class SplitBehavior { removed, isolated, merged_with_previous, merged_with_next, contiguous };

struct Split {
  Pattern pattern;
  SplitBehavior behavior;
  bool invert = false;  ///< the parts between the matches are the delimiters

  /// Calls `part(begin, end)` for every part that is kept and not empty, from left to right.
  template <class Part>
  void for_each_part(std::string_view text, RegexScratch& scratch, Part&& part) const {
    if (behavior == SplitBehavior::isolated) {  // the common one, without a list
      size_t end = 0;
      pattern.for_each_match(text, scratch, [&](size_t match_begin, size_t match_end) {
        if (end < match_begin) part(end, match_begin);
        if (match_begin < match_end) part(match_begin, match_end);
        end = match_end;
      });
      if (end < text.size()) part(end, text.size());
      return;
    }
    for (const ByteSpan& span : parts(text, scratch))
      if (span.begin < span.end) part(span.begin, span.end);
  }

 private:
  std::vector<ByteSpan> parts(std::string_view text, RegexScratch& scratch) const;
};

}  // namespace burnish
