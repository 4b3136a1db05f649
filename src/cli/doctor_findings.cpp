#include "cli/doctor_findings.h"

#include <algorithm>
#include <cstdlib>

namespace burnish {
namespace {

constexpr double kLittleMemory_mib = 3000;  ///< a 135 M model trained in fp32, with its activations
constexpr double kLittleDisk_mib = 2000;    ///< two checkpoints of it

std::string whole(double value) {
  return std::to_string(static_cast<long long>(value));
}

void look_at_variable(const char* name, const std::string& effect, std::vector<Finding>& found) {
  const char* value = std::getenv(name);
  if (value == nullptr || *value == '\0') return;
  found.push_back({std::string(name) + "=" + value + " is set: " + effect,
                   std::string("unset ") + name + ", unless you mean it"});
}

}  // namespace

std::vector<Finding> machine_findings(const Machine& machine, double disk_available_mib) {
  std::vector<Finding> found;
  const auto& features = machine.processor_features;
  const bool avx2 = std::find(features.begin(), features.end(), "avx2") != features.end();
  if (!avx2 && machine.kernel.find("x86_64") != std::string::npos)
    found.push_back({"the processor has no AVX2: training will be several times slower",
                     "use a processor of the last ten years"});
  if (machine.memory_available_mib > 0 && machine.memory_available_mib < kLittleMemory_mib)
    found.push_back({"only " + whole(machine.memory_available_mib) + " MiB of memory are free",
                     "end other programs; set memory.recompute: unit and a small sequence_length"});
  if (disk_available_mib < kLittleDisk_mib)
    found.push_back({"only " + whole(disk_available_mib) + " MiB of disk are free here",
                     "make room; a checkpoint holds 12 bytes a trained parameter"});
  look_at_variable("OPENBLAS_CORETYPE", "it chooses matrix kernels for another processor", found);
  look_at_variable("OMP_NUM_THREADS", "it limits the threads", found);
  look_at_variable("MKL_NUM_THREADS", "it limits the threads of matrix products", found);
  look_at_variable("ATEN_CPU_CAPABILITY", "it takes faster kernels away", found);
  look_at_variable("LD_PRELOAD", "it puts other libraries into the program", found);
  return found;
}

}  // namespace burnish
