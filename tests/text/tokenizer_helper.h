// What the tests of the tokenizer share.
#pragma once

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/file.h"
#include "text/tokenizer/tokenizer.h"

namespace burnish {

inline std::string test_data(const std::string& name) {
  return std::string(BURNISH_TEST_DATA) + "/" + name;
}

inline nlohmann::json json_file(const std::string& name) {
  return nlohmann::json::parse(read_text_file(test_data(name)));
}

inline Tokenizer tok_bpe() {
  return Tokenizer::from_folder(test_data("cases/shared/tok-bpe"));
}

/// The byte at which each character of the text begins, and the end.
inline std::vector<size_t> character_begins(const std::string& text) {
  std::vector<size_t> begins;
  for (size_t at = 0; at < text.size(); ++at)
    if ((static_cast<unsigned char>(text[at]) & 0xC0) != 0x80) begins.push_back(at);
  begins.push_back(text.size());
  return begins;
}

inline std::vector<ByteSpan> byte_spans(const std::string& text,
                                        const nlohmann::json& character_offsets) {
  const std::vector<size_t> begins = character_begins(text);
  std::vector<ByteSpan> spans;
  for (const auto& pair : character_offsets)
    spans.push_back({begins.at(pair[0].get<size_t>()), begins.at(pair[1].get<size_t>())});
  return spans;
}

/// The error that `run` throws.
template <class Run>
Error error_of(Run&& run) {
  try {
    run();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "no error";
  return Error(ErrorCode::internal, "");
}

inline std::ostream& operator<<(std::ostream& out, const ByteSpan& span) {
  return out << "[" << span.begin << "," << span.end << ")";
}

}  // namespace burnish
