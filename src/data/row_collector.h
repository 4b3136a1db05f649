// What reading a file of rows takes and gives, whatever its kind.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "data/conversation.h"

namespace burnish {

struct BadLine {
  SourceLine where;
  std::string reason;
};

struct RowOptions {
  std::string format = "auto";  ///< auto: decided by the first row; messages, text
  bool skip_bad_lines = false;
  bool allow_all_bad = false;  ///< with skip_bad_lines: a file of nothing but bad rows is no error
};

struct RowsOfFile {
  std::vector<Conversation> rows;
  std::vector<BadLine> bad_lines;  ///< with skip_bad_lines
};

/// Of one file.
class RowCollector {
 public:
  /// @param options  must outlive the collector
  RowCollector(std::string file, const RowOptions& options);

  /// The row at `line`, whose value `parse` gives. @throws what `parse` throws, and Error(data) for
  /// a row of another shape; with skip_bad_lines a bad row is counted instead
  void add(int64_t line, const std::function<nlohmann::ordered_json()>& parse);

  /// @throws Error(data): no rows, or none that can be used
  RowsOfFile take();

 private:
  std::string file_;
  const RowOptions& options_;
  std::string format_;
  RowsOfFile result_;
};

/// One parsed row: the checks of every kind of file.
Conversation conversation_from_json(const nlohmann::ordered_json& row, const SourceLine& where,
                                    const std::string& format);

}  // namespace burnish
