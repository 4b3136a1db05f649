#include "recipe/run_text.h"

#include "base/file.h"
#include "text/chat_format.h"

namespace burnish {

RunText run_text(const ModelRecipe& model, TextFiles text) {
  const std::optional<ChatFormat> format = chat_format(model.chat_template);
  if (format)
    text.chat_template = Template::parse(format->source, "the template " + format->name);
  else if (model.chat_template != "default")
    text.chat_template = Template::parse(read_text_file(model.chat_template), model.chat_template);

  std::vector<std::string> tokens = model.add_tokens;
  std::optional<std::string> eos = model.eos_token;
  if (format) {
    tokens.insert(tokens.end(), format->tokens.begin(), format->tokens.end());
    if (!eos) eos = format->end_of_turn;
  }
  if (tokens.empty() && !eos) return {std::move(text), {}, {}};

  const int32_t before = text.tokenizer.size();
  text.tokenizer = text.tokenizer.extended(tokens, eos);
  RunText result{std::move(text), {}, {}};
  for (int32_t id = before; id < result.files.tokenizer.size(); ++id) result.new_ids.push_back(id);
  if (eos) result.new_eos_id = result.files.tokenizer.id_of(*eos);
  return result;
}

}  // namespace burnish
