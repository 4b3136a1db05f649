#include "base/interrupt.h"

#include <atomic>
#include <csignal>

namespace burnish {
namespace {

// read by other threads too; a handler may only touch what is free of locks
std::atomic<int> pending_signal = 0;
static_assert(std::atomic<int>::is_always_lock_free);

void remember(int signal) {
  if (pending_signal != 0) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
  pending_signal = signal;
}

}  // namespace

void watch_for_interrupt() {
  struct sigaction action {};
  action.sa_handler = remember;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

int interrupted() {
  return pending_signal;
}

void clear_interrupt() {
  pending_signal = 0;
}

}  // namespace burnish
