#include "data/render.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/error.h"
#include "data/targets.h"

namespace burnish {
namespace {
using Json = nlohmann::ordered_json;

// Text parts joined without a separator, as templates that know parts print them.
std::string joined_text(const Json& parts) {
  std::string text;
  for (const Json& part : parts) text += part["text"].get_ref<const std::string&>();
  return text;
}

Json with_string_content(Json messages) {
  for (Json& message : messages)
    if (message.contains("content") && message["content"].is_array())
      message["content"] = joined_text(message["content"]);
  return messages;
}

Json with_part_content(Json messages) {
  for (Json& message : messages)
    if (message.contains("content") && message["content"].is_string())
      message["content"] = Json::array({{{"type", "text"}, {"text", message["content"]}}});
  return messages;
}

bool is_blank(const std::string& text) {
  return text.find_first_not_of(" \t\r\n") == std::string::npos;
}

// The first message of user or assistant whose text did not come through; -1: none.
int64_t message_left_out(const Json& messages, const Rendered& rendered) {
  std::vector<bool> seen(messages.size());
  for (const OriginRun& run : rendered.origins)
    if (run.origin.part == Part::content && run.origin.message >= 0)
      seen[static_cast<size_t>(run.origin.message)] = true;
  for (size_t i = 0; i < messages.size(); ++i) {
    const bool speaks = messages[i]["role"] == "user" || messages[i]["role"] == "assistant";
    if (speaks && !seen[i] && messages[i].contains("content") &&
        !is_blank(messages[i]["content"].get_ref<const std::string&>()))
      return static_cast<int64_t>(i);
  }
  return -1;
}

// Renders with content as strings; a template that only knows lists of parts leaves those out
// without a word, so then it gets parts.
Rendered render_messages(const Conversation& conversation, const Template& chat_template,
                         RenderInput& input) {
  const Json strings = with_string_content(conversation.messages);
  input.messages = strings;
  Rendered rendered = chat_template.render(input);
  const int64_t left_out = message_left_out(strings, rendered);
  if (left_out < 0) return rendered;
  input.messages = with_part_content(strings);
  rendered = chat_template.render(input);
  if (message_left_out(strings, rendered) >= 0)
    throw Error(ErrorCode::data,
                "the chat template leaves out the text of message " + std::to_string(left_out), {},
                "Remove that message, or give a template that prints it");
  return rendered;
}

std::vector<ByteSpan> message_spans(const Rendered& rendered) {
  std::vector<ByteSpan> spans;
  for (const OriginRun& run : rendered.origins) {
    // roles are ours, checked; templates build control tokens from them
    const Part part = run.origin.part;
    if (part != Part::template_text && part != Part::role) spans.push_back(run.span);
  }
  return spans;
}

// A token is a target if any of its bytes is; position 0 never is.
std::vector<uint8_t> flags_of(const Encoding& encoding, const std::vector<ByteSpan>& targets) {
  std::vector<uint8_t> flags(encoding.ids.size());
  for (size_t t = 1; t < flags.size(); ++t) {
    const ByteSpan& token = encoding.offsets[t];
    const auto after =
        std::partition_point(targets.begin(), targets.end(),
                             [&](const ByteSpan& target) { return target.end <= token.begin; });
    flags[t] = token.begin < token.end && after != targets.end() && after->begin < token.end;
  }
  return flags;
}

RenderedSample assemble(std::string text, Encoding encoding, std::vector<ByteSpan> targets,
                        std::vector<uint8_t> flags, const SourceLine& where) {
  return {{std::move(encoding.ids), std::move(flags), where},
          std::move(text),
          std::move(targets),
          std::move(encoding.offsets)};
}

RenderedSample render_text(const Conversation& conversation, const TextFiles& text) {
  const auto eos = text.tokenizer.special_tokens().eos_id;
  if (!eos)
    throw Error(ErrorCode::model, "the tokenizer has no eos token, with which a text must end",
                "tokenizer_config.json", "Set eos_token there");
  Encoding encoding = text.tokenizer.encode(conversation.text, {.add_special_tokens = true});
  while (encoding.ids.size() > 1 && encoding.ids.back() == *eos &&
         encoding.ids[encoding.ids.size() - 2] == *eos)
    encoding.ids.pop_back(), encoding.offsets.pop_back();
  if (encoding.ids.empty() || encoding.ids.back() != *eos) {
    encoding.ids.push_back(*eos);
    encoding.offsets.push_back({conversation.text.size(), conversation.text.size()});
  }
  std::vector<uint8_t> flags(encoding.ids.size(), 1);
  flags[0] = 0;
  const ByteSpan all{0, conversation.text.size()};
  return assemble(conversation.text, std::move(encoding), {all}, std::move(flags),
                  conversation.where);
}

RenderedSample render_chat(const Conversation& conversation, const TextFiles& text,
                           const RenderOptions& options) {
  if (!text.chat_template)
    throw Error(
        ErrorCode::model, "the model has no chat template, but the data are messages",
        "chat_template",
        "Write `model.template: chatml`, name a .jinja file there, or train on rows of plain "
        "`text`");
  RenderInput input;
  input.tools = conversation.tools;
  input.special_tokens = template_special_tokens(text.tokenizer);
  input.now = options.now;
  Rendered rendered = render_messages(conversation, *text.chat_template, input);
  std::vector<ByteSpan> plain;
  if (options.plain_content) plain = message_spans(rendered);
  Encoding encoding =
      text.tokenizer.encode(rendered.text, {.add_special_tokens = false, .plain = plain});
  auto targets = target_spans({conversation, text, input, rendered, encoding}, options);
  auto flags = flags_of(encoding, targets);
  return assemble(std::move(rendered.text), std::move(encoding), std::move(targets),
                  std::move(flags), conversation.where);
}

}  // namespace

RenderedSample render_sample(const Conversation& conversation, const TextFiles& text,
                             const RenderOptions& options) {
  try {
    return conversation.is_text ? render_text(conversation, text)
                                : render_chat(conversation, text, options);
  } catch (const Error& error) {
    const std::string place = place_of(conversation.where);
    if (error.code() != ErrorCode::data || error.where() == place) throw;
    // what the template or the tokenizer refuses knows its own place, but not the row's
    const std::string inner = error.where().empty() ? "" : error.where() + ": ";
    throw Error(ErrorCode::data, inner + error.fact(), place, error.advice());
  }
}

}  // namespace burnish
