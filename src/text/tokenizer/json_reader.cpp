#include "text/tokenizer/json_reader.h"

#include <limits>

#include "base/error.h"
#include "format/json.h"

namespace burnish {
namespace {

using nlohmann::json;

constexpr size_t kDeepest = 64;

// Builds the tree; where `document` is given, model.vocab and model.merges go there instead.
class Builder : public nlohmann::json_sax<json> {
 public:
  Builder(const std::string& name, json& root, TokenizerDocument* document)
      : name_(name), root_(root), document_(document) {}

  bool null() override { return put(nullptr); }
  bool boolean(bool value) override { return put(value); }
  bool number_integer(number_integer_t value) override { return number(value); }
  bool number_unsigned(number_unsigned_t value) override {
    const bool fits = value <= uint64_t(std::numeric_limits<int64_t>::max());
    return number(fits ? static_cast<int64_t>(value) : std::numeric_limits<int64_t>::max());
  }
  bool number_float(number_float_t value, const string_t&) override { return put(value); }
  bool binary(binary_t&) override { return false; }

  bool string(string_t& value) override {
    if (mode_ != Mode::merges) return put(std::move(value));
    if (pair_depth_ == 0) {
      const size_t space = value.find(' ');
      if (space == std::string::npos || value.find(' ', space + 1) != std::string::npos)
        refuse("key 'model.merges[" + std::to_string(document_->merges.size()) +
               "]': a merge is two tokens with one space between them, not \"" + value + "\"");
      document_->merges.emplace_back(value.substr(0, space), value.substr(space + 1));
    } else if (pair_depth_ == 1) {
      pair_.push_back(std::move(value));
    }
    return true;
  }

  bool key(string_t& value) override {
    if (mode_ == Mode::vocabulary)
      token_ = std::move(value);
    else
      key_ = std::move(value);
    return true;
  }

  bool start_object(size_t) override {
    if (mode_ != Mode::tree) entry_of_wrong_type();
    if (document_ != nullptr && path_is("vocab")) return mode_ = Mode::vocabulary, true;
    return open(json::object());
  }

  bool start_array(size_t) override {
    if (mode_ == Mode::vocabulary) entry_of_wrong_type();
    if (mode_ == Mode::merges) {
      if (++pair_depth_ > 1) entry_of_wrong_type();
      return true;
    }
    if (document_ != nullptr && path_is("merges")) return mode_ = Mode::merges, true;
    return open(json::array());
  }

  bool end_object() override {
    if (mode_ == Mode::vocabulary) return mode_ = Mode::tree, true;
    return close();
  }

  bool end_array() override {
    if (mode_ != Mode::merges) return close();
    if (pair_depth_ == 0) return mode_ = Mode::tree, true;
    if (pair_.size() != 2) entry_of_wrong_type();
    document_->merges.emplace_back(std::move(pair_[0]), std::move(pair_[1]));
    pair_.clear();
    --pair_depth_;
    return true;
  }

  bool parse_error(size_t position, const std::string&, const json::exception& error) override {
    refuse("this is not valid JSON (byte " + std::to_string(position) + "): " + json_reason(error));
  }

 private:
  enum class Mode { tree, vocabulary, merges };

  [[noreturn]] void refuse(const std::string& what) const {
    throw Error(ErrorCode::model, what, name_);
  }

  [[noreturn]] void entry_of_wrong_type() const {
    if (mode_ == Mode::vocabulary)
      refuse("key 'model.vocab': the id of \"" + token_ + "\" is not a whole number");
    refuse("key 'model.merges[" + std::to_string(document_->merges.size()) +
           "]': a merge is a string or a pair of strings");
  }

  // Is the value that comes now the one at model.NAME?
  bool path_is(const char* name) const {
    return open_.size() == 2 && keys_.back() == "model" && key_ == name && open_[1]->is_object();
  }

  bool number(int64_t value) {
    if (mode_ != Mode::vocabulary) return put(value);
    document_->vocabulary.emplace_back(std::move(token_), value);
    return true;
  }

  bool put(json value) {
    if (mode_ != Mode::tree) entry_of_wrong_type();
    place(std::move(value));
    return true;
  }

  json& place(json value) {
    if (open_.empty()) return root_ = std::move(value);
    if (open_.back()->is_object()) return (*open_.back())[key_] = std::move(value);
    open_.back()->push_back(std::move(value));
    return open_.back()->back();
  }

  bool open(json value) {
    if (open_.size() >= kDeepest)
      refuse("the JSON is nested deeper than " + std::to_string(kDeepest) + " levels");
    json& placed = place(std::move(value));
    keys_.push_back(key_);
    open_.push_back(&placed);
    return true;
  }

  bool close() {
    open_.pop_back();
    keys_.pop_back();
    return true;
  }

  const std::string& name_;
  json& root_;
  TokenizerDocument* document_;
  Mode mode_ = Mode::tree;
  std::vector<json*> open_;        // containers from the root to here
  std::vector<std::string> keys_;  // the key under which each of them stands
  std::string key_, token_;
  int pair_depth_ = 0;
  std::vector<std::string> pair_;
};

json read(std::string_view text, const std::string& name, TokenizerDocument* document) {
  json root;
  Builder builder(name, root, document);
  json::sax_parse(text, &builder);
  if (!root.is_object())
    throw Error(ErrorCode::model, std::string("a JSON object is needed, not ") + root.type_name(),
                name);
  return root;
}

}  // namespace

TokenizerDocument read_tokenizer_document(std::string_view text, const std::string& name) {
  TokenizerDocument document;
  document.root = read(text, name, &document);
  return document;
}

json read_json_object(std::string_view text, const std::string& name) {
  return read(text, name, nullptr);
}

}  // namespace burnish
