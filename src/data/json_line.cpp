#include "data/json_line.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <unordered_map>
#include <utility>

#include "base/error.h"
#include "format/utf8.h"

namespace burnish {
namespace {
using Json = nlohmann::ordered_json;
namespace dom = simdjson::dom;

constexpr size_t kLevels = 128;
constexpr size_t kFewKeys = 16;  // up to here a linear search is quicker than a table

// Runs through a text only to find where it stops being one JSON value.
struct FaultFinder : nlohmann::json_sax<Json> {
  size_t position = 0;  // bytes read when the fault was seen; 0: none
  int64_t open = 0;
  bool complete = false;

  bool value() { return complete = open == 0, true; }
  bool null() override { return value(); }
  bool boolean(bool) override { return value(); }
  bool number_integer(number_integer_t) override { return value(); }
  bool number_unsigned(number_unsigned_t) override { return value(); }
  bool number_float(number_float_t, const string_t&) override { return value(); }
  bool string(string_t&) override { return value(); }
  bool binary(binary_t&) override { return value(); }
  bool key(string_t&) override { return true; }
  bool start_object(size_t) override { return ++open, true; }
  bool start_array(size_t) override { return ++open, true; }
  bool end_object() override { return --open, value(); }
  bool end_array() override { return --open, value(); }
  bool parse_error(size_t at, const std::string&, const nlohmann::detail::exception&) override {
    return position = at, false;
  }
};

std::string excerpt(std::string_view text, size_t at) {
  size_t end = std::min(text.size(), at + 24);
  while (end < text.size() && (text[end] & 0xC0) == 0x80) ++end;
  return "'" + std::string(text.substr(at, end - at)) + (end < text.size() ? "...'" : "'");
}

// Raises errors about one piece, each at a byte of it.
class Fault {
 public:
  Fault(const JsonPiece& piece, const std::string& file) : piece_(piece), file_(file) {}

  [[noreturn]] void fail_at(size_t byte, std::string what, std::string advice = {}) const {
    const std::string_view before = piece_.text.substr(0, byte);
    const auto lines = std::count(before.begin(), before.end(), '\n');
    const size_t column =
        lines == 0 ? byte + static_cast<size_t>(piece_.column) : byte - before.rfind('\n');
    throw Error(ErrorCode::data, std::move(what),
                place_of({file_, piece_.line + lines}) + ":" + std::to_string(column),
                std::move(advice));
  }

  // Says why simdjson refused the text.
  [[noreturn]] void explain(simdjson::error_code code) const {
    const std::string_view text = piece_.text;
    if (const size_t bad = first_invalid_utf8(text); bad < text.size())
      fail_at(bad, "the text is not UTF-8", "Write the file again as UTF-8");
    if (code == simdjson::DEPTH_ERROR)
      fail_at(0, "the JSON value nests more than " + std::to_string(kLevels) + " levels");
    FaultFinder finder;
    Json::sax_parse(text.begin(), text.end(), &finder);
    if (finder.position == 0)
      fail_at(0, std::string("the JSON cannot be read: ") + simdjson::error_message(code));
    if (finder.position > text.size()) {
      fail_at(text.size(), "the line ends inside its JSON value",
              piece_.ends_file ? "The file seems to be cut off: fetch or write it again"
                               : "One row must be one line: a newline inside a text is \\n");
    }
    const size_t at = finder.position - 1;
    if (finder.complete) {
      fail_at(at, "more than one JSON value on the line, the next being " + excerpt(text, at),
              "Put each row on a line of its own");
    }
    fail_at(at, "not JSON from here on: " + excerpt(text, at));
  }

 private:
  const JsonPiece& piece_;
  const std::string& file_;
};

class Converter {
 public:
  Converter(const Fault& fault, bool check_surrogates)
      : fault_(fault), check_surrogates_(check_surrogates) {}

  Json convert(const dom::element& element) const {
    switch (element.type()) {
      case dom::element_type::ARRAY:
        return array_of(dom::array(element));
      case dom::element_type::OBJECT:
        return object_of(dom::object(element));
      case dom::element_type::STRING:
        return string_of(std::string_view(element));
      case dom::element_type::INT64:
        return int64_t(element);
      case dom::element_type::UINT64:
        return uint64_t(element);
      case dom::element_type::DOUBLE:
        return double(element);
      case dom::element_type::BOOL:
        return bool(element);
      case dom::element_type::NULL_VALUE:
        return nullptr;
    }
    throw Error(ErrorCode::internal, "a JSON element of no type");
  }

 private:
  std::string string_of(std::string_view text) const {
    // simdjson lets a lone low surrogate pass as three bytes
    if (check_surrogates_ && !is_utf8(text)) {
      fault_.fail_at(0, "a string holds half a surrogate pair (\\ud800 to \\udfff)",
                     "Remove it or write U+FFFD in its place");
    }
    return std::string(text);
  }

  Json array_of(const dom::array& array) const {
    Json list = Json::array();
    for (const dom::element item : array) list.push_back(convert(item));
    return list;
  }

  // nlohmann's ordered object searches linearly: with many keys that would take forever.
  Json object_of(const dom::object& object) const {
    Json result = Json::object();
    auto& members = result.get_ref<Json::object_t&>();
    std::unordered_map<std::string_view, size_t> index_of_key;
    const bool many = object.size() > kFewKeys;
    for (const auto [key, value] : object) {
      if (!many) {
        result[string_of(key)] = convert(value);
        continue;
      }
      const auto [found, is_new] = index_of_key.try_emplace(key, members.size());
      if (is_new)
        members.emplace_back(string_of(key), convert(value));
      else
        members.begin()[static_cast<int64_t>(found->second)].second = convert(value);
    }
    return result;
  }

  const Fault& fault_;
  bool check_surrogates_;
};

}  // namespace

JsonLineParser::JsonLineParser() {
  if (parser_.allocate(4096, kLevels) != simdjson::SUCCESS)
    throw Error(ErrorCode::internal, "no memory for the JSON parser");
}

Json JsonLineParser::parse(const JsonPiece& piece, const std::string& file) {
  const std::string_view text = piece.text;
  const Fault fault(piece, file);
  if (text.size() >= simdjson::SIMDJSON_MAXSIZE_BYTES)
    fault.fail_at(0, "the line has " + std::to_string(text.size()) + " bytes; 4 GiB is the limit");
  padded_.resize(std::max(padded_.size(), text.size() + simdjson::SIMDJSON_PADDING));
  std::memcpy(padded_.data(), text.data(), text.size());
  std::memset(padded_.data() + text.size(), 0, simdjson::SIMDJSON_PADDING);
  dom::element element;
  const auto code = parser_.parse(padded_.data(), text.size(), false).get(element);
  if (code != simdjson::SUCCESS) fault.explain(code);
  return Converter(fault, text.find("\\u") != std::string_view::npos).convert(element);
}

}  // namespace burnish
