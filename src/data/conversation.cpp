#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "data/row_collector.h"

namespace burnish {

std::string place_of(const SourceLine& where) {
  return where.file + ":" + std::to_string(where.line);
}

namespace {
using Json = nlohmann::ordered_json;

constexpr std::array<std::string_view, 4> kRoles{"system", "user", "assistant", "tool"};

// What other layouts call these roles.
constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kRoleElsewhere{
    {{"human", "user"},
     {"gpt", "assistant"},
     {"bot", "assistant"},
     {"ai", "assistant"},
     {"model", "assistant"},
     {"function", "tool"},
     {"observation", "tool"},
     {"ipython", "tool"},
     {"developer", "system"}}};

size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 0; i < a.size(); ++i) {
    size_t diagonal = std::exchange(row[0], i + 1);
    for (size_t j = 0; j < b.size(); ++j) {
      const size_t replaced = diagonal + (a[i] != b[j]);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

std::string nearest_role(std::string_view role) {
  for (const auto& [elsewhere, here] : kRoleElsewhere)
    if (role == elsewhere) return std::string(here);
  const std::string_view head = role.substr(0, 32);
  return std::string(*std::min_element(kRoles.begin(), kRoles.end(), [&](auto a, auto b) {
    return edit_distance(head, a) < edit_distance(head, b);
  }));
}

std::string shortened(const Json& value) {
  std::string text = value.dump(-1, ' ', false, Json::error_handler_t::replace);
  if (text.size() <= 40) return text;
  size_t end = 40;
  while ((text[end] & 0xC0) == 0x80) --end;
  return text.substr(0, end) + "...";
}

// Checks one row; every error says which message and which key.
class RowCheck {
 public:
  explicit RowCheck(const SourceLine& where) : where_(where) {}

  [[noreturn]] void fail(std::string what, std::string advice = {}) const {
    const std::string prefix = message_ < 0 ? "" : "message " + std::to_string(message_) + ": ";
    throw Error(ErrorCode::data, prefix + what, place_of(where_), std::move(advice));
  }

  Json messages_of(const Json& list) {
    if (!list.is_array()) fail("`messages` must be a list, but is " + shortened(list));
    if (list.empty()) fail("`messages` is empty");
    Json messages = Json::array();
    for (const Json& item : list) {
      message_ = static_cast<int64_t>(messages.size());
      messages.push_back(message_of(item));
    }
    message_ = -1;
    return messages;
  }

  Json tools_of(const Json& tools) const {
    if (tools.is_string())
      fail("`tools` must be a list, but is a string",
           "Write the list itself, not JSON in a string");
    if (!tools.is_array()) fail("`tools` must be a list, but is " + shortened(tools));
    for (const Json& tool : tools)
      if (!tool.is_object())
        fail("each of `tools` must be an object, but one is " + shortened(tool));
    return tools.empty() ? Json() : tools;
  }

 private:
  Json message_of(const Json& item) const {
    if (!item.is_object()) fail("must be an object, but is " + shortened(item));
    Json message = Json::object();
    auto& members = message.get_ref<Json::object_t&>();
    for (const auto& [key, value] : item.items())
      if (!value.is_null()) members.emplace_back(key, value);
    check_role(message);
    check_tool_calls(message);
    check_content(message);
    for (const char* key : {"reasoning_content", "thinking", "reasoning"})
      if (message.contains(key) && !message[key].is_string())
        fail(std::string("`") + key + "` must be a string, but is " + shortened(message[key]));
    return message;
  }

  void check_role(const Json& message) const {
    if (!message.contains("role"))
      fail("has no `role`",
           message.contains("from")
               ? "`from` and `value` are another layout: write `role` and `content`"
               : "Each message needs `role` and `content`");
    const Json& role = message["role"];
    if (!role.is_string()) fail("`role` must be a string, but is " + shortened(role));
    const auto& name = role.get_ref<const std::string&>();
    if (std::find(kRoles.begin(), kRoles.end(), name) == kRoles.end())
      fail("unknown role " + shortened(role),
           "Write '" + nearest_role(name) + "'? The roles are system, user, assistant, tool");
  }

  void check_tool_calls(const Json& message) const {
    if (!message.contains("tool_calls")) return;
    const Json& calls = message["tool_calls"];
    if (!calls.is_array()) fail("`tool_calls` must be a list, but is " + shortened(calls));
    for (const Json& call : calls)
      if (!call.is_object())
        fail("each of `tool_calls` must be an object, but one is " + shortened(call));
    if (!calls.empty() && message["role"] != "assistant")
      fail("`tool_calls` belong to the assistant, not to " + shortened(message["role"]));
  }

  void check_content(const Json& message) const {
    if (!message.contains("content")) {
      if (message.contains("tool_calls") && !message["tool_calls"].empty()) return;
      fail("has no `content` (missing or null)",
           message["role"] == "assistant" ? "Only an assistant message with tool_calls goes without"
                                          : "");
    }
    const Json& content = message["content"];
    if (content.is_string()) return;
    if (!content.is_array())
      fail("`content` must be a string or a list of parts, but is " + shortened(content));
    for (const Json& part : content) check_part(part);
  }

  void check_part(const Json& part) const {
    if (!part.is_object() || !part.contains("type") || !part["type"].is_string())
      fail("a part of `content` must be {\"type\": \"text\", \"text\": ...}, but is " +
           shortened(part));
    if (part["type"] != "text")
      throw Error(ErrorCode::unsupported,
                  "message " + std::to_string(message_) + ": content of type " +
                      shortened(part["type"]) + " is not supported",
                  place_of(where_), "Only parts of type \"text\" can be trained on");
    if (!part.contains("text") || !part["text"].is_string())
      fail("a text part of `content` must hold a string `text`, but is " + shortened(part));
  }

  const SourceLine& where_;
  int64_t message_ = -1;
};

std::string keys_of(const Json& row) {
  std::string keys;
  for (const auto& [key, value] : row.items()) {
    if (keys.size() > 80) return keys + ", ...";
    keys += (keys.empty() ? "`" : ", `") + key.substr(0, 40) + "`";
  }
  return keys.empty() ? "no key" : keys;
}

std::string layout_advice(const Json& row) {
  if (row.contains("conversations"))
    return "`conversations` with `from` and `value` is another layout: write `messages` with "
           "`role` (human is user, gpt is assistant) and `content`";
  if (row.contains("prompt") || row.contains("instruction"))
    return "Write the prompt as a user message and the answer as an assistant message of "
           "`messages`";
  return "Write {\"messages\": [{\"role\": ..., \"content\": ...}, ...]} or {\"text\": ...}";
}

bool is_text_row(const Json& row, const std::string& format, const RowCheck& check) {
  const bool has_messages = row.contains("messages"), has_text = row.contains("text");
  if (format == "messages" || format == "text") {
    if (!row.contains(format))
      check.fail("the row has no `" + format + "`, but " + keys_of(row), layout_advice(row));
    return format == "text";
  }
  if (format != "auto")
    throw Error(ErrorCode::recipe, "unknown data format '" + format + "'", "format",
                "It is one of auto, messages, text");
  if (has_messages && has_text)
    check.fail("the row has both `messages` and `text`", "Say which: format: messages, or text");
  if (!has_messages && !has_text)
    check.fail("the row has neither `messages` nor `text`, but " + keys_of(row),
               layout_advice(row));
  return has_text;
}

}  // namespace

Conversation conversation_from_json(const Json& row, const SourceLine& where,
                                    const std::string& format) {
  RowCheck check(where);
  if (!row.is_object()) check.fail("a row must be an object, but is " + shortened(row));
  Conversation conversation;
  conversation.where = where;
  conversation.is_text = is_text_row(row, format, check);
  if (conversation.is_text) {
    const Json& text = row["text"];
    if (!text.is_string()) check.fail("`text` must be a string, but is " + shortened(text));
    conversation.text = text.get<std::string>();
    if (conversation.text.empty()) check.fail("`text` is empty");
    return conversation;
  }
  conversation.messages = check.messages_of(row["messages"]);
  if (row.contains("tools") && !row["tools"].is_null())
    conversation.tools = check.tools_of(row["tools"]);
  return conversation;
}

}  // namespace burnish
