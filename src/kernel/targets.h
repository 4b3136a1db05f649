// The instruction sets that kernels are compiled for: each costs compile time, so on x86 these are
// AVX-512, AVX2 and the portable fallback alone. Include before any header of Highway.
#pragma once

#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
