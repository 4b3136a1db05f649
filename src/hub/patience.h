// How often and how long something is tried again.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/error.h"
#include "hub/settings.h"

namespace burnish {

/// An Error(io): the hub gave no answer, in any number of tries. The cache may have one.
class NoAnswer : public Error {
  using Error::Error;
};

/// What everything that talks to the hub needs to know.
struct HubContext {
  HubSettings settings;
  std::function<void(const std::string&)> notice = [](const std::string&) {};
  std::function<bool()> go_on = [] { return true; };  ///< false: stop as soon as can be
};

/// Counts failures in a row and waits between them: 1, 2, 4, 8 s, or what the server asks for.
class Patience {
 public:
  static constexpr int kTries = 5;
  explicit Patience(const HubContext& context, int tries = kTries)
      : context_(context), tries_(tries) {}

  /// Says what failed, and waits. A try that brought 1 MiB begins the count anew, so that a long
  /// download survives any number of cuts and a server cannot hold one up byte by byte.
  /// @param retry_after  the header: seconds; anything else counts as none
  /// @throws NoAnswer after the last try; Error(io) if the server asks for more than
  /// longest_wait_s; Error(interrupted)
  void after_failure(const std::string& reason, const std::string& where,
                     const std::string& retry_after, uint64_t bytes_brought);

 private:
  void wait(double seconds) const;
  const HubContext& context_;
  int tries_, failures_ = 0;
};

/// @throws Error(interrupted) if `go_on` says to stop.
void check_go_on(const HubContext& context, const std::string& where);

}  // namespace burnish
