// Any bytes as a chat template, rendered on one conversation: a text whose origins cover it, or an
// Error.
#include <cstdint>
#include <cstdlib>

#include "check_error.h"
#include "text/template/template.h"

using namespace burnish;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const auto kMessages = nlohmann::ordered_json::parse(R"([
      {"role": "system", "content": "S"}, {"role": "user", "content": " hi é\n"},
      {"role": "assistant", "content": null, "reasoning": "r",
       "tool_calls": [{"function": {"name": "f", "arguments": {"x": [1, 2.5, true, null]}}}]},
      {"role": "tool", "content": [{"type": "text", "text": "ok"}]}])");
  RenderInput input;
  input.messages = kMessages;
  input.tools = kMessages[2]["tool_calls"];
  input.special_tokens = {{"bos_token", "<s>"}, {"eos_token", "</s>"}};
  input.add_generation_prompt = size % 2 == 0;
  const RenderLimits limits{200'000, size_t{1} << 20, 50, size_t{16} << 20};
  try {
    const std::string source(reinterpret_cast<const char*>(data), size);
    const Rendered rendered = Template::parse(source, "fuzz").render(input, limits);
    size_t at = 0;
    for (const OriginRun& run : rendered.origins) {
      if (run.span.begin != at || run.span.end <= at || run.origin.message >= 4) std::abort();
      at = run.span.end;
    }
    if (at != rendered.text.size() || !is_utf8(rendered.text)) std::abort();
  } catch (const Error& error) {
    fuzz::check(error);
  }
  return 0;
}
