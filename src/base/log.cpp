#include "base/log.h"

#include <fmt/chrono.h>
#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <chrono>
#include <memory>

#include "base/error.h"

namespace burnish {
namespace {

std::string pattern_for(int rank) {
  return "%Y-%m-%dT%H:%M:%S.%eZ [rank " + std::to_string(rank) + "] %^%l%$ %v";
}

spdlog::logger& logger() {
  static const std::shared_ptr<spdlog::logger> shared = [] {
    auto made = std::make_shared<spdlog::logger>(
        "burnish", std::make_shared<spdlog::sinks::stderr_color_sink_mt>());
    made->set_pattern(pattern_for(0), spdlog::pattern_time_type::utc);
    made->flush_on(spdlog::level::info);
    return made;
  }();
  return *shared;
}

}  // namespace

void log_info(std::string_view text) {
  logger().info("{}", text);
}
void log_warning(std::string_view text) {
  logger().warn("{}", text);
}
void log_error(std::string_view text) {
  logger().error("{}", text);
}

void log_to_file(const std::filesystem::path& file, int rank) {
  try {
    auto& sinks = logger().sinks();
    if (sinks.size() > 1) sinks.resize(1);
    sinks.push_back(std::make_shared<spdlog::sinks::basic_file_sink_mt>(file.string()));
  } catch (const spdlog::spdlog_ex& error) {
    throw Error(ErrorCode::io, error.what(), file.string());
  }
  logger().set_pattern(pattern_for(rank), spdlog::pattern_time_type::utc);
}

void set_log_quiet(bool quiet) {
  logger().sinks().front()->set_level(quiet ? spdlog::level::warn : spdlog::level::info);
}

std::string utc_now() {
  const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", now);
}

}  // namespace burnish
