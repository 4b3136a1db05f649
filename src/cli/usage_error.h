#pragma once

#include <CLI/App.hpp>
#include <string>
#include <vector>

#include "base/error.h"

namespace burnish {

/// What CLI11 refused, as Error(usage) with the nearest right command or option.
Error usage_error(const CLI::App& app, const std::vector<std::string>& arguments,
                  const std::string& message);

}  // namespace burnish
