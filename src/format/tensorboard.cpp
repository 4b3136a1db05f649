#include "format/tensorboard.h"

#include <array>
#include <bit>
#include <chrono>

namespace burnish {
namespace tensorboard {
namespace {

constexpr std::array<uint32_t, 256> crc_table() {
  constexpr uint32_t kReflectedPolynomial = 0x82F63B78;
  std::array<uint32_t, 256> table{};
  for (uint32_t byte = 0; byte < 256; ++byte) {
    uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ ((crc & 1) != 0 ? kReflectedPolynomial : 0);
    table[byte] = crc;
  }
  return table;
}

uint32_t masked(uint32_t crc) {
  return std::rotr(crc, 15) + 0xa282ead8U;
}

template <typename Word>
std::string little_endian(Word word) {
  std::string bytes;
  for (size_t i = 0; i < sizeof(Word); ++i) bytes += static_cast<char>(word >> (8 * i) & 0xFF);
  return bytes;
}

// Protocol buffers' wire format: a field is varint(number << 3 | type) and its value.
enum WireType : uint64_t { kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5 };

std::string varint(uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7) bytes += static_cast<char>((value & 0x7F) | 0x80);
  return bytes += static_cast<char>(value);
}

std::string key(uint64_t number, WireType type) {
  return varint(number << 3 | type);
}

std::string bytes_field(uint64_t number, std::string_view bytes) {
  return key(number, kBytes) + varint(bytes.size()) + std::string(bytes);
}

// Event.wall_time = 1 (double), Event.step = 2 (int64)
std::string event_head(double wall_time_s, int64_t step) {
  const auto bits = std::bit_cast<uint64_t>(wall_time_s);
  std::string head;
  if (bits != 0) head += key(1, kFixed64) + little_endian(bits);
  if (step != 0) head += key(2, kVarint) + varint(static_cast<uint64_t>(step));
  return head;
}

// Summary.Value: tag = 1, simple_value = 2 (float; in a oneof: written even if it is 0)
std::string value_message(const std::string& tag, double value) {
  const auto bits = std::bit_cast<uint32_t>(static_cast<float>(value));
  const std::string name = tag.empty() ? std::string() : bytes_field(1, tag);
  return name + key(2, kFixed32) + little_endian(bits);
}

}  // namespace

uint32_t crc32c(std::string_view bytes) {
  static constexpr std::array<uint32_t, 256> kTable = crc_table();
  uint32_t crc = 0xFFFFFFFF;
  for (const char c : bytes) crc = crc >> 8 ^ kTable[(crc ^ static_cast<uint8_t>(c)) & 0xFF];
  return ~crc;
}

std::string record(std::string_view payload) {
  const std::string length = little_endian<uint64_t>(payload.size());
  return length + little_endian(masked(crc32c(length))) + std::string(payload) +
         little_endian(masked(crc32c(payload)));
}

std::string version_event(double wall_time_s) {
  return event_head(wall_time_s, 0) + bytes_field(3, "brain.Event:2");
}

std::string restart_event(double wall_time_s, int64_t first_step) {
  const std::string start = key(1, kVarint) + varint(1);  // SessionLog.status = START
  return event_head(wall_time_s, first_step) + bytes_field(7, start);
}

std::string scalars_event(double wall_time_s, int64_t step,
                          const std::vector<std::pair<std::string, double>>& values) {
  std::string summary;
  for (const auto& [tag, value] : values) summary += bytes_field(1, value_message(tag, value));
  return event_head(wall_time_s, step) + bytes_field(5, summary);
}

}  // namespace tensorboard

namespace {

double now_s() {
  using Seconds = std::chrono::duration<double>;
  return Seconds(std::chrono::system_clock::now().time_since_epoch()).count();
}

std::filesystem::path event_file_in(const std::filesystem::path& folder) {
  make_folder(folder);
  const auto seconds = static_cast<int64_t>(now_s());
  return folder / ("events.out.tfevents." + std::to_string(seconds) + ".burnish");
}

}  // namespace

TensorBoardWriter::TensorBoardWriter(const std::filesystem::path& folder,
                                     std::optional<int64_t> first_step)
    : file_(event_file_in(folder)) {
  file_.write(tensorboard::record(tensorboard::version_event(now_s())));
  if (first_step)
    file_.write(tensorboard::record(tensorboard::restart_event(now_s(), *first_step)));
}

void TensorBoardWriter::scalars(int64_t step, double wall_time_s,
                                const std::vector<std::pair<std::string, double>>& values) {
  file_.write(tensorboard::record(tensorboard::scalars_event(wall_time_s, step, values)));
}

}  // namespace burnish
