// From the data part of a recipe to samples that are ready to be packed.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "data/render.h"
#include "data/row_collector.h"
#include "data/row_stream.h"

namespace burnish {

struct DatasetOptions {
  std::vector<std::string> files;
  std::string format = "auto";
  bool skip_bad_lines = false;
  RenderOptions render;
  int threads = 1;
};

struct Dataset {
  std::vector<Sample> samples;
  std::vector<BadLine> bad_lines;
  DataCounts counts;
  std::string sha256;  ///< over the bytes of the files in order
};

/// Reads, renders, tokenizes and masks. A row that the template refuses or that has nothing to
/// train on is an Error(data), or with skip_bad_lines counted. Uses `threads` threads; the order is
/// that of the files.
Dataset load_dataset(const DatasetOptions& options, const TextFiles& text);

}  // namespace burnish
