#include "measure/process.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/resource.h>

#include <algorithm>
#include <thread>

#include "base/file.h"
#include "measure/environment.h"

namespace burnish {
namespace {
namespace fs = std::filesystem;
using testing::ElementsAre;

// Keeps a processor busy until the process has used `cpu_s` more.
void burn(double cpu_s) {
  const double end = process_cpu_s() + cpu_s;
  volatile double sink = 0;
  while (process_cpu_s() < end) {
    for (int i = 0; i < 10000; ++i) sink = sink + 1.0 / (i + 1);
  }
}

TEST(Process, CpuSecondsCountEndedThreads) {
  const double before = process_cpu_s();
  std::thread([] { burn(0.05); }).join();
  const double used = process_cpu_s() - before;
  EXPECT_GE(used, 0.05);
  EXPECT_LT(used, 5.0);
}

TEST(Process, CpuSecondsAreGetrusagesUserAndSystem) {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
  };
  EXPECT_NEAR(process_cpu_s(), seconds(usage.ru_utime) + seconds(usage.ru_stime), 0.05);
}

TEST(Process, TheStartLiesBeforeNowAndDoesNotMove) {
  const double start = process_start_s();
  EXPECT_LE(start, realtime_s());
  EXPECT_GT(start, realtime_s() - 3600);
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  EXPECT_NEAR(process_start_s(), start, 0.005);
}

TEST(Process, ResidentMemoryGrowsByWhatIsTouchedAndThePeakStays) {
  constexpr size_t kMib = 64;
  const double before = rss_mib();
  double with = 0;
  {
    std::vector<char> touched(kMib << 20);
    for (size_t i = 0; i < touched.size(); i += 1024) touched[i] = static_cast<char>(i + 1);
    with = rss_mib();
  }
  // a sanitizer's shadow adds to it, and it may keep what was freed
  EXPECT_GE(with - before, kMib * 0.9);
  EXPECT_GE(peak_rss_mib(), with - 1.0);
  EXPECT_LE(rss_mib(), peak_rss_mib() + 1.0);
}

class MachineTest : public testing::Test {
 protected:
  MachineTest() {
    std::string name = (fs::temp_directory_path() / "burnish-XXXXXX").string();
    root_ = mkdtemp(name.data());
  }
  ~MachineTest() override { fs::remove_all(root_); }
  void put(const std::string& file, const std::string& text) {
    fs::create_directories((root_ / file).parent_path());
    write_text_file(root_ / file, text);
  }
  fs::path root_;
};

TEST_F(MachineTest, ReadsNamesFeaturesAndMemory) {
  put("proc/cpuinfo",
      "processor\t: 0\nmodel name\t: AMD EPYC 9004\nflags\t\t: fpu sse2 sse4_2 fma f16c avx2 "
      "avx512f avx512_bf16 avx512cd\n\nprocessor\t: 1\nmodel name\t: other\n");
  put("proc/meminfo", "MemTotal:       2097152 kB\nMemFree: 1 kB\nMemAvailable:   1048576 kB\n");
  put("proc/sys/kernel/osrelease", "6.1.0-18-amd64\n");
  put("etc/os-release", "NAME=\"Debian\"\nPRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\n");
  const Machine machine = read_machine(root_);
  EXPECT_EQ(machine.processor, "AMD EPYC 9004");
  EXPECT_THAT(machine.processor_features,
              ElementsAre("sse4_2", "fma", "f16c", "avx2", "avx512f", "avx512_bf16"));
  EXPECT_EQ(machine.memory_total_mib, 2048);
  EXPECT_EQ(machine.memory_available_mib, 1024);
  EXPECT_EQ(machine.kernel, "Linux 6.1.0-18-amd64");
  EXPECT_EQ(machine.os_release, "Debian GNU/Linux 12 (bookworm)");
  EXPECT_GE(machine.processors, 1);
}

TEST_F(MachineTest, ACgroupsLimitCapsTheMemory) {
  put("proc/meminfo", "MemTotal:       2097152 kB\nMemAvailable:   1048576 kB\n");
  put("sys/fs/cgroup/memory.max", "1610612736\n");
  EXPECT_EQ(read_machine(root_).memory_total_mib, 1536);
  EXPECT_EQ(read_machine(root_).memory_available_mib, 1024);
  put("sys/fs/cgroup/memory.max", "max\n");
  EXPECT_EQ(read_machine(root_).memory_total_mib, 2048);
  put("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");  // none, version 1
  EXPECT_EQ(read_machine(root_).memory_total_mib, 2048);
}

TEST_F(MachineTest, WhatIsMissingStaysEmpty) {
  const Machine machine = read_machine(root_ / "nothing");
  EXPECT_EQ(machine.processor, "");
  EXPECT_TRUE(machine.processor_features.empty());
  EXPECT_EQ(machine.memory_total_mib, 0);
}

TEST_F(MachineTest, ThisMachineHasAProcessorAndMemory) {
  const Machine machine = read_machine();
  EXPECT_GE(machine.processors, 1);
  EXPECT_GT(machine.memory_total_mib, 100);
  EXPECT_LE(machine.memory_available_mib, machine.memory_total_mib);
}

TEST(Environment, HoldsMachineVersionsAndTheVariablesThatChangeNumbers) {
  setenv("OMP_NUM_THREADS", "3", 1);
  setenv("HUB_TOKEN_OF_A_USER", "secret", 1);
  Machine machine;
  machine.processor = "P \"x\"";
  machine.processors = 2;
  machine.processor_features = {"avx2"};
  const auto json = environment_json(machine, {{"burnish", "0.1.0"}, {"libtorch", "2.13.0"}});
  EXPECT_EQ(json["processor"], "P \"x\"");
  EXPECT_EQ(json["processors"], 2);
  EXPECT_EQ(json["processor_features"][0], "avx2");
  EXPECT_EQ(json["versions"]["libtorch"], "2.13.0");
  EXPECT_EQ(json["variables"]["OMP_NUM_THREADS"], "3");
  EXPECT_EQ(json.dump().find("secret"), std::string::npos);
  unsetenv("OMP_NUM_THREADS");
  unsetenv("HUB_TOKEN_OF_A_USER");
}

}  // namespace
}  // namespace burnish
