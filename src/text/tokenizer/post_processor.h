// The stage behind the model: special tokens around the text, trimmed offsets.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "text/span.h"
#include "text/tokenizer/json_value.h"
#include "text/tokenizer/vocabulary.h"

namespace burnish {

struct TokenSequence {
  std::vector<int32_t> ids;
  std::vector<ByteSpan> offsets;
  std::vector<size_t> cut_out;  ///< indices of the tokens that were cut out as added tokens, sorted
};

struct PostProcessorInput {
  std::string_view original;
  bool add_special_tokens;
};

class PostProcessor {
 public:
  virtual ~PostProcessor() = default;
  virtual void apply(TokenSequence& tokens, const PostProcessorInput& input) const = 0;
};

/// From the value of `post_processor`; nullptr for null. The vocabulary outlives it.
/// @throws Error(model), Error(unsupported) naming file and key
std::unique_ptr<PostProcessor> make_post_processor(const JsonValue& json,
                                                   const Vocabulary& vocabulary);

}  // namespace burnish
