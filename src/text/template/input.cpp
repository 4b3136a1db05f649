#include "text/template/input.h"

#include <algorithm>

#include "text/template/exact_json.h"

namespace burnish::jinja {
namespace {

using nlohmann::ordered_json;
constexpr int kMaxDepth = 200;

/// Everything below one key of one message has the same origin.
class Converter {
 public:
  Converter(Runtime& runtime, const Tag& tag)
      : runtime_(runtime),
        tag_(tag),
        run_(tag == Tag{} ? &kTemplateRun : runtime.arena.make<Run>(kEndless, tag)) {}

  Value text(const std::string& bytes) const {
    return Value::of(make_text(runtime_.arena, bytes, run_));
  }
  Value value(const ordered_json& json, int depth = 0) const;

 private:
  Value big(const std::string& digits) const {
    Value result = runtime_.text(digits);
    result.type = Type::big_integer;
    return result.with_origin(tag_);
  }

  Runtime& runtime_;
  Tag tag_;
  const Run* run_;
};

Value Converter::value(const ordered_json& json, int depth) const {
  if (depth > kMaxDepth) {
    fail("RecursionError", "data nested more than " + std::to_string(kMaxDepth) + " levels deep");
  }
  switch (json.type()) {
    case ordered_json::value_t::null:
      return Value::none().with_origin(tag_);
    case ordered_json::value_t::boolean:
      return Value::of(json.get_ref<const bool&>()).with_origin(tag_);
    case ordered_json::value_t::number_integer:
      return Value::of(json.get_ref<const int64_t&>()).with_origin(tag_);
    case ordered_json::value_t::number_unsigned: {
      const uint64_t number = json.get_ref<const uint64_t&>();
      if (number > INT64_MAX) return big(std::to_string(number));
      return Value::of(static_cast<int64_t>(number)).with_origin(tag_);
    }
    case ordered_json::value_t::number_float:
      return Value::of(json.get_ref<const double&>()).with_origin(tag_);
    case ordered_json::value_t::string:
      return text(json.get_ref<const std::string&>());
    case ordered_json::value_t::array: {
      ListBuilder items(runtime_.arena, json.size());
      for (const auto& item : json) items.append(value(item, depth + 1));
      return Value::list_of(items.finish()).with_origin(tag_);
    }
    case ordered_json::value_t::object: {
      Dict* dict = make_dict(runtime_, json.size());
      for (const auto& [key, entry] : json.items()) {
        insert(runtime_, *dict, text(key), value(entry, depth + 1));
      }
      return Value::of(static_cast<const Dict*>(dict)).with_origin(tag_);
    }
    case ordered_json::value_t::binary:
      if (const std::string digits = big_integer_digits(json); !digits.empty()) return big(digits);
      break;
    case ordered_json::value_t::discarded:
      break;
  }
  fail("TypeError", "the data holds something that is not JSON");
}

Part part_of(std::string_view key) {
  if (key == "role") return Part::role;
  if (key == "content") return Part::content;
  if (key == "reasoning_content" || key == "thinking" || key == "reasoning") return Part::reasoning;
  if (key == "tool_calls") return Part::tool_call;
  return Part::other;
}

/// The first that is there of the names under which reasoning is passed.
const ordered_json* reasoning_of(const ordered_json& message) {
  for (const char* key : {"reasoning_content", "thinking", "reasoning"}) {
    const auto found = message.find(key);
    if (found != message.end() && !found->is_null()) return &*found;
  }
  return nullptr;
}

/// As transformers hands it to a template: keys without value are dropped, reasoning is found under
/// `thinking` and `reasoning_content`.
Value message_value(Runtime& runtime, const ordered_json& message, int32_t index) {
  if (!message.is_object()) {
    fail("TypeError", "message " + std::to_string(index) + " is not an object but " +
                          std::string(message.type_name()));
  }
  const Tag whole{index, 0, Part::other};
  const Converter names(runtime, whole);
  const ordered_json* reasoning = reasoning_of(message);
  Dict* dict = make_dict(runtime, message.size() + 2);
  const auto add = [&](const std::string& key, const ordered_json& json) {
    const Converter converter(runtime, {index, 0, part_of(key)});
    insert(runtime, *dict, names.text(key), converter.value(json, 1));
  };
  static const std::string kThinking = "thinking", kReasoning = "reasoning_content";
  if (reasoning != nullptr) add(kThinking, *reasoning);
  for (const auto& [key, json] : message.items()) {
    if (!json.is_null()) add(key, json);
  }
  if (reasoning != nullptr) add(kReasoning, *reasoning);
  return Value::of(static_cast<const Dict*>(dict)).with_origin(whole);
}

Value messages_value(Runtime& runtime, const ordered_json& messages) {
  if (!messages.is_array()) fail("TypeError", "messages is not a list");
  ListBuilder items(runtime.arena, messages.size());
  int32_t index = 0;
  for (const auto& message : messages) items.append(message_value(runtime, message, index++));
  return Value::list_of(items.finish());
}

/// tools, documents: null or a list of objects.
Value objects_value(Runtime& runtime, const ordered_json& list, const char* name) {
  if (list.is_null()) return Value::none();
  const bool good = list.is_array() && std::all_of(list.begin(), list.end(), [](const auto& item) {
                      return item.is_object();
                    });
  if (!good) fail("TypeError", std::string(name) + " is not a list of objects");
  return Converter(runtime, {-1, 0, Part::tools}).value(list);
}

}  // namespace

Value input_variable(Runtime& runtime, const RenderInput& input, const std::string& name) {
  if (const auto found = input.extra.find(name); found != input.extra.end()) {
    return Converter(runtime, {}).value(*found);
  }
  if (name == "messages") return messages_value(runtime, input.messages);
  if (name == "tools") return objects_value(runtime, input.tools, "tools");
  if (name == "documents") return objects_value(runtime, input.documents, "documents");
  if (name == "add_generation_prompt") return Value::of(input.add_generation_prompt);
  if (const auto found = input.special_tokens.find(name); found != input.special_tokens.end()) {
    return Converter(runtime, {}).text(found->second);
  }
  return {};
}

}  // namespace burnish::jinja
