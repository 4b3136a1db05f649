#include "text/tokenizer/tokenizer.h"

#include <utility>

#include "base/error.h"
#include "text/tokenizer/pipeline.h"

namespace burnish {

Tokenizer::Tokenizer(std::unique_ptr<TokenizerPipeline> pipeline)
    : pipeline_(std::move(pipeline)) {}
Tokenizer::Tokenizer(Tokenizer&&) noexcept = default;
Tokenizer& Tokenizer::operator=(Tokenizer&&) noexcept = default;
Tokenizer::~Tokenizer() = default;

Encoding Tokenizer::encode(std::string_view text, const EncodeOptions& options) const {
  TokenSequence tokens = pipeline_->encode(text, options.plain);
  if (pipeline_->post_processor)
    pipeline_->post_processor->apply(tokens, {text, options.add_special_tokens});
  return {std::move(tokens.ids), std::move(tokens.offsets)};
}

std::string Tokenizer::decode(std::span<const int32_t> ids, bool skip_special_tokens) const {
  std::vector<std::string> parts;
  for (const int32_t id : ids)
    if (const std::string& token = token_of(id); !skip_special_tokens || !is_special(id))
      parts.push_back(token);
  pipeline_->decoder->apply(parts);
  std::string text;
  for (const std::string& part : parts) text += part;
  return text;
}

std::optional<int32_t> Tokenizer::id_of(std::string_view token) const {
  return pipeline_->vocabulary.find(token);
}

const std::string& Tokenizer::token_of(int32_t id) const {
  if (const std::string* token = pipeline_->vocabulary.token(id)) return *token;
  throw Error(ErrorCode::data,
              "the vocabulary has no token " + std::to_string(id) + " (it ends at " +
                  std::to_string(size() - 1) + ")",
              pipeline_->name);
}

bool Tokenizer::is_special(int32_t id) const {
  const AddedToken* token = pipeline_->added_tokens.find(id);
  return token && token->special;
}

int32_t Tokenizer::size() const {
  return pipeline_->vocabulary.end_id();
}

const SpecialTokens& Tokenizer::special_tokens() const {
  return pipeline_->special_tokens;
}

Tokenizer::Files Tokenizer::files() const {
  return pipeline_->files;
}

}  // namespace burnish
