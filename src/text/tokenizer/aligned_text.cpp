#include "text/tokenizer/aligned_text.h"

#include <utility>

#include "text/tokenizer/characters.h"

namespace burnish {

AlignedText::AlignedText(std::string_view original, ByteSpan span)
    : original_(original), span_(span) {}

ByteSpan AlignedText::original(size_t begin, size_t end) const {
  if (begin >= end) return {span_.begin, span_.begin};
  if (rewritten_) return {origins_[begin].begin, origins_[end - 1].end};
  begin += span_.begin;
  end += span_.begin;
  while (begin > span_.begin && is_continuation(original_[begin])) --begin;
  while (end < span_.end && is_continuation(original_[end])) ++end;
  return {begin, end};
}

void AlignedText::Rewrite::keep(size_t begin, size_t end) {
  const std::string_view text = target_.text();
  text_.append(text, begin, end - begin);
  if (target_.rewritten_) {
    const auto first = target_.origins_.begin();
    origins_.insert(origins_.end(), first + static_cast<ptrdiff_t>(begin),
                    first + static_cast<ptrdiff_t>(end));
    return;
  }
  for (size_t at = begin; at < end;) {
    const size_t length = character_at(text, at).length;
    const size_t origin = target_.span_.begin + at;
    origins_.insert(origins_.end(), length, {origin, origin + length});
    at += length;
  }
}

void AlignedText::Rewrite::put(std::string_view text, ByteSpan origin) {
  text_.append(text);
  limit_.check(text_.size());
  origins_.insert(origins_.end(), text.size(), origin);
}

void AlignedText::Rewrite::put(char32_t code, ByteSpan origin) {
  append_character(text_, code);
  limit_.check(text_.size());
  origins_.resize(text_.size(), origin);
}

void AlignedText::Rewrite::commit() {
  target_.text_ = std::move(text_);
  target_.origins_ = std::move(origins_);
  target_.rewritten_ = true;
}

}  // namespace burnish
