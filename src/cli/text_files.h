#pragma once

#include <string>

#include "text/load.h"

namespace burnish {

/// Tokenizer and template of a folder with a tokenizer.json (a model or not), a .gguf file, a run
/// or a model of the hub at `revision`; `template_file`, if not empty, in place of its own
/// template.
TextFiles open_text_files(const std::string& tokenizer, const std::string& template_file,
                          const std::string& revision = {});

Template open_template(const std::string& file);

}  // namespace burnish
