// Which instructions the CPU kernels use on this machine.
#pragma once

#include <string>

namespace burnish {

/// The instruction set chosen at run time, in Highway's names: "AVX3", "AVX2", "SSE2", ...
std::string kernel_targets();

}  // namespace burnish
