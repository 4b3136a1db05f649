#include "base/interrupt.h"

#include <csignal>

namespace burnish {
namespace {

volatile std::sig_atomic_t pending_signal = 0;

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
