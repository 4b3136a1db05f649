#include "format/json.h"

#include <set>
#include <vector>

#include "base/error.h"
#include "format/utf8.h"

namespace burnish {
namespace {

constexpr int kDeepest = 64;
constexpr size_t kMostOrderedKeys = 20'000;

[[noreturn]] void refuse(const std::string& what, const std::string& where) {
  throw Error(ErrorCode::model, what, where);
}

// Looks at every event of the parser; the document is refused at the first that does not hold.
template <class Json>
class Gate {
 public:
  Gate(const std::string& where, RepeatedKeys repeated, size_t most_keys)
      : where_(where), repeated_(repeated), most_keys_(most_keys) {}

  bool operator()(int depth, typename Json::parse_event_t event, Json& value) {
    using Event = typename Json::parse_event_t;
    if (depth > kDeepest)
      refuse("the JSON is nested deeper than " + std::to_string(kDeepest) + " levels", where_);
    if (event == Event::key && ++keys_ > most_keys_)
      refuse("the JSON has more than " + std::to_string(most_keys_) + " keys", where_);
    if (repeated_ == RepeatedKeys::last_wins) return true;
    if (event == Event::object_start) open_.emplace_back();
    if (event == Event::object_end) open_.pop_back();
    if (event == Event::key && !open_.back().insert(value.template get<std::string>()).second)
      refuse("the key " + value_text(value) + " stands there twice", where_);
    return true;
  }

 private:
  const std::string& where_;
  RepeatedKeys repeated_;
  size_t most_keys_, keys_ = 0;
  std::vector<std::set<std::string>> open_;  // keys of the objects that are open
};

template <class Json>
Json parse(std::string_view text, const std::string& where, Gate<Json> gate) {
  Json document;
  try {
    document = Json::parse(text, gate);
  } catch (const nlohmann::json::exception& error) {
    refuse("this is not valid JSON: " + json_reason(error), where);
  }
  if (!document.is_object())
    refuse(std::string("a JSON object is needed, not ") + document.type_name(), where);
  return document;
}

template <class Json>
std::string short_text(const Json& value) {
  std::string text = value.dump(-1, ' ', false, Json::error_handler_t::replace);
  constexpr size_t kLongest = 80;
  if (text.size() <= kLongest) return text;
  size_t end = kLongest;
  while ((text[end] & 0xC0) == 0x80) --end;  // whole characters
  return text.substr(0, end) + "...";
}

}  // namespace

nlohmann::json parse_json_object(std::string_view text, const std::string& where,
                                 RepeatedKeys repeated) {
  return parse(text, where, Gate<nlohmann::json>(where, repeated, SIZE_MAX));
}

nlohmann::ordered_json parse_ordered_json_object(std::string_view text, const std::string& where) {
  return parse(text, where,
               Gate<nlohmann::ordered_json>(where, RepeatedKeys::last_wins, kMostOrderedKeys));
}

std::string json_reason(const std::exception& error) {
  // it quotes up to the first byte that is wrong
  const std::string text = with_replacement_characters(error.what());
  const size_t end = text.find("] ");
  return end == std::string::npos ? text : text.substr(end + 2);
}

std::string value_text(const nlohmann::json& value) {
  return short_text(value);
}

std::string value_text(const nlohmann::ordered_json& value) {
  return short_text(value);
}

}  // namespace burnish
