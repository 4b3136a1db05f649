#include "text/chat_format.h"

namespace burnish {
namespace {

constexpr const char* kChatml =
    "{%- for message in messages %}"
    "{{ '<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>\\n' }}"
    "{%- endfor %}"
    "{%- if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{%- endif %}\n";

const std::vector<ChatFormat>& formats() {
  static const std::vector<ChatFormat> all{
      {"chatml", kChatml, {"<|im_start|>", "<|im_end|>"}, "<|im_end|>"}};
  return all;
}

}  // namespace

std::optional<ChatFormat> chat_format(const std::string& name) {
  for (const ChatFormat& format : formats())
    if (format.name == name) return format;
  return std::nullopt;
}

}  // namespace burnish
