// Ctrl-C and SIGTERM as a flag that long work looks at between steps.
#pragma once

namespace burnish {

/// Installs the handlers. A second Ctrl-C ends the process at once.
void watch_for_interrupt();

/// 0, or the number of the signal that asked to stop.
int interrupted();

/// For tests.
void clear_interrupt();

}  // namespace burnish
