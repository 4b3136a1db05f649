#include "measure/environment.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "base/log.h"

namespace burnish {
namespace {

bool changes_numbers(std::string_view name) {
  constexpr std::array<std::string_view, 10> kPrefixes{"OMP_",      "GOMP_",   "KMP_",   "MKL_",
                                                       "OPENBLAS_", "DNNL_",   "TORCH_", "ATEN_",
                                                       "CUDA_",     "BURNISH_"};
  constexpr std::array<std::string_view, 4> kNames{"LD_PRELOAD", "LD_LIBRARY_PATH", "MALLOC_CONF",
                                                   "MALLOC_ARENA_MAX"};
  return std::any_of(kPrefixes.begin(), kPrefixes.end(),
                     [&](std::string_view prefix) { return name.starts_with(prefix); }) ||
         std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

std::map<std::string, std::string> variables() {
  std::map<std::string, std::string> found;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    const size_t equals = text.find('=');
    if (equals == std::string_view::npos || !changes_numbers(text.substr(0, equals))) continue;
    found.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
  return found;
}

}  // namespace

nlohmann::ordered_json environment_json(const Machine& machine,
                                        const std::map<std::string, std::string>& versions) {
  return {{"time", utc_now()},
          {"processor", machine.processor},
          {"processor_features", machine.processor_features},
          {"processors", machine.processors},
          {"memory_total_mib", machine.memory_total_mib},
          {"memory_available_mib", machine.memory_available_mib},
          {"os_release", machine.os_release},
          {"kernel", machine.kernel},
          {"versions", versions},
          {"variables", variables()}};
}

}  // namespace burnish
