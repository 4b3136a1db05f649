// The stages of one tokenizer, put together.
#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "text/tokenizer/added_tokens.h"
#include "text/tokenizer/decoder.h"
#include "text/tokenizer/model.h"
#include "text/tokenizer/normalizer.h"
#include "text/tokenizer/post_processor.h"
#include "text/tokenizer/pre_tokenizer.h"
#include "text/tokenizer/tokenizer.h"
#include "text/tokenizer/vocabulary.h"

namespace burnish {

/// Work space of one call of encode.
struct EncodeScratch {
  RegexScratch regex;
  std::unique_ptr<ModelScratch> model;
  std::vector<ModelToken> tokens;
};

/// Work spaces that no call uses at the moment; each has its cache of pieces.
class ScratchPool {
 public:
  std::unique_ptr<EncodeScratch> take(const TokenModel& model);
  void give_back(std::unique_ptr<EncodeScratch> scratch);

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<EncodeScratch>> free_;
};

struct TokenizerPipeline {
  std::string name;       ///< the file that errors name
  Vocabulary vocabulary;  ///< of the model, and the added tokens
  AddedTokens added_tokens;
  std::unique_ptr<Normalizer> normalizer;
  std::unique_ptr<PreTokenizer> pre_tokenizer;
  std::unique_ptr<TokenModel> model;
  std::unique_ptr<PostProcessor> post_processor;
  std::unique_ptr<Decoder> decoder;
  SpecialTokens special_tokens;
  Tokenizer::Files files;
  mutable ScratchPool scratches;

  TokenSequence encode(std::string_view text, std::span<const ByteSpan> plain) const;

 private:
  void encode_part(std::string_view text, ByteSpan part, std::span<const ByteSpan> plain,
                   EncodeScratch& scratch, TokenSequence& out) const;
  void add_pieces(const PreTokenized& pre, EncodeScratch& scratch, TokenSequence& out) const;
};

}  // namespace burnish
