#include "data/row_collector.h"

#include <utility>

#include "base/error.h"

namespace burnish {

RowCollector::RowCollector(std::string file, const RowOptions& options)
    : file_(std::move(file)), options_(options), format_(options.format) {}

void RowCollector::add(int64_t line, const std::function<nlohmann::ordered_json()>& parse) {
  const SourceLine where{file_, line};
  try {
    Conversation row = conversation_from_json(parse(), where, format_);
    if (format_ == "auto") format_ = row.is_text ? "text" : "messages";
    result_.rows.push_back(std::move(row));
  } catch (const Error& error) {
    const bool of_the_row =
        error.code() == ErrorCode::data || error.code() == ErrorCode::unsupported;
    if (!options_.skip_bad_lines || !of_the_row) throw;
    result_.bad_lines.push_back({where, error.fact()});
  }
}

RowsOfFile RowCollector::take() {
  if (!result_.rows.empty()) return std::move(result_);
  if (result_.bad_lines.empty())
    throw Error(ErrorCode::data, "the file has no rows", file_, "Is it the right file?");
  if (options_.allow_all_bad) return std::move(result_);
  const BadLine& first = result_.bad_lines.front();
  throw Error(ErrorCode::data,
              "none of the " + std::to_string(result_.bad_lines.size()) +
                  " rows can be used; the first, line " + std::to_string(first.where.line) + ": " +
                  first.reason,
              file_);
}

}  // namespace burnish
