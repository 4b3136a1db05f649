// TensorBoard event files: TFRecord framing around Event protocol buffers with simple values.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/file.h"

namespace burnish {

class TensorBoardWriter {
 public:
  /// Makes FOLDER/events.out.tfevents.SECONDS.burnish and writes the version event.
  /// @param first_step where a resumed run goes on: TensorBoard then drops what the interrupted
  /// run wrote at this step and later.
  explicit TensorBoardWriter(const std::filesystem::path& folder,
                             std::optional<int64_t> first_step = std::nullopt);
  /// One event with these scalars; they are stored as fp32.
  void scalars(int64_t step, double wall_time_s,
               const std::vector<std::pair<std::string, double>>& values);

 private:
  AppendFile file_;
};

/// The parts a file is made of, for tests.
namespace tensorboard {

/// CRC-32C (Castagnoli; RFC 3720, appendix B.4).
uint32_t crc32c(std::string_view bytes);

/// A TFRecord: length (u64), masked crc of the length, payload, masked crc of the payload; little
/// endian. Masked: rotated right by 15 bits, plus 0xa282ead8.
std::string record(std::string_view payload);

/// Serialized tensorboard.Event messages, fields in order of their numbers, defaults left out.
std::string version_event(double wall_time_s);
std::string restart_event(double wall_time_s, int64_t first_step);
std::string scalars_event(double wall_time_s, int64_t step,
                          const std::vector<std::pair<std::string, double>>& values);

}  // namespace tensorboard
}  // namespace burnish
