// What the operating system says about this process and this machine.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace burnish {

/// Processor seconds of the whole process: user and system, all threads, ended ones too.
double process_cpu_s();
/// A clock that never goes back; its zero means nothing.
double monotonic_s();
/// Seconds since 1970 (CLOCK_REALTIME).
double realtime_s();
/// When this process started, in realtime_s() terms, to the kernel's tick of 10 ms.
double process_start_s();

/// Resident memory now, in MiB.
double rss_mib();
/// The largest resident memory since the program began, in MiB: VmHWM, since getrusage's ru_maxrss
/// still holds what the process was before exec.
double peak_rss_mib();

struct Machine {
  std::string processor;                        ///< model name
  std::vector<std::string> processor_features;  ///< of avx2, fma, f16c, avx512f, ...: those there
  int processors = 0;                           ///< that this process may run on
  double memory_total_mib = 0;                  ///< the smaller of the machine's and the cgroup's
  double memory_available_mib = 0;
  std::string os_release;  ///< "Debian GNU/Linux 12 (bookworm)"
  std::string kernel;      ///< "Linux 6.1.0 x86_64"
};

/// @param root the folder that holds proc, sys and etc: for tests.
/// What cannot be read stays empty or 0.
Machine read_machine(const std::filesystem::path& root = "/");

}  // namespace burnish
