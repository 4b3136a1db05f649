#include "text/template/tagged_text.h"

#include "text/template/unicode.h"

namespace burnish::jinja {

const Run* Str::run_of(uint32_t byte) const {
  if (run_count == 1) return runs;
  return std::upper_bound(runs, runs + run_count - 1, base + byte,
                          [](uint32_t position, const Run& run) { return position < run.end; });
}

const Tag& Str::tag_at(uint32_t byte) const {
  return run_of(byte)->tag;
}

uint32_t Str::character_count() const {
  if (characters == UINT32_MAX) characters = static_cast<uint32_t>(count_characters(view()));
  return characters;
}

const Str* make_text(Arena& arena, std::string_view bytes, const Run* run) {
  if (bytes.size() > arena.text_limit()) fail("OverflowError", "a text is too long");
  return arena.make<Str>(bytes.data(), static_cast<uint32_t>(bytes.size()), 0u, run, 1u);
}

const Str* slice_text(Arena& arena, const Str& text, size_t begin, size_t end) {
  end = std::min<size_t>(end, text.size);
  begin = std::min(begin, end);
  if (begin == 0 && end == text.size) return &text;
  Str* piece = arena.make<Str>(text);
  piece->data += begin;
  piece->size = static_cast<uint32_t>(end - begin);
  piece->base += static_cast<uint32_t>(begin);
  piece->characters = text.characters == text.size ? piece->size : UINT32_MAX;
  piece->buffer = nullptr;
  return piece;
}

const Str* with_markup(Arena& arena, const Str& text, bool markup) {
  if (text.markup == markup) return &text;
  Str* same = arena.make<Str>(text);
  same->markup = markup;
  same->buffer = nullptr;
  return same;
}

const Str* concatenate(Arena& arena, const Str& left, const Str& right) {
  if (right.size == 0) return &left;
  if (left.size == 0) return &right;
  TextBuffer* buffer = left.buffer;
  if (buffer != nullptr && buffer->data == left.data && buffer->size == left.size) {
    TextBuilder builder(arena, buffer);
    builder.append(right);
    return builder.finish();
  }
  const size_t size = size_t{left.size} + right.size;
  // a short text is rarely added to again and again; a long one leaves room to grow
  TextBuilder builder(arena, size < 512 ? size : size + size / 2);
  builder.append(left);
  builder.append(right);
  return builder.finish();
}

TextBuilder::TextBuilder(Arena& arena, size_t reserve) : arena_(arena) {
  const size_t capacity = std::min(std::max<size_t>(reserve, 32), arena.text_limit());
  buffer_ =
      arena.make<TextBuffer>(arena.allocate_array<char>(capacity), 0u,
                             static_cast<uint32_t>(capacity), arena.allocate_array<Run>(2), 0u, 2u);
}

void TextBuilder::reserve(size_t more) {
  const size_t needed = buffer_->size + more;
  if (needed <= buffer_->capacity) return;
  if (needed > arena_.text_limit()) {
    fail("OverflowError",
         "a text of the template grows beyond " + std::to_string(arena_.text_limit()) + " bytes");
  }
  const size_t capacity =
      std::min(std::max(needed, size_t{buffer_->capacity} * 2), arena_.text_limit());
  char* data = arena_.allocate_array<char>(capacity);
  if (buffer_->size != 0) std::memcpy(data, buffer_->data, buffer_->size);
  buffer_->data = data;
  buffer_->capacity = static_cast<uint32_t>(capacity);
}

void TextBuilder::append(std::string_view bytes, const Tag& tag) {
  if (bytes.empty()) return;
  reserve(bytes.size());
  std::memcpy(buffer_->data + buffer_->size, bytes.data(), bytes.size());
  buffer_->size += static_cast<uint32_t>(bytes.size());

  Tag own = tag;
  if (generation_ != 0) own.generation = generation_;
  if (buffer_->run_count > 0 && buffer_->runs[buffer_->run_count - 1].tag == own) {
    buffer_->runs[buffer_->run_count - 1].end = buffer_->size;
    return;
  }
  if (buffer_->run_count == buffer_->run_capacity) {
    Run* runs = arena_.allocate_array<Run>(size_t{buffer_->run_capacity} * 2);
    std::copy_n(buffer_->runs, buffer_->run_count, runs);
    buffer_->runs = runs;
    buffer_->run_capacity *= 2;
  }
  new (&buffer_->runs[buffer_->run_count++]) Run{buffer_->size, own};
}

void TextBuilder::append(const Str& text, size_t begin, size_t end) {
  text.for_each_piece([this](std::string_view piece, const Tag& tag) { append(piece, tag); },
                      static_cast<uint32_t>(std::min<size_t>(begin, text.size)),
                      static_cast<uint32_t>(std::min<size_t>(end, text.size)));
}

void TextBuilder::repeat(std::string_view bytes, size_t count, const Tag& tag) {
  if (bytes.empty() || count == 0) return;
  if (count > arena_.text_limit() / bytes.size()) {
    fail("OverflowError", "a text repeated " + std::to_string(count) + " times is too long");
  }
  reserve(bytes.size() * count);
  for (size_t i = 0; i < count; ++i) append(bytes, tag);
}

const Str* TextBuilder::finish(bool markup) {
  if (buffer_->size == 0) {
    Str* empty = arena_.make<Str>(buffer_->data, 0u, 0u, &kTemplateRun, 1u);
    empty->markup = markup;
    return empty;
  }
  Str* text = arena_.make<Str>(buffer_->data, buffer_->size, 0u, buffer_->runs, buffer_->run_count);
  text->buffer = buffer_;
  text->markup = markup;
  return text;
}

}  // namespace burnish::jinja
