#include "data/generation_prompt.h"

#include <algorithm>
#include <utility>

#include "base/error.h"

namespace burnish {
namespace {

std::optional<std::string> try_render(const TextFiles& text, const RenderInput& input) {
  try {
    return text.chat_template->render(input).text;
  } catch (const Error& error) {
    if (error.code() != ErrorCode::data) throw;
    return {};
  }
}

// What `longer` has behind the tokens that both begin with. By tokens: an end-of-text token and a
// header may share their first characters.
std::string behind_common_tokens(const Tokenizer& tokenizer, const std::string& longer,
                                 const std::string& shorter) {
  if (longer.compare(0, shorter.size(), shorter) == 0) return longer.substr(shorter.size());
  const Encoding a = tokenizer.encode(longer), b = tokenizer.encode(shorter);
  size_t common = 0, end = 0;
  while (common < std::min(a.ids.size(), b.ids.size()) && a.ids[common] == b.ids[common])
    end = a.offsets[common++].end;
  return longer.substr(end);
}

std::string difference(const TextFiles& text, RenderInput input, const std::string& plain) {
  input.add_generation_prompt = true;
  const auto prompted = try_render(text, input);
  return prompted ? behind_common_tokens(text.tokenizer, *prompted, plain) : "";
}

bool is_space(char c) {
  return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

}  // namespace

GenerationPrompt::GenerationPrompt(const TextFiles& text, const RenderInput& input,
                                   const std::string& plain)
    : text_(difference(text, input, plain)) {
  if (text_.empty()) {
    RenderInput shorter = input;
    while (!shorter.messages.empty() && shorter.messages.back()["role"] == "assistant")
      shorter.messages.erase(shorter.messages.size() - 1);
    if (!shorter.messages.empty() && shorter.messages.size() < input.messages.size())
      if (const auto without = try_render(text, shorter))
        text_ = difference(text, std::move(shorter), *without);
  }
  if (!text_.empty()) find_shorter_forms(text.tokenizer);
}

void GenerationPrompt::find_shorter_forms(const Tokenizer& tokenizer) {
  const Encoding encoding = tokenizer.encode(text_);
  forms_.push_back(text_);
  for (size_t t = encoding.ids.size(); t-- > 0;) {
    const size_t end = encoding.offsets[t].end;
    if (end == 0 || end >= text_.size()) continue;
    const bool beside_special =
        tokenizer.is_special(encoding.ids[t]) ||
        (t + 1 < encoding.ids.size() && tokenizer.is_special(encoding.ids[t + 1]));
    if (beside_special || is_space(text_[end - 1])) forms_.push_back(text_.substr(0, end));
  }
}

std::optional<size_t> GenerationPrompt::end_in(std::string_view text, const Bounds& bounds) const {
  for (const std::string& form : forms_) {
    if (bounds.latest_end < bounds.begin + form.size()) continue;
    const size_t last = std::min(bounds.latest_begin, bounds.latest_end - form.size());
    const size_t at = text.rfind(form, last);
    if (at != std::string_view::npos && at >= bounds.begin &&
        at + form.size() >= bounds.earliest_end)
      return at + form.size();
  }
  return {};
}

}  // namespace burnish
