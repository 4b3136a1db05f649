// Tokenizer and chat template of a model, by transformers' precedence: chat_template.jinja wins
// over tokenizer_config.json's chat_template (string, or list of {name, template}: "default").
#pragma once

#include <optional>
#include <string>

#include "hub/source.h"
#include "text/template/template.h"
#include "text/tokenizer/tokenizer.h"

namespace burnish {

struct TextFiles {
  Tokenizer tokenizer;
  std::optional<Template> chat_template;
};

TextFiles load_text(const ModelSource& source);

/// One alone; no template where the model has none.
Tokenizer load_tokenizer(const ModelSource& source);
std::optional<Template> load_template(const ModelSource& source);

/// The variables that a template sees for this tokenizer: bos_token, eos_token, pad_token,
/// unk_token.
std::map<std::string, std::string> template_special_tokens(const Tokenizer& tokenizer);

}  // namespace burnish
