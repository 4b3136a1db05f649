// A text on its way through the pipeline: for each of its bytes, the bytes of the original that it
// stands for. Normalizers rewrite it; offsets of tokens are read from it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "text/span.h"
#include "text/tokenizer/growth_limit.h"

namespace burnish {

class AlignedText {
 public:
  /// Part `span` of the original, unchanged. The original must outlive this.
  AlignedText(std::string_view original, ByteSpan span);

  std::string_view text() const {
    return rewritten_ ? std::string_view(text_)
                      : original_.substr(span_.begin, span_.end - span_.begin);
  }
  /// Where this text lies in the original.
  ByteSpan span() const { return span_; }

  /// The bytes of the original that the bytes [begin, end) come from: whole characters.
  ByteSpan original(size_t begin, size_t end) const;

  /// Builds the text that replaces this one, from left to right.
  class Rewrite {
   public:
    explicit Rewrite(AlignedText& target)
        : target_(target), limit_(target.span_.end - target.span_.begin) {}
    /// Keeps the bytes [begin, end).
    void keep(size_t begin, size_t end);
    /// Puts `text`, all of it standing for `origin`. @throws Error(data) when it gets far too long.
    void put(std::string_view text, ByteSpan origin);
    void put(char32_t code, ByteSpan origin);
    size_t size() const { return text_.size(); }
    void commit();

   private:
    AlignedText& target_;
    GrowthLimit limit_;
    std::string text_;
    std::vector<ByteSpan> origins_;
  };

 private:
  std::string_view original_;
  ByteSpan span_;
  bool rewritten_ = false;
  std::string text_;
  std::vector<ByteSpan> origins_;  // of each byte of text_
};

}  // namespace burnish
