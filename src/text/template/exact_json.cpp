#include "text/template/exact_json.h"

#include "base/error.h"
#include "format/utf8.h"

namespace burnish {
namespace {

using nlohmann::ordered_json;
constexpr uint8_t kBigInteger = 'i';

/// Builds the value; only numbers are treated otherwise than by nlohmann's own builder.
class Builder : public nlohmann::json_sax<ordered_json> {
 public:
  ordered_json root;
  std::string problem;

  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(number_integer_t value) override { return add(value); }
  bool number_unsigned(number_unsigned_t value) override { return add(value); }
  bool number_float(number_float_t value, const string_t& text) override {
    const bool whole = text.find_first_of(".eE") == std::string::npos;
    return add(whole ? big_integer(text) : ordered_json(value));
  }
  bool string(string_t& value) override { return add(std::move(value)); }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(ordered_json::object()); }
  bool start_array(std::size_t) override { return open(ordered_json::array()); }
  bool key(string_t& value) override {
    key_ = std::move(value);
    return true;
  }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception& e) override {
    problem = with_replacement_characters(e.what());
    return false;
  }

 private:
  ordered_json* place(ordered_json value) {
    if (open_.empty()) return &(root = std::move(value));
    ordered_json& parent = *open_.back();
    if (parent.is_object()) return &(parent[key_] = std::move(value));
    parent.push_back(std::move(value));
    return &parent.back();
  }
  bool add(ordered_json value) {
    place(std::move(value));
    return true;
  }
  bool open(ordered_json value) {
    open_.push_back(place(std::move(value)));
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  std::vector<ordered_json*> open_;  // none moves while it is open: only the innermost grows
  std::string key_;
};

}  // namespace

ordered_json parse_exact_json(std::string_view text, const std::string& where) {
  Builder builder;
  if (!ordered_json::sax_parse(text.begin(), text.end(), &builder)) {
    throw Error(ErrorCode::data, builder.problem.empty() ? "no JSON" : builder.problem, where);
  }
  return std::move(builder.root);
}

ordered_json big_integer(const std::string& digits) {
  return ordered_json::binary({digits.begin(), digits.end()}, kBigInteger);
}

std::string big_integer_digits(const ordered_json& value) {
  if (!value.is_binary() || value.get_binary().subtype() != kBigInteger) return {};
  return {value.get_binary().begin(), value.get_binary().end()};
}

}  // namespace burnish
