// Byte-pair encoding (Sennrich et al. 2016, https://arxiv.org/abs/1508.07909): a piece falls into
// characters, then the pair of neighbours with the lowest rank is merged, leftmost first, until no
// merge is left.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "text/tokenizer/model.h"
#include "text/tokenizer/pair_table.h"

namespace burnish {

class BpeScratch;

class Bpe : public TokenModel {
 public:
  Bpe(const JsonValue& json, const Merges& merges, const Vocabulary& vocabulary);

  std::unique_ptr<ModelScratch> make_scratch() const override;
  bool reads_bytes() const override { return reads_bytes_; }
  void tokenize(std::string_view piece, bool bytes, ModelScratch& scratch,
                std::vector<ModelToken>& tokens) const override;

 private:
  void read_merges(const Merges& merges, const std::string& file);
  std::optional<int32_t> whole_piece(std::string_view piece, bool bytes) const;
  void split_bytes(std::string_view piece, BpeScratch& work) const;
  void split_characters(std::string_view piece, BpeScratch& work) const;
  bool fall_back_to_bytes(std::string_view character, BpeScratch& work) const;
  void merge_short(BpeScratch& work) const;
  void merge_long(BpeScratch& work) const;

  const Vocabulary& vocabulary_;
  PairTable merges_;
  std::optional<std::string> unk_token_;
  std::string prefix_, suffix_;  // of characters inside a word, and of the last one
  bool fuse_unk_, byte_fallback_, ignore_merges_, reads_bytes_;
  std::array<int32_t, 256> alphabet_ids_;  // of the character that stands for a byte; -1: none
  std::array<int32_t, 256> fallback_ids_;  // of <0xNN>
  std::string where_;
};

}  // namespace burnish
