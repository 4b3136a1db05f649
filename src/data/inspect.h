// What will be trained on and what not, for people and for other programs: the inside of
// `burnish data inspect`.
//
//   const Inspection inspection = inspect_data(dataset_options, pack_options, text);
//   write_inspection_json(std::cout, inspection);                      // with --json
//   write_inspection_view(std::cout, inspection, text.tokenizer, {});  // without
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "data/dataset.h"

namespace burnish {

/// One row of the data as it goes into training. A split row gives several.
struct InspectedSample {
  SourceLine where;
  std::string text;             ///< rendered; empty for a row that could not be rendered
  std::vector<int32_t> ids;     ///< after the cut to length; empty if dropped
  std::vector<uint8_t> target;  ///< one a token
  std::string reason;           ///< why it was dropped, or what was cut; empty: whole
  bool dropped = false;
};

struct Inspection {
  std::vector<InspectedSample> samples;  ///< in the order of files and lines
  DataCounts counts;
  int64_t rows = 0;  ///< rows of one epoch
  double fill = 0;   ///< tokens / (rows * sequence_length)
  int64_t sequence_length = 0;
};

/// Never stops at a bad row: each is there, dropped, with its reason.
/// @throws Error for what is wrong with a whole file or the options, and Error(data) for a file
/// without rows.
Inspection inspect_data(const DatasetOptions& options, const PackOptions& pack,
                        const TextFiles& text);

/// One JSON object a line: file, line, text, input_ids, labels (not shifted; -100 where nothing is
/// trained) and, where it was cut, note; or file, line, dropped (the reason) and text if there is.
void write_inspection_json(std::ostream& out, const Inspection& inspection);

struct InspectionView {
  int64_t samples = 5;  ///< how many are shown; the summary is of all
  bool colour = false;  ///< trained text bold and green, the rest dim; without it, ⟦...⟧ marks it
};

void write_inspection_view(std::ostream& out, const Inspection& inspection,
                           const Tokenizer& tokenizer, const InspectionView& view);

}  // namespace burnish
