// The stage that turns a piece into tokens.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text/tokenizer/json_value.h"
#include "text/tokenizer/vocabulary.h"

namespace burnish {

/// Pairs of tokens in the order of their ranks.
using Merges = std::vector<std::pair<std::string, std::string>>;

struct ModelToken {
  int32_t id;
  size_t begin, end;  ///< bytes of the piece
};

/// What a model keeps between pieces: work space and a bounded cache. One for each thread.
class ModelScratch {
 public:
  virtual ~ModelScratch() = default;
};

class TokenModel {
 public:
  virtual ~TokenModel() = default;

  virtual std::unique_ptr<ModelScratch> make_scratch() const = 0;

  /// Can it read bytes in place of the characters of the byte alphabet that stand for them?
  virtual bool reads_bytes() const = 0;

  /// Appends the tokens of one piece, which is not empty: characters, or (where reads_bytes()) the
  /// bytes that stand for the byte alphabet.
  virtual void tokenize(std::string_view piece, bool bytes, ModelScratch& scratch,
                        std::vector<ModelToken>& tokens) const = 0;
};

/// From `model`. The vocabulary outlives the model.
/// @throws Error(model), Error(unsupported) naming file and key
std::unique_ptr<TokenModel> make_model(const JsonValue& json, const Merges& merges,
                                       const Vocabulary& vocabulary);

}  // namespace burnish
