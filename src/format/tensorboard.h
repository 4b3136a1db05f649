// TensorBoard event files: TFRecord framing around Event protocol buffers with simple values.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "base/file.h"

namespace burnish {

class TensorBoardWriter {
 public:
  /// Makes FOLDER/events.out.tfevents.SECONDS.burnish and writes the version event.
  explicit TensorBoardWriter(const std::filesystem::path& folder);
  /// One event with these scalars.
  void scalars(int64_t step, double wall_time_s,
               const std::vector<std::pair<std::string, double>>& values);

 private:
  AppendFile file_;
};

}  // namespace burnish
