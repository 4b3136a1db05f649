#pragma once

#include <string>
#include <vector>

#include "measure/process.h"

namespace burnish {

/// Something about a machine that makes runs slow, different or impossible.
struct Finding {
  std::string what, advice;
};

/// Of the machine and the environment variables.
std::vector<Finding> machine_findings(const Machine& machine, double disk_available_mib);

}  // namespace burnish
