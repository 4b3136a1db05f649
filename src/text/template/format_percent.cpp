#include <cmath>

#include "text/template/access.h"
#include "text/template/format.h"
#include "text/template/markup.h"
#include "text/template/operators.h"
#include "text/template/python_text.h"
#include "text/template/unicode.h"

namespace burnish::jinja {
namespace {

class PercentFormatter {
 public:
  PercentFormatter(Runtime& runtime, const Str& format, const Value& arguments)
      : runtime_(runtime),
        format_(format),
        all_(format.view()),
        out_(runtime.arena, format.size + 32),
        arguments_(arguments) {
    if (arguments.is(Type::tuple)) {
      positional_ = arguments.items();
    } else {
      positional_ = {&arguments_, 1};
    }
  }

  const Str* run();

 private:
  void convert();
  void read_spec();
  int64_t read_number();
  const Value& next_argument();
  void append_conversion(const Value& value);
  void append_number(const Value& value);
  [[noreturn]] void fail_incomplete() { fail("ValueError", "incomplete format"); }

  Runtime& runtime_;
  const Str& format_;
  std::string_view all_;
  TextBuilder out_;
  Value arguments_;
  std::span<const Value> positional_;
  size_t used_ = 0, at_ = 0;
  FormatSpec spec_;
  bool zero_ = false, left_ = false;
};

const Str* PercentFormatter::run() {
  while (at_ < all_.size()) {
    runtime_.charge(1);
    const size_t percent = std::min(all_.find('%', at_), all_.size());
    out_.append(format_, at_, percent);
    at_ = percent;
    if (at_ < all_.size()) convert();
  }
  const bool mapping = arguments_.is(Type::dict) || arguments_.is(Type::list);
  if (used_ < positional_.size() && !mapping) {
    fail("TypeError", "not all arguments converted during string formatting");
  }
  return out_.finish(format_.markup);
}

int64_t PercentFormatter::read_number() {
  if (at_ < all_.size() && all_[at_] == '*') {
    ++at_;
    const Value& value = next_argument();
    if (!value.is_index()) fail("TypeError", "* wants int");
    return value.index();
  }
  int64_t number = 0;
  for (; at_ < all_.size() && all_[at_] >= '0' && all_[at_] <= '9'; ++at_) {
    number = number * 10 + (all_[at_] - '0');
    if (number > (int64_t{1} << 31)) fail("ValueError", "width too big");
  }
  return number;
}

void PercentFormatter::read_spec() {
  spec_ = {};
  zero_ = left_ = false;
  for (; at_ < all_.size(); ++at_) {
    const char c = all_[at_];
    if (c == '#')
      spec_.alternate = true;
    else if (c == '0')
      zero_ = true;
    else if (c == '-')
      left_ = true;
    else if (c == ' ')
      spec_.sign = spec_.sign == '+' ? '+' : ' ';
    else if (c == '+')
      spec_.sign = '+';
    else
      break;
  }
  spec_.width = read_number();
  if (spec_.width < 0) {
    left_ = true;
    spec_.width = spec_.width == INT64_MIN ? 0 : -spec_.width;
  }
  if (at_ < all_.size() && all_[at_] == '.') {
    ++at_;
    spec_.precision = std::max<int64_t>(0, read_number());
  }
  if (at_ < all_.size() && std::string_view("hlL").find(all_[at_]) != std::string_view::npos) ++at_;
  if (at_ == all_.size()) fail_incomplete();
  spec_.type = all_[at_++];
}

const Value& PercentFormatter::next_argument() {
  if (used_ == positional_.size()) fail("TypeError", "not enough arguments for format string");
  return positional_[used_++];
}

void PercentFormatter::convert() {
  ++at_;  // the percent sign
  const Value* named = nullptr;
  Value entry;
  if (at_ < all_.size() && all_[at_] == '(') {
    if (!arguments_.is(Type::dict)) fail("TypeError", "format requires a mapping");
    const size_t close = all_.find(')', at_);
    if (close == std::string_view::npos) fail("ValueError", "incomplete format key");
    const std::string_view key = all_.substr(at_ + 1, close - at_ - 1);
    const Value* found = arguments_.dict->find(key);
    if (found == nullptr) fail("KeyError", "'" + std::string(key) + "'");
    entry = *found;
    named = &entry;
    at_ = close + 1;
  }
  read_spec();
  if (spec_.type == '%') {
    out_.append(format_, at_ - 1, at_);
    return;
  }
  append_conversion(named != nullptr ? *named : next_argument());
}

void PercentFormatter::append_conversion(const Value& value) {
  const Str* text = nullptr;
  switch (spec_.type) {
    case 's':
      text = to_text(runtime_, value);
      break;
    case 'r':
    case 'a': {
      TextBuilder repr(runtime_.arena);
      append_repr(runtime_, repr, value);
      text = repr.finish();
      break;
    }
    case 'c':
      if (!value.is_string()) return append_number(value);
      if (value.text->character_count() != 1) fail("TypeError", "%c requires int or char");
      text = value.text;
      break;
    default:
      return append_number(value);
  }
  if (spec_.precision >= 0) {
    const size_t end = byte_of_character(text->view(), static_cast<size_t>(spec_.precision));
    text = slice_text(runtime_.arena, *text, 0, end);
  }
  if (format_.markup) text = escape(runtime_, value.is_string() ? *value.text : *text);
  append_padded(out_, *text, spec_, left_ ? '<' : '>', format_.tag());
}

void PercentFormatter::append_number(const Value& value) {
  const bool real = std::string_view("eEfFgG").find(spec_.type) != std::string_view::npos;
  if (!real && std::string_view("diuoxXc").find(spec_.type) == std::string_view::npos) {
    size_t end = at_ - 1;
    next_character(all_, end);
    fail("ValueError",
         "unsupported format character '" + std::string(all_.substr(at_ - 1, end - at_ + 1)) + "'");
  }
  if (value.is_undefined()) fail_undefined(value);
  if (!value.is_number() && !value.is(Type::big_integer)) {
    fail("TypeError", std::string("%") + spec_.type + " format: a number is required, not " +
                          std::string(type_name(value)));
  }
  Value number = value;
  const bool decimal = spec_.type == 'd' || spec_.type == 'i' || spec_.type == 'u';
  if (!real && value.is(Type::real)) {
    if (!decimal) fail("TypeError", "an integer is required, not float");
    if (!(std::abs(value.real) < 9e18)) fail("OverflowError", "cannot convert float to integer");
    number = Value::of(static_cast<int64_t>(value.real));
  }
  FormatSpec spec = spec_;
  if (decimal) spec.type = 'd';
  int64_t digits = -1;
  if (!real) std::swap(digits, spec.precision);  // for integers: the least number of digits
  std::string text = format_number(number, spec);
  if (!real && spec_.precision > 0 && spec_.type != 'c') {
    size_t first = text.find_first_not_of("+- ");
    if (spec.alternate && spec.type != 'd') first += 2;
    if (static_cast<int64_t>(text.size() - first) < digits) {
      if (digits > (1 << 20)) fail("OverflowError", "precision too large");
      text.insert(first, static_cast<size_t>(digits) - (text.size() - first), '0');
    }
  }
  const Tag tag = value.tag();
  const Str* formatted = runtime_.text(text, tag).text;
  if (zero_ && !left_) spec.fill = "0";
  append_padded(out_, *formatted, spec, left_ ? '<' : zero_ ? '=' : '>', tag);
}

}  // namespace

Value format_percent(Runtime& runtime, const Str& format, const Value& arguments) {
  return Value::of(PercentFormatter(runtime, format, arguments).run());
}

}  // namespace burnish::jinja
