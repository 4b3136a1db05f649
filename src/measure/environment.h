// environment.json: what a run's numbers depend on beside its recipe.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "measure/process.h"

namespace burnish {

/// Keys: time, processor, processor_features, processors, memory_total_mib, memory_available_mib,
/// os_release, kernel, versions, variables.
/// @param versions  name to version: burnish, libtorch, the compiler, ...
/// `variables` holds those environment variables that change numbers or speed and are set
/// (OMP_*, MKL_*, KMP_*, BURNISH_*, TORCH_*, ATEN_*, CUDA_VISIBLE_DEVICES, LD_PRELOAD, ...).
nlohmann::ordered_json environment_json(const Machine& machine,
                                        const std::map<std::string, std::string>& versions);

}  // namespace burnish
