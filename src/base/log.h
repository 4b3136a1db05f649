// Log lines with UTC time and rank, to stderr and, once a run has a folder, to its log.txt.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace burnish {

void log_info(std::string_view text);
void log_warning(std::string_view text);
void log_error(std::string_view text);

/// From now on lines go to `file` too. `rank` stands in every line.
void log_to_file(const std::filesystem::path& file, int rank = 0);

/// Keeps info lines off the terminal (the file still gets them); warnings and errors stay.
void set_log_quiet(bool quiet);

/// "2026-11-30T13:05:09Z".
std::string utc_now();

}  // namespace burnish
