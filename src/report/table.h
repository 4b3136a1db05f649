// Aligned plain tables for terminals.
#pragma once

#include <string>
#include <vector>

namespace burnish {

struct TableColumn {
  std::string heading;  ///< all headings empty: no heading line
  bool right = false;   ///< numbers
};

/// One line a row, two spaces between columns, no spaces at line ends. Cells keep to one line and
/// cannot steer the terminal; a row may be shorter than the columns, not longer.
/// @param max_columns 0: as wide as it gets; else the widest columns are cut until a line fits
/// (never below 8 columns each)
/// @throws Error(internal) for a row with more cells than columns
std::string plain_table(const std::vector<TableColumn>& columns,
                        const std::vector<std::vector<std::string>>& rows, int max_columns = 0);

}  // namespace burnish
