// Any bytes as tokenizer.json: an Error, or a tokenizer that encodes and decodes.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "check_error.h"
#include "text/tokenizer/tokenizer.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  constexpr std::string_view kText = "The e\u0301 \u212A 12 \u4F60\u597D<s> ab  \n\x01</s>";
  try {
    const std::string_view json(reinterpret_cast<const char*>(data), size);
    const auto tokenizer = burnish::Tokenizer::from_json(json, "", "fuzz");
    const burnish::Encoding encoding = tokenizer.encode(kText, {.add_special_tokens = true});
    if (!burnish::is_utf8(tokenizer.decode(encoding.ids))) __builtin_trap();
    for (const burnish::ByteSpan& span : encoding.offsets)
      if (span.begin > span.end || span.end > kText.size()) __builtin_trap();
  } catch (const burnish::Error& error) {
    burnish::fuzz::check(error);
  }
  return 0;
}
