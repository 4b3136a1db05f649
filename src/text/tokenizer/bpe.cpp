#include "text/tokenizer/bpe.h"

#include <algorithm>
#include <functional>
#include <limits>

#include "base/error.h"
#include "text/tokenizer/byte_alphabet.h"
#include "text/tokenizer/characters.h"
#include "text/tokenizer/piece_cache.h"

namespace burnish {
namespace {

// Up to here the pairs are searched one by one for the lowest rank; longer pieces use a heap.
constexpr size_t kLongestScan = 48;

struct Symbol {
  int32_t id;
  uint32_t length;  // bytes; 0: merged into the symbol before
};

}  // namespace

class BpeScratch : public ModelScratch {
 public:
  std::vector<Symbol> symbols;
  std::vector<Merge> merges;                  // merge_short: of symbols i and i + 1
  std::vector<uint32_t> previous, following;  // merge_long: neighbours that are left
  std::vector<uint64_t> heap;                 // merge_long: rank << 32 | position
  PieceCache cache;

  void add(int32_t id, size_t length) { symbols.push_back({id, static_cast<uint32_t>(length)}); }
};

Bpe::Bpe(const JsonValue& json, const Merges& merges, const Vocabulary& vocabulary)
    : vocabulary_(vocabulary),
      merges_(merges.size()),
      prefix_(json["continuing_subword_prefix"].string_or("")),
      suffix_(json["end_of_word_suffix"].string_or("")),
      fuse_unk_(json["fuse_unk"].boolean_or(false)),
      byte_fallback_(json["byte_fallback"].boolean_or(false)),
      ignore_merges_(json["ignore_merges"].boolean_or(false)),
      where_(json["unk_token"].where()) {
  if (!json["unk_token"].is_null()) unk_token_ = json["unk_token"].string();
  if (!json["dropout"].is_null())
    json["dropout"].unsupported("dropout of merges is not there; null is needed");
  reads_bytes_ = prefix_.empty() && suffix_.empty();
  for (size_t byte = 0; byte < 256; ++byte) {
    const char as_char = static_cast<char>(byte);
    alphabet_ids_[byte] = vocabulary.find(ByteAlphabet::get().spell({&as_char, 1})).value_or(-1);
    reads_bytes_ = reads_bytes_ && alphabet_ids_[byte] >= 0;
    constexpr std::string_view kDigits = "0123456789ABCDEF";
    const std::string name = {'<', '0', 'x', kDigits[byte >> 4], kDigits[byte & 15], '>'};
    fallback_ids_[byte] = vocabulary.find(name).value_or(-1);
  }
  read_merges(merges, json.file());
}

void Bpe::read_merges(const Merges& merges, const std::string& file) {
  for (size_t rank = 0; rank < merges.size(); ++rank) {
    const auto& [left, right] = merges[rank];
    const auto need = [&](std::string_view token) {
      if (const auto id = vocabulary_.find(token)) return *id;
      throw Error(ErrorCode::model,
                  "the token \"" + std::string(token) + "\" is not in the vocabulary",
                  file + ": key 'model.merges[" + std::to_string(rank) + "]'");
    };
    const std::string inner = right.size() < prefix_.size() ? "" : right.substr(prefix_.size());
    const int32_t left_id = need(left), right_id = need(right);
    merges_.set(left_id, right_id, {static_cast<uint32_t>(rank), need(left + inner)});
  }
}

std::unique_ptr<ModelScratch> Bpe::make_scratch() const {
  return std::make_unique<BpeScratch>();
}

void Bpe::tokenize(std::string_view piece, bool bytes, ModelScratch& scratch,
                   std::vector<ModelToken>& tokens) const {
  auto& work = static_cast<BpeScratch&>(scratch);
  if (work.cache.find(piece, tokens)) return;
  const size_t first = tokens.size();
  if (const auto id = whole_piece(piece, bytes)) {
    tokens.push_back({*id, 0, piece.size()});
  } else {
    if (piece.size() >= std::numeric_limits<uint32_t>::max())
      throw Error(ErrorCode::data, "a piece of 4 GiB or more cannot be tokenized");
    work.symbols.clear();
    bytes ? split_bytes(piece, work) : split_characters(piece, work);
    work.symbols.size() <= kLongestScan ? merge_short(work) : merge_long(work);
    size_t begin = 0;
    for (const Symbol& symbol : work.symbols) {
      if (symbol.length == 0) continue;
      tokens.push_back({symbol.id, begin, begin + symbol.length});
      begin += symbol.length;
    }
  }
  work.cache.put(piece, std::span(tokens).subspan(first));
}

std::optional<int32_t> Bpe::whole_piece(std::string_view piece, bool bytes) const {
  if (!ignore_merges_) return std::nullopt;
  return bytes ? vocabulary_.find(ByteAlphabet::get().spell(piece)) : vocabulary_.find(piece);
}

void Bpe::split_bytes(std::string_view piece, BpeScratch& work) const {
  for (const char byte : piece) work.add(alphabet_ids_[static_cast<uint8_t>(byte)], 1);
}

void Bpe::split_characters(std::string_view piece, BpeScratch& work) const {
  std::optional<Symbol> unknown;  // not yet added: its neighbours may fuse with it
  const auto add_unknown = [&] {
    if (unknown) work.symbols.push_back(*unknown);
    unknown.reset();
  };
  std::string character;
  for (size_t at = 0; at < piece.size();) {
    const size_t length = character_at(piece, at).length;
    character = at > 0 ? prefix_ : "";
    character += piece.substr(at, length);
    at += length;
    if (at == piece.size()) character += suffix_;
    if (const auto id = vocabulary_.find(character)) {
      add_unknown();
      work.add(*id, length);
    } else if (fall_back_to_bytes(character, work)) {
      continue;
    } else if (unk_token_) {
      const auto id = vocabulary_.find(*unk_token_);
      if (!id)
        throw Error(ErrorCode::model,
                    "\"" + *unk_token_ + "\" is needed but is not in the vocabulary", where_);
      if (unknown && fuse_unk_) {
        unknown->length += static_cast<uint32_t>(length);
      } else {
        add_unknown();
        unknown = Symbol{*id, static_cast<uint32_t>(length)};
      }
    }
  }
  add_unknown();
}

bool Bpe::fall_back_to_bytes(std::string_view character, BpeScratch& work) const {
  const auto id_of = [&](char byte) { return fallback_ids_[static_cast<uint8_t>(byte)]; };
  if (!byte_fallback_) return false;
  if (!std::all_of(character.begin(), character.end(), [&](char c) { return id_of(c) >= 0; }))
    return false;
  for (const char byte : character) work.add(id_of(byte), 1);
  return true;
}

void Bpe::merge_short(BpeScratch& work) const {
  std::vector<Symbol>& symbols = work.symbols;
  std::vector<Merge>& merges = work.merges;
  merges.clear();
  for (size_t i = 0; i + 1 < symbols.size(); ++i)
    merges.push_back(merges_.find(symbols[i].id, symbols[i + 1].id));
  const auto lower = [](const Merge& a, const Merge& b) { return a.rank < b.rank; };
  while (!merges.empty()) {
    const auto best = std::min_element(merges.begin(), merges.end(), lower);
    if (!best->exists()) break;
    const auto at = static_cast<size_t>(best - merges.begin());
    symbols[at] = {best->id, symbols[at].length + symbols[at + 1].length};
    symbols.erase(symbols.begin() + static_cast<ptrdiff_t>(at) + 1);
    merges.erase(best);
    if (at > 0) merges[at - 1] = merges_.find(symbols[at - 1].id, symbols[at].id);
    if (at < merges.size()) merges[at] = merges_.find(symbols[at].id, symbols[at + 1].id);
  }
}

void Bpe::merge_long(BpeScratch& work) const {
  std::vector<Symbol>& symbols = work.symbols;
  const auto count = static_cast<uint32_t>(symbols.size());  // also: "no neighbour"
  const auto offer = [&](uint32_t left, uint32_t right) {
    const Merge merge = merges_.find(symbols[left].id, symbols[right].id);
    if (merge.exists()) work.heap.push_back(uint64_t{merge.rank} << 32 | left);
    return merge.exists();
  };
  const auto lowest_first = std::greater<uint64_t>();
  const auto push = [&](uint32_t left, uint32_t right) {
    if (offer(left, right)) std::push_heap(work.heap.begin(), work.heap.end(), lowest_first);
  };

  work.previous.resize(count);
  work.following.resize(count);
  work.heap.clear();
  for (uint32_t i = 0; i < count; ++i) {
    work.previous[i] = i == 0 ? count : i - 1;
    work.following[i] = i + 1;
    if (i + 1 < count) offer(i, i + 1);
  }
  std::make_heap(work.heap.begin(), work.heap.end(), lowest_first);

  while (!work.heap.empty()) {
    std::pop_heap(work.heap.begin(), work.heap.end(), lowest_first);
    const uint64_t top = work.heap.back();
    work.heap.pop_back();
    const auto left = static_cast<uint32_t>(top);
    const uint32_t right = work.following[left];
    if (symbols[left].length == 0 || right == count) continue;
    const Merge merge = merges_.find(symbols[left].id, symbols[right].id);
    if (!merge.exists() || merge.rank != top >> 32) continue;  // the pair is another by now
    symbols[left] = {merge.id, symbols[left].length + symbols[right].length};
    symbols[right].length = 0;
    const uint32_t before = work.previous[left], after = work.following[right];
    work.following[left] = after;
    if (after < count) work.previous[after] = left;
    if (before < count) push(before, left);
    if (after < count) push(left, after);
  }
}

std::unique_ptr<TokenModel> make_model(const JsonValue& json, const Merges& merges,
                                       const Vocabulary& vocabulary) {
  const JsonValue type = json["type"];
  // files from before `type`: a model with merges is BPE
  if (type.is_null() && !merges.empty()) return std::make_unique<Bpe>(json, merges, vocabulary);
  if (type.string() == "BPE") return std::make_unique<Bpe>(json, merges, vocabulary);
  json.unsupported("the model '" + type.string() + "' is not there yet");
}

}  // namespace burnish
