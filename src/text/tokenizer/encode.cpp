// The order of the stages when a text is encoded.
#include <algorithm>

#include "base/error.h"
#include "format/utf8.h"
#include "text/tokenizer/characters.h"
#include "text/tokenizer/pipeline.h"

namespace burnish {
namespace {

bool touches(std::span<const ByteSpan> plain, size_t begin, size_t end) {
  const auto first = std::partition_point(plain.begin(), plain.end(),
                                          [&](const ByteSpan& span) { return span.end <= begin; });
  return first != plain.end() && first->begin < end;
}

void add_token(TokenSequence& out, int32_t id, ByteSpan span) {
  out.ids.push_back(id);
  out.offsets.push_back(span);
}

void add_cut_out(TokenSequence& out, int32_t id, ByteSpan span) {
  out.cut_out.push_back(out.ids.size());
  add_token(out, id, span);
}

}  // namespace

std::unique_ptr<EncodeScratch> ScratchPool::take(const TokenModel& model) {
  {
    const std::lock_guard lock(mutex_);
    if (!free_.empty()) {
      auto scratch = std::move(free_.back());
      free_.pop_back();
      return scratch;
    }
  }
  auto scratch = std::make_unique<EncodeScratch>();
  scratch->model = model.make_scratch();
  return scratch;
}

void ScratchPool::give_back(std::unique_ptr<EncodeScratch> scratch) {
  const std::lock_guard lock(mutex_);
  free_.push_back(std::move(scratch));
}

TokenSequence TokenizerPipeline::encode(std::string_view text,
                                        std::span<const ByteSpan> plain) const {
  if (const size_t at = first_invalid_utf8(text); at < text.size())
    throw Error(ErrorCode::data, "the text is not UTF-8 (byte " + std::to_string(at) + ")");
  // a scratch that saw an exception is not given back
  std::unique_ptr<EncodeScratch> scratch = scratches.take(*model);
  TokenSequence out;
  out.ids.reserve(text.size() / 3);
  out.offsets.reserve(text.size() / 3);
  const auto is_plain = [&](size_t begin, size_t end) { return touches(plain, begin, end); };
  for (const TextPart& part : added_tokens.cut(text, false, is_plain, scratch->regex)) {
    if (part.id >= 0)
      add_cut_out(out, part.id, {part.begin, part.end});
    else
      encode_part(text, {part.begin, part.end}, plain, *scratch, out);
  }
  scratches.give_back(std::move(scratch));
  return out;
}

// A part between added tokens of the raw text.
void TokenizerPipeline::encode_part(std::string_view text, ByteSpan part,
                                    std::span<const ByteSpan> plain, EncodeScratch& scratch,
                                    TokenSequence& out) const {
  PreTokenized pre{AlignedText(text, part), {}};
  if (normalizer) normalizer->apply(pre.text, scratch.regex);
  const auto is_plain = [&](size_t begin, size_t end) {
    const ByteSpan original = pre.text.original(begin, end);
    return touches(plain, original.begin, original.end);
  };
  for (const auto& [begin, end, id] :
       added_tokens.cut(pre.text.text(), true, is_plain, scratch.regex))
    pre.pieces.push_back({begin, end, id});
  if (pre_tokenizer) pre_tokenizer->apply(pre, scratch.regex);
  if (pre.bytes && !model->reads_bytes()) spell_bytes(pre);
  add_pieces(pre, scratch, out);
}

void TokenizerPipeline::add_pieces(const PreTokenized& pre, EncodeScratch& scratch,
                                   TokenSequence& out) const {
  const std::string_view text = pre.text.text();
  for (const Piece& piece : pre.pieces) {
    if (piece.id >= 0) {
      add_cut_out(out, piece.id, pre.text.original(piece.begin, piece.end));
      continue;
    }
    scratch.tokens.clear();
    model->tokenize(text.substr(piece.begin, piece.end - piece.begin), pre.bytes, *scratch.model,
                    scratch.tokens);
    for (const ModelToken& token : scratch.tokens)
      add_token(out, token.id,
                pre.text.original(std::min(piece.begin + token.begin, piece.end),
                                  std::min(piece.begin + token.end, piece.end)));
  }
}

}  // namespace burnish
