// Quantities as people read them, and how wide their terminal is.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace burnish {

/// "8 s", "1:52 min", "2:05 h", "3 d 4 h".
std::string duration_text(double seconds);
/// "612 MiB", "1.4 GiB".
std::string memory_text(double mib);
/// The same, of a number of bytes.
std::string size_text(uint64_t bytes);
/// "step 12".
std::string step_text(int64_t step);

/// Columns of a terminal; empty where `descriptor` is none: no progress line there.
std::optional<int> terminal_columns(int descriptor);

}  // namespace burnish
