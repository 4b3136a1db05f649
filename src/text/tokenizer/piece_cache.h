// Tokens of pieces seen before: a table of fixed size, in which a newcomer takes the place of
// whoever was there.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

#include "text/tokenizer/hashing.h"
#include "text/tokenizer/model.h"

namespace burnish {

class PieceCache {
 public:
  static constexpr size_t kLongestPiece = 22, kMostTokens = 8;

  /// Appends the tokens of the piece; false if they are not known.
  bool find(std::string_view piece, std::vector<ModelToken>& tokens) const {
    if (piece.size() > kLongestPiece || entries_.empty()) return false;
    const Entry& entry = entries_[slot_of(piece)];
    if (entry.length != piece.size() || std::memcmp(entry.bytes.data(), piece.data(), piece.size()))
      return false;
    size_t begin = 0;
    for (size_t i = 0; i < entry.num_tokens; ++i) {
      tokens.push_back({entry.ids[i], begin, begin + entry.lengths[i]});
      begin += entry.lengths[i];
    }
    return true;
  }

  void put(std::string_view piece, std::span<const ModelToken> tokens) {
    if (piece.size() > kLongestPiece || tokens.size() > kMostTokens) return;
    if (entries_.empty()) entries_.resize(kNumEntries);
    Entry& entry = entries_[slot_of(piece)];
    entry.length = static_cast<uint8_t>(piece.size());
    entry.num_tokens = static_cast<uint8_t>(tokens.size());
    std::memcpy(entry.bytes.data(), piece.data(), piece.size());
    for (size_t i = 0; i < tokens.size(); ++i) {
      entry.ids[i] = tokens[i].id;
      entry.lengths[i] = static_cast<uint8_t>(tokens[i].end - tokens[i].begin);
    }
  }

 private:
  static constexpr size_t kNumEntries = size_t{1} << 14;  // 1 MiB
  struct Entry {
    uint8_t length = 0, num_tokens = 0;
    std::array<char, kLongestPiece> bytes;
    std::array<uint8_t, kMostTokens> lengths;
    std::array<int32_t, kMostTokens> ids;
  };
  static_assert(sizeof(Entry) == 64);

  static size_t slot_of(std::string_view piece) { return hash_of(piece) & (kNumEntries - 1); }

  std::vector<Entry> entries_;
};

}  // namespace burnish
