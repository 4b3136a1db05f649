#include "cli/text_files.h"

#include "base/file.h"

namespace burnish {

TextFiles open_text_files(const std::string& tokenizer, const std::string& template_file,
                          const std::string& revision) {
  TextFiles text = load_text(resolve_tokenizer(tokenizer, revision));
  if (!template_file.empty()) text.chat_template = open_template(template_file);
  return text;
}

Template open_template(const std::string& file) {
  return Template::parse(read_text_file(file), file);
}

}  // namespace burnish
