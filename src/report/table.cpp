#include "report/table.h"

#include <algorithm>
#include <numeric>

#include "base/error.h"
#include "measure/display_width.h"

namespace burnish {
namespace {

constexpr int kGap = 2;
constexpr int kNarrowest = 8;

using Row = std::vector<std::string>;

std::vector<Row> cells_of(const std::vector<TableColumn>& columns, const std::vector<Row>& rows) {
  std::vector<Row> cells;
  Row headings;
  for (const TableColumn& column : columns) headings.push_back(column.heading);
  if (std::any_of(headings.begin(), headings.end(), [](const auto& h) { return !h.empty(); })) {
    cells.push_back(std::move(headings));
  }
  for (const Row& row : rows) {
    if (row.size() > columns.size()) {
      throw Error(ErrorCode::internal, "a row has more cells than the table has columns", "table");
    }
    Row& clean = cells.emplace_back(columns.size());
    std::transform(row.begin(), row.end(), clean.begin(), one_line);
  }
  return cells;
}

std::vector<int> widths_of(const std::vector<Row>& cells, size_t columns) {
  std::vector<int> widths(columns, 0);
  for (const Row& row : cells) {
    for (size_t c = 0; c < columns; ++c) widths[c] = std::max(widths[c], display_width(row[c]));
  }
  return widths;
}

// Takes from the widest column, one at a time, until a line fits or none has more to give.
void shrink(std::vector<int>& widths, int max_columns) {
  const int gaps = kGap * (static_cast<int>(widths.size()) - 1);
  int surplus = std::accumulate(widths.begin(), widths.end(), gaps) - max_columns;
  for (; surplus > 0; --surplus) {
    int& widest = *std::max_element(widths.begin(), widths.end());
    if (widest <= kNarrowest) return;
    --widest;
  }
}

std::string line_of(const Row& row, const std::vector<int>& widths,
                    const std::vector<TableColumn>& columns) {
  std::string line;
  for (size_t c = 0; c < row.size(); ++c) {
    const std::string cell = fit_columns(row[c], widths[c]);
    const std::string space(static_cast<size_t>(widths[c] - display_width(cell)), ' ');
    if (c > 0) line.append(kGap, ' ');
    line += columns[c].right ? space + cell : cell + space;
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

}  // namespace

std::string plain_table(const std::vector<TableColumn>& columns, const std::vector<Row>& rows,
                        int max_columns) {
  const std::vector<Row> cells = cells_of(columns, rows);
  std::vector<int> widths = widths_of(cells, columns.size());
  if (max_columns > 0 && !widths.empty()) shrink(widths, max_columns);
  std::string text;
  for (const Row& row : cells) text += line_of(row, widths, columns);
  return text;
}

}  // namespace burnish
