#include "measure/process.h"

#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <fstream>
#include <optional>
#include <sstream>
#include <string_view>

namespace burnish {
namespace fs = std::filesystem;
namespace {

constexpr double kKibPerMib = 1024.0;
constexpr double kBytesPerMib = 1024.0 * 1024.0;

double seconds_of(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

std::string trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\"");
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(" \t\"\r") - first + 1));
}

std::string first_line(const fs::path& file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  return line;
}

// The value behind the first of `keys` that begins a line "key SEPARATOR value".
std::string value_of(const fs::path& file, char separator,
                     std::initializer_list<std::string_view> keys) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    const size_t at = line.find(separator);
    if (at == std::string::npos) continue;
    const std::string key = trimmed(std::string_view(line).substr(0, at));
    if (std::find(keys.begin(), keys.end(), key) == keys.end()) continue;
    return trimmed(std::string_view(line).substr(at + 1));
  }
  return {};
}

double number_or_zero(const std::string& text) {
  std::istringstream in(text);
  double value = 0;
  return in >> value ? value : 0;
}

// "  1234 kB" of proc/meminfo or proc/self/status, as MiB.
double memory_line_mib(const fs::path& file, std::string_view key) {
  return number_or_zero(value_of(file, ':', {key})) / kKibPerMib;
}

// A cgroup's memory limit: version 2, else version 1; "max" and absurd numbers mean none.
std::optional<double> cgroup_limit_mib(const fs::path& root) {
  for (const char* file :
       {"sys/fs/cgroup/memory.max", "sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
    const double bytes = number_or_zero(first_line(root / file));
    if (bytes > 0 && bytes < 0x1p60) return bytes / kBytesPerMib;
  }
  return std::nullopt;
}

// Those of the processor's flags that decide which kernels can run.
std::vector<std::string> features_of(const std::string& flags) {
  constexpr std::array kTold{"sse4_2",   "avx",         "avx2",     "fma",         "f16c",
                             "avx_vnni", "avx512f",     "avx512bw", "avx512_bf16", "avx512_fp16",
                             "amx_bf16", "avx512_vnni", "amx_int8", "asimd",       "asimdhp",
                             "bf16",     "sve",         "sve2"};
  std::istringstream in(flags);
  std::vector<std::string> found;
  for (std::string flag; in >> flag;) {
    if (std::find(kTold.begin(), kTold.end(), flag) != kTold.end()) found.push_back(flag);
  }
  return found;
}

int processors_of_process() {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof(allowed), &allowed) == 0) return CPU_COUNT(&allowed);
  return static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
}

}  // namespace

double process_cpu_s() {
  return seconds_of(CLOCK_PROCESS_CPUTIME_ID);
}

double monotonic_s() {
  return seconds_of(CLOCK_MONOTONIC);
}

double realtime_s() {
  return seconds_of(CLOCK_REALTIME);
}

double process_start_s() {
  // proc(5): field 22 is the start in clock ticks since boot; the name before it may hold spaces
  const std::string stat = first_line("/proc/self/stat");
  std::istringstream fields(stat.substr(std::min(stat.size(), stat.rfind(')') + 1)));
  std::string field;
  for (int number = 3; number <= 22; ++number) fields >> field;
  const double ticks_per_s = static_cast<double>(sysconf(_SC_CLK_TCK));
  const double age_s = seconds_of(CLOCK_BOOTTIME) - number_or_zero(field) / ticks_per_s;
  return realtime_s() - std::max(age_s, 0.0);
}

double rss_mib() {
  return memory_line_mib("/proc/self/status", "VmRSS");
}

double peak_rss_mib() {
  const double peak = memory_line_mib("/proc/self/status", "VmHWM");
  if (peak > 0) return peak;
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / kKibPerMib;
}

Machine read_machine(const fs::path& root) {
  const fs::path cpuinfo = root / "proc/cpuinfo", meminfo = root / "proc/meminfo";
  Machine machine;
  machine.processor = value_of(cpuinfo, ':', {"model name", "Model", "Hardware"});
  machine.processor_features = features_of(value_of(cpuinfo, ':', {"flags", "Features"}));
  machine.processors = processors_of_process();
  machine.memory_total_mib = memory_line_mib(meminfo, "MemTotal");
  machine.memory_available_mib = memory_line_mib(meminfo, "MemAvailable");
  if (const auto limit = cgroup_limit_mib(root)) {
    machine.memory_total_mib = std::min(machine.memory_total_mib, *limit);
    machine.memory_available_mib = std::min(machine.memory_available_mib, *limit);
  }
  machine.os_release = value_of(root / "etc/os-release", '=', {"PRETTY_NAME"});
  machine.kernel = trimmed("Linux " + first_line(root / "proc/sys/kernel/osrelease"));
  return machine;
}

}  // namespace burnish
