// Regular expressions of tokenizer.json: written for Oniguruma, run by PCRE2 with its compiler.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "text/span.h"

struct pcre2_real_code_8;

namespace burnish {

/// What a search writes to; one for each thread that searches.
class RegexScratch {
 public:
  RegexScratch();
  RegexScratch(RegexScratch&&) noexcept;
  RegexScratch& operator=(RegexScratch&&) noexcept;
  ~RegexScratch();

 private:
  friend class Regex;
  struct State;
  std::unique_ptr<State> state_;
};

class Regex {
 public:
  /// @param pattern in Oniguruma's syntax
  /// @param where   file and key, for errors
  /// @throws Error(model) for a pattern that does not compile; Error(unsupported) for a construct
  /// that PCRE2 reads otherwise and that cannot be rewritten.
  Regex(std::string_view pattern, std::string where);

  /// The first match that begins at or after byte `start`; look-behind sees `text` from its start.
  /// `text` is well-formed UTF-8. Thread-safe. @throws Error(data) if a match limit is reached.
  std::optional<ByteSpan> find(std::string_view text, size_t start, RegexScratch& scratch) const;

 private:
  std::shared_ptr<pcre2_real_code_8> code_;
  std::string where_;
};

/// The same expression in PCRE2's syntax, to be compiled with UTF, UCP and MULTILINE. White space,
/// words and hexadecimal digits become explicit classes; nested classes are flattened; `{n,m}+`
/// repeats (it is not possessive); (?m) is the dot that matches a newline.
std::string to_pcre2_syntax(std::string_view pattern, const std::string& where);

}  // namespace burnish
