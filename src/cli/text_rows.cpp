#include "cli/text_rows.h"

#include <ctime>

#include "base/date.h"
#include "base/error.h"
#include "format/json.h"

namespace burnish {
namespace {

/// Byte offsets of a UTF-8 text as character offsets.
class Characters {
 public:
  explicit Characters(std::string_view text) : before_(text.size() + 1) {
    size_t count = 0;
    for (size_t i = 0; i < text.size(); ++i) {
      before_[i] = count;
      const bool ends_character =
          i + 1 == text.size() || (static_cast<unsigned char>(text[i + 1]) & 0xC0U) != 0x80U;
      if (ends_character) ++count;
    }
    before_[text.size()] = count;
  }
  Json of(ByteSpan span) const { return {before_[span.begin], before_[span.end]}; }

 private:
  std::vector<size_t> before_;
};

const char* name_of(Part part) {
  switch (part) {
    case Part::template_text:
      return "template";
    case Part::role:
      return "role";
    case Part::content:
      return "content";
    case Part::reasoning:
      return "reasoning";
    case Part::tool_call:
      return "tool_call";
    case Part::tools:
      return "tools";
    case Part::other:
      return "other";
  }
  return "other";
}

const Json& member(const Json& row, const char* name, Json::value_t type, const char* kind) {
  if (!row.is_object() || !row.contains(name))
    throw Error(ErrorCode::data, std::string("the row has no \"") + name + "\"", {},
                "write one JSON object a line");
  const Json& value = row.at(name);
  if (value.type() != type)
    throw Error(ErrorCode::data,
                std::string("\"") + name + "\" must be " + kind + ", not " + value.type_name());
  return value;
}

std::vector<int32_t> ids_of_row(const Json& row) {
  std::vector<int32_t> ids;
  for (const Json& id : member(row, "ids", Json::value_t::array, "a list of ids")) {
    const bool fits = id.is_number_integer() && (!id.is_number_unsigned() || id <= INT32_MAX) &&
                      id >= INT32_MIN && id <= INT32_MAX;
    if (!fits) throw Error(ErrorCode::data, "\"ids\" holds " + id.dump() + ", which is no id");
    ids.push_back(id.get<int32_t>());
  }
  return ids;
}

std::time_t time_of(const std::string& date) {
  if (date.empty()) return std::time(nullptr);
  if (const auto time = parse_date(date)) return *time;
  throw Error(ErrorCode::usage, "`" + date + "` is no date", "--date", "write YYYY-MM-DD");
}

constexpr int kMaxDepth = 128;

/// @throws Error(data) at PLACE
Json parsed(std::string_view line, const std::string& place) {
  const auto bounded = [&](int depth, Json::parse_event_t, Json&) {
    if (depth > kMaxDepth)
      throw Error(ErrorCode::data, "more than " + std::to_string(kMaxDepth) + " levels of JSON",
                  place);
    return true;
  };
  try {
    return Json::parse(line, bounded);
  } catch (const Json::exception& error) {
    throw Error(ErrorCode::data, "this is not JSON: " + json_reason(error), place,
                "write one JSON object a line");
  }
}

Json error_line(const Error& error, const std::string& place) {
  return {{"error",
           {{"code", burnish::name_of(error.code())},
            {"what", error.fact()},
            {"where", error.where().empty() ? place : error.where()},
            {"advice", error.advice()}}}};
}

}  // namespace

Json encoded(const Tokenizer& tokenizer, const std::string& text, const RowOptions& options) {
  EncodeOptions encode;
  encode.add_special_tokens = options.add_special_tokens;
  const Encoding encoding = tokenizer.encode(text, encode);
  Json line = {{"ids", encoding.ids}};
  if (options.tokens) {
    line["tokens"] = Json::array();
    for (const int32_t id : encoding.ids) line["tokens"].push_back(tokenizer.token_of(id));
  }
  if (options.offsets) {
    const Characters characters(text);
    line["offsets"] = Json::array();
    for (const ByteSpan& span : encoding.offsets) line["offsets"].push_back(characters.of(span));
  }
  return line;
}

Json decoded(const Tokenizer& tokenizer, const Json& row, const RowOptions& options) {
  return {{"text", tokenizer.decode(ids_of_row(row), options.skip_special_tokens)}};
}

Json rendered(const Template& chat_template, const std::map<std::string, std::string>& special,
              const Json& row, const RowOptions& options) {
  RenderInput input;
  input.messages = member(row, "messages", Json::value_t::array, "a list of messages");
  if (row.contains("tools")) input.tools = row.at("tools");
  if (row.contains("documents")) input.documents = row.at("documents");
  input.add_generation_prompt = options.add_generation_prompt;
  input.special_tokens = special;
  input.now = time_of(options.date);
  const Rendered rendered = chat_template.render(input);
  Json line = {{"text", rendered.text}};
  if (!options.origins) return line;
  const Characters characters(rendered.text);
  line["origins"] = Json::array();
  for (const OriginRun& run : rendered.origins)
    line["origins"].push_back({{"span", characters.of(run.span)},
                               {"message", run.origin.message},
                               {"part", name_of(run.origin.part)}});
  return line;
}

std::string text_of_row(const Json& row) {
  return member(row, "text", Json::value_t::string, "text");
}

int for_each_row(const std::string& lines, const std::string& name, const RowAction& action,
                 const std::function<void(const Json&)>& print) {
  int status = 0;
  int64_t number = 0;
  for (size_t begin = 0; begin < lines.size();) {
    const size_t end = std::min(lines.find('\n', begin), lines.size());
    const std::string_view line = std::string_view(lines).substr(begin, end - begin);
    const std::string place = name + ":" + std::to_string(++number);
    begin = end + 1;
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    try {
      print(action(parsed(line, place)));
    } catch (const Error& error) {
      if (status == 0) status = exit_code(error.code());
      print(error_line(error, place));
    }
  }
  return status;
}

std::string json_line(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string plain_line(const Json& value) {
  if (value.contains("error")) {
    const Json& error = value["error"];
    return "error: " + error["where"].get<std::string>() + ": " + error["what"].get<std::string>();
  }
  if (value.contains("text")) return value["text"];
  std::string ids;
  for (const Json& id : value["ids"]) ids += (ids.empty() ? "" : " ") + id.dump();
  return ids;
}

}  // namespace burnish
