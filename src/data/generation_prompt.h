// The text that a template writes where the model is to go on: "<|im_start|>assistant\n" and the
// like. Got by rendering, never from a list of known templates.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text/load.h"

namespace burnish {

class GenerationPrompt {
 public:
  /// Renders `input` with and without add_generation_prompt: what comes more is the prompt. Where a
  /// template writes none behind an assistant message, or refuses, the messages up to the last one
  /// of the user are tried. Empty for templates that have none.
  /// @param plain the rendering of `input` without the prompt
  GenerationPrompt(const TextFiles& text, const RenderInput& input, const std::string& plain);

  const std::string& text() const { return text_; }

  /// Where in `text` an answer starts: right behind the last occurrence of the prompt that begins
  /// in [begin, latest_begin] and ends in [earliest_end, latest_end]; the caller gives bounds
  /// within which all text is the template's. A template may write less of the prompt in front of
  /// earlier turns (it leaves out an opened thinking block): then behind the longest beginning of
  /// the prompt that ends with white space or beside a special token.
  struct Bounds {
    size_t begin, latest_begin, earliest_end, latest_end;
  };
  std::optional<size_t> end_in(std::string_view text, const Bounds& bounds) const;

 private:
  void find_shorter_forms(const Tokenizer& tokenizer);
  std::string text_;
  std::vector<std::string> forms_;  ///< the prompt, then its accepted beginnings, longest first
};

}  // namespace burnish
