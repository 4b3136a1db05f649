#include "data/jsonl.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "data/json_line.h"
#include "hub/content_hash.h"
#include "hub/remote_data.h"

namespace burnish {
namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

// Lines that are not blank; "\n" alone ends a line.
class Lines {
 public:
  explicit Lines(std::string_view text) : rest_(text) {}

  std::optional<JsonPiece> next() {
    while (!rest_.empty()) {
      const size_t end = rest_.find('\n');
      const bool last = end == std::string_view::npos;
      const std::string_view line = rest_.substr(0, end);
      rest_.remove_prefix(last ? rest_.size() : end + 1);
      ++line_;
      if (!trimmed(line).empty()) return JsonPiece{line, line_, 1, last};
    }
    return {};
  }

 private:
  std::string_view rest_;
  int64_t line_ = 0;
};

// The elements of a file that is one JSON array, each with the line that it begins on. Only cuts:
// brackets and strings are followed, the rest is left to the parser of the pieces.
class ArrayElements {
 public:
  ArrayElements(std::string_view text, std::string file)
      : text_(text), file_(std::move(file)), at_(text.find('[') + 1) {
    count_lines(0);
  }

  std::optional<JsonPiece> next() {
    if (closed_) return {};
    skip_blanks();
    if (first_ && at_ < text_.size() && text_[at_] == ']') return close();
    first_ = false;
    const size_t begin = at_;
    const int64_t line = line_, column = static_cast<int64_t>(begin - line_begin_) + 1;
    size_t open = 0;
    for (bool in_string = false; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '\n') begin_line(at_);
      if (in_string) {
        if (c == '\\' && at_ + 1 < text_.size() && text_[at_ + 1] != '\n') ++at_;
        if (c == '"') in_string = false;
      } else if (c == '"') {
        in_string = true;
      } else if (c == '[' || c == '{') {
        ++open;
      } else if (open > 0 && (c == ']' || c == '}')) {
        --open;
      } else if (open == 0 && (c == ',' || c == ']')) {
        const JsonPiece piece{trimmed(text_.substr(begin, at_ - begin)), line, column};
        if (piece.text.empty()) fail("an element is missing before '" + std::string(1, c) + "'");
        if (c == ']') return close(), piece;
        ++at_;
        return piece;
      }
    }
    fail("the JSON array does not end", "The file seems to be cut off: fetch or write it again");
  }

 private:
  [[noreturn]] void fail(std::string what, std::string advice = {}) const {
    throw Error(ErrorCode::data, std::move(what), place_of({file_, line_}), std::move(advice));
  }
  void begin_line(size_t newline) {
    ++line_;
    line_begin_ = newline + 1;
  }
  void count_lines(size_t from) {
    for (size_t i = from; i < at_; ++i)
      if (text_[i] == '\n') begin_line(i);
  }
  void skip_blanks() {
    const size_t from = at_;
    while (at_ < text_.size() &&
           std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos)
      ++at_;
    count_lines(from);
  }
  std::optional<JsonPiece> close() {
    closed_ = true;
    ++at_;
    skip_blanks();
    if (at_ < text_.size()) fail("there is text behind the JSON array");
    return {};
  }

  std::string_view text_;
  std::string file_;
  size_t at_, line_begin_ = 0;
  int64_t line_ = 1;
  bool first_ = true, closed_ = false;
};

// What is no text file of UTF-8 is better refused by its name than by its first odd byte.
void refuse_other_kinds(std::string_view text, const std::string& file) {
  const auto begins = [&](std::string_view magic) { return text.substr(0, magic.size()) == magic; };
  using namespace std::string_view_literals;
  if (begins("\xFF\xFE"sv) || begins("\xFE\xFF"sv) || text.substr(0, 2).find('\0') != text.npos)
    throw Error(ErrorCode::data, "the file is UTF-16 or UTF-32, not UTF-8", file,
                "Convert it: iconv -f UTF-16 -t UTF-8");
  if (begins("\x1F\x8B"sv) || begins("\x28\xB5\x2F\xFD"sv) || begins("BZh"sv) ||
      begins("\xFD"
             "7zXZ"sv))
    throw Error(ErrorCode::unsupported, "the file is compressed", file, "Unpack it first");
  if (begins("PAR1"sv))
    throw Error(ErrorCode::unsupported, "the file is Parquet", file,
                "Give it a name that ends in .parquet");
}

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

bool is_array(std::string_view text) {
  const size_t start = text.find_first_not_of(" \t\r\n");
  return start != std::string_view::npos && text[start] == '[';
}

// The lines of a file of the hub. At its end the bytes are held against their hash.
class RemoteLines {
 public:
  RemoteLines(RemoteData& data, std::string file, Hash* hash)
      : data_(data),
        file_(std::move(file)),
        hash_(hash),
        content_(begin_content_hash(data.hash(), data.size())) {}

  std::optional<JsonPiece> next() {
    while (true) {
      const size_t end = window_.find('\n', scanned_);
      const bool last = end == std::string::npos;
      if (last && read_ < data_.size()) {
        fetch();
        continue;
      }
      if (last && begin_ == window_.size()) return {};
      const std::string_view line =
          std::string_view(window_).substr(begin_, (last ? window_.size() : end) - begin_);
      begin_ = scanned_ = last ? window_.size() : end + 1;
      ++line_;
      if (!trimmed(line).empty()) return JsonPiece{line, line_, 1, last};
    }
  }

 private:
  static constexpr size_t kWindowBytes = 4 << 20;

  // Behind the line that is not whole yet.
  void fetch() {
    window_.erase(0, begin_);
    begin_ = 0;
    scanned_ = window_.size();
    const size_t size = std::min<uint64_t>(kWindowBytes, data_.size() - read_);
    window_.resize(scanned_ + size);
    const auto bytes = std::as_writable_bytes(std::span(window_)).subspan(scanned_);
    data_.read(read_, bytes);
    content_.update(bytes);
    if (hash_ != nullptr) hash_->update(bytes);
    if (read_ == 0) begin_file();
    read_ += size;
    if (read_ == data_.size()) check_hash();
  }

  void begin_file() {
    refuse_other_kinds(window_, file_);
    if (window_.starts_with(kByteOrderMark)) begin_ = scanned_ = kByteOrderMark.size();
    if (is_array(std::string_view(window_).substr(begin_)))
      throw Error(ErrorCode::unsupported,
                  "the file is one JSON array, which is not read as a stream", file_,
                  "Get it with burnish hub get --dataset, and name it by its path");
  }

  void check_hash() {
    const std::string hash = content_.hex();
    if (hash != data_.hash())
      throw Error(ErrorCode::io, "its hash is " + hash + ", not " + data_.hash(), file_,
                  "It is not what the hub lists: try again later, or look at HF_ENDPOINT");
  }

  RemoteData& data_;
  std::string file_;
  Hash* hash_;
  Hash content_;
  std::string window_;
  size_t begin_ = 0, scanned_ = 0;  // in the window: of the next line, and how far it has no end
  uint64_t read_ = 0;               // of the file
  int64_t line_ = 0;
};

RowsOfFile read_local(const std::string& file, const RowOptions& options, Hash* hash) {
  const MappedFile mapped(file);
  if (hash != nullptr) hash->update(mapped.bytes());
  std::string_view text = mapped.text();
  refuse_other_kinds(text, file);
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  RowCollector rows(file, options);
  JsonLineParser parser;
  const auto add = [&](const JsonPiece& piece) {
    rows.add(piece.line, [&] { return parser.parse(piece, file); });
  };
  if (is_array(text)) {
    log_info(file + " is one JSON array: each of its elements is read as a row");
    ArrayElements elements(text, file);
    while (const auto piece = elements.next()) add(*piece);
  } else {
    Lines lines(text);
    while (const auto piece = lines.next()) add(*piece);
  }
  return rows.take();
}

RowsOfFile read_remote(const std::string& file, const RowOptions& options, Hash* hash) {
  RemoteData data(parse_remote_data(file), hub_settings());
  RemoteLines lines(data, file, hash);
  RowCollector rows(file, options);
  JsonLineParser parser;
  while (const auto piece = lines.next())
    rows.add(piece->line, [&] { return parser.parse(*piece, file); });
  return rows.take();
}

}  // namespace

RowsOfFile read_jsonl(const std::string& file, const RowOptions& options, Hash* hash) {
  return is_remote_data(file) ? read_remote(file, options, hash) : read_local(file, options, hash);
}

}  // namespace burnish
