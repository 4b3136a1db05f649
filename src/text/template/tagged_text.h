// Text that knows, for every byte, where it comes from.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "text/template/arena.h"
#include "text/template/origin.h"

namespace burnish::jinja {

/// The origin of a byte, and the {% generation %} block that wrote it (counted from 1; 0: none).
struct Tag {
  int32_t message = -1;
  uint32_t generation = 0;
  Part part = Part::template_text;
  bool operator==(const Tag&) const = default;
};

/// `end` counts bytes from the start of the buffer that the text was cut from.
struct Run {
  uint32_t end;
  Tag tag;
};

/// One run that covers any text: for texts of a single origin.
inline constexpr uint32_t kEndless = UINT32_MAX;
inline constexpr Run kTemplateRun{kEndless, Tag{}};

/// A buffer that a text at its end may grow into, so that `text + more` in a loop stays linear.
struct TextBuffer {
  char* data;
  uint32_t size, capacity;
  Run* runs;
  uint32_t run_count, run_capacity;
};

/// An immutable UTF-8 text. `runs` covers [base, base + size) in order; its last run may reach
/// further. Slices share bytes and runs with the text they were cut from.
struct Str {
  const char* data;
  uint32_t size;
  uint32_t base;
  const Run* runs;
  uint32_t run_count;
  mutable uint32_t characters = UINT32_MAX;  ///< counted when first needed
  TextBuffer* buffer = nullptr;
  bool markup = false;  ///< MarkupSafe's Markup: it escapes what is added to it

  std::string_view view() const { return {data, size}; }
  const Tag& tag_at(uint32_t byte) const;
  /// The tag of the first byte; template text if there is none.
  Tag tag() const { return size == 0 ? Tag{} : tag_at(0); }
  uint32_t character_count() const;
  bool is_ascii() const { return character_count() == size; }

  /// Calls `visit(std::string_view piece, const Tag&)` for each stretch of one origin.
  template <class Visit>
  void for_each_piece(Visit visit, uint32_t begin = 0, uint32_t end = UINT32_MAX) const {
    end = std::min(end, size);
    for (const Run* run = run_of(begin); begin < end; ++run) {
      const uint32_t stop = std::min(end, run->end == kEndless ? end : run->end - base);
      if (stop > begin) visit(std::string_view(data + begin, stop - begin), run->tag);
      begin = std::max(begin, stop);
    }
  }

 private:
  const Run* run_of(uint32_t byte) const;
};

/// A text of a single origin; the bytes must outlive it.
const Str* make_text(Arena& arena, std::string_view bytes, const Run* run = &kTemplateRun);

/// Bytes [begin, end) of `text`, without copying.
const Str* slice_text(Arena& arena, const Str& text, size_t begin, size_t end);

const Str* concatenate(Arena& arena, const Str& left, const Str& right);

/// The same text with the markup flag as wanted.
const Str* with_markup(Arena& arena, const Str& text, bool markup);

/// Builds a text from pieces, joining neighbours of one origin.
class TextBuilder {
 public:
  explicit TextBuilder(Arena& arena, size_t reserve = 0);

  void append(std::string_view bytes, const Tag& tag);
  void append(const Str& text, size_t begin = 0, size_t end = SIZE_MAX);
  void repeat(std::string_view bytes, size_t count, const Tag& tag);

  /// While it is set, everything appended belongs to that generation block.
  void set_generation(uint32_t number) { generation_ = number; }
  uint32_t generation() const { return generation_; }

  size_t size() const { return buffer_->size; }
  const Str* finish(bool markup = false);

 private:
  friend const Str* concatenate(Arena&, const Str&, const Str&);
  TextBuilder(Arena& arena, TextBuffer* buffer) : arena_(arena), buffer_(buffer) {}
  void reserve(size_t more);

  Arena& arena_;
  TextBuffer* buffer_;
  uint32_t generation_ = 0;
};

}  // namespace burnish::jinja
