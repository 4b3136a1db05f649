// Ways to write conversations for a model that has no template of its own.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace burnish {

struct ChatFormat {
  std::string name;
  std::string source;               ///< of the Jinja template
  std::vector<std::string> tokens;  ///< control tokens that it writes
  std::string end_of_turn;          ///< the one behind each message
};

/// "chatml": <|im_start|>ROLE, newline, content, <|im_end|>, newline. nullopt: no such name.
std::optional<ChatFormat> chat_format(const std::string& name);

}  // namespace burnish
