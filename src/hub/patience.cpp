#include "hub/patience.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <optional>
#include <thread>

namespace burnish {
namespace {

constexpr uint64_t kEnoughProgress = 1 << 20;

std::optional<double> seconds_of(const std::string& retry_after) {
  uint32_t seconds = 0;
  const char* end = retry_after.data() + retry_after.size();
  const auto [rest, error] = std::from_chars(retry_after.data(), end, seconds);
  if (error != std::errc() || rest != end) return std::nullopt;
  return seconds;
}

}  // namespace

void check_go_on(const HubContext& context, const std::string& where) {
  if (!context.go_on())
    throw Error(ErrorCode::interrupted, "the download was stopped", where,
                "Start it again: it goes on where it stopped");
}

void Patience::wait(double seconds) const {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::duration<double>(seconds);
  while (Clock::now() < end && context_.go_on())
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
}

void Patience::after_failure(const std::string& reason, const std::string& where,
                             const std::string& retry_after, uint64_t bytes_brought) {
  check_go_on(context_, where);
  if (bytes_brought >= kEnoughProgress) failures_ = 0;
  if (++failures_ >= tries_)
    throw NoAnswer(ErrorCode::io,
                   reason + (tries_ > 1 ? fmt::format(" (tried {} times)", failures_) : ""), where,
                   "Check the network, or try again later: what was fetched is kept");
  const double usual = context_.settings.first_wait_s * std::exp2(failures_ - 1);
  const double seconds = seconds_of(retry_after).value_or(usual);
  if (seconds > context_.settings.longest_wait_s)
    throw Error(ErrorCode::io, fmt::format("{}; it asks for a wait of {:.0f} s", reason, seconds),
                where, "Try again then; with a token (HF_TOKEN) the limits are higher");
  context_.notice(fmt::format("{}: {}; trying again in {:.0f} s", where, reason, seconds));
  wait(seconds);
  check_go_on(context_, where);
}

}  // namespace burnish
