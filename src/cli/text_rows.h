// JSON rows in, JSON lines out: what `burnish text` does to one row.
#pragma once

#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "text/template/template.h"
#include "text/tokenizer/tokenizer.h"

namespace burnish {

using Json = nlohmann::ordered_json;
using RowAction = std::function<Json(const Json& row)>;

struct RowOptions {
  bool offsets = false, tokens = false, origins = false;
  bool add_special_tokens = false, skip_special_tokens = false, add_generation_prompt = false;
  std::string date;  ///< YYYY-MM-DD; empty: today
};

/// {"ids", "tokens"?, "offsets"?}; offsets count characters (code points) of the text.
Json encoded(const Tokenizer& tokenizer, const std::string& text, const RowOptions& options);
/// {"text"}
Json decoded(const Tokenizer& tokenizer, const Json& row, const RowOptions& options);
/// {"text", "origins"?}; spans count characters.
Json rendered(const Template& chat_template, const std::map<std::string, std::string>& special,
              const Json& row, const RowOptions& options);

/// The member "text". @throws Error(data)
std::string text_of_row(const Json& row);

/// Calls `action` on each line that is not blank and `print` on what it gives, or on
/// {"error": {...}} with the line's place. @return 0, or the exit code of the first failure.
int for_each_row(const std::string& lines, const std::string& name, const RowAction& action,
                 const std::function<void(const Json&)>& print);

std::string json_line(const Json& value);
/// Without --json: the text, the ids, or the error.
std::string plain_line(const Json& value);

}  // namespace burnish
