#include "text/tokenizer/stream_decoder.h"

#include <algorithm>

namespace burnish {
namespace {

// The part of a decoded text that later ids cannot change: all but U+FFFD at its end.
size_t certain_size(const std::string& text) {
  constexpr std::string_view kReplacement = "\uFFFD";
  std::string_view certain = text;
  while (certain.ends_with(kReplacement)) certain.remove_suffix(kReplacement.size());
  return certain.size();
}

}  // namespace

std::string StreamDecoder::push(int32_t id) {
  ids_.push_back(id);
  const std::string text = tokenizer_.decode(ids_, true);
  const size_t certain = certain_size(text);
  const std::string piece = text_beyond(certain, text);
  if (certain == text.size() && !piece.empty()) {  // the window moves on, so that it stays short
    ids_.erase(ids_.begin(), ids_.begin() + static_cast<std::ptrdiff_t>(given_ids_));
    given_ids_ = ids_.size();
    given_bytes_ = tokenizer_.decode(ids_, true).size();
  }
  return piece;
}

std::string StreamDecoder::finish() {
  const std::string text = tokenizer_.decode(ids_, true);
  return text_beyond(text.size(), text);
}

std::string StreamDecoder::text_beyond(size_t certain, const std::string& text) {
  const size_t begin = std::min(given_bytes_, text.size());
  given_bytes_ = std::max(certain, begin);
  return text.substr(begin, given_bytes_ - begin);
}

}  // namespace burnish
