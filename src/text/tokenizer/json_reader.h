// tokenizer.json read in one pass: the vocabulary and the merges go straight to flat lists (a tree
// of half a million nodes would cost more than all the rest), everything else to a small tree.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "text/tokenizer/model.h"
#include "text/tokenizer/vocabulary.h"

namespace burnish {

struct TokenizerDocument {
  nlohmann::json root;           ///< an object, without model.vocab (if an object) and model.merges
  VocabularyEntries vocabulary;  ///< in file order
  Merges merges;
};

/// @throws Error(model): not JSON (with the byte), too deep, an entry of the wrong type.
TokenizerDocument read_tokenizer_document(std::string_view text, const std::string& name);

/// Any other file of a tokenizer: a JSON object. The last of repeated keys wins, as in Python.
nlohmann::json read_json_object(std::string_view text, const std::string& name);

}  // namespace burnish
