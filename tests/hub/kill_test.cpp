// A download that is killed again and again ends with the right bytes.
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>

#include <cstdlib>

#include "hub/hub_fixture.h"

extern char** environ;

namespace burnish {
namespace {
using namespace testing_hub;

/// This program again, as a process that fetches org/name and is killed by the kernel inside the
/// write that reaches the given byte (base/file.h). Returns the signal that ended it, or 0.
int fetch_in_child(const HubSettings& settings, int64_t kill_after_bytes) {
  std::vector<std::string> variables;
  for (char** variable = environ; *variable != nullptr; ++variable) variables.push_back(*variable);
  variables.push_back("BURNISH_CHILD_ENDPOINT=" + settings.endpoint);
  variables.push_back("BURNISH_CHILD_CACHE=" + settings.cache.string());
  if (kill_after_bytes >= 0)
    variables.push_back("BURNISH_FAULT_KILL_AFTER_BYTES=" + std::to_string(kill_after_bytes));
  std::vector<char*> environment;
  for (std::string& variable : variables) environment.push_back(variable.data());
  environment.push_back(nullptr);
  std::string program = "/proc/self/exe", filter = "--gtest_filter=HubKill.DISABLED_Child",
              disabled = "--gtest_also_run_disabled_tests", brief = "--gtest_brief=1";
  char* arguments[] = {program.data(), filter.data(), disabled.data(), brief.data(), nullptr};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  ::posix_spawn(&child, program.c_str(), &actions, nullptr, arguments, environment.data());
  posix_spawn_file_actions_destroy(&actions);
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status) == 0 ? 0 : -1;
}

class HubKill : public HubTest {};

TEST_F(HubKill, DISABLED_Child) {
  const char* endpoint = std::getenv("BURNISH_CHILD_ENDPOINT");
  ASSERT_NE(endpoint, nullptr);
  settings.endpoint = endpoint;
  settings.cache = std::getenv("BURNISH_CHILD_CACHE");
  fetch();
}

TEST_F(HubKill, TwentyTimesAtDifferentBytes) {
  const size_t size = 3'000'017;
  hub.files["model.safetensors"].content = some_bytes(size);
  const std::string partial = blob("model.safetensors").string() + ".incomplete";
  uintmax_t before = 0;
  for (int i = 0; i < 20; ++i) {
    // each child gets some 100 KB further, but the first, which dies in the list of files
    ASSERT_EQ(fetch_in_child(settings, i == 0 ? 50 : 100'000 + 777 * i), SIGKILL) << i;
    EXPECT_FALSE(std::filesystem::exists(blob("model.safetensors")));
    std::error_code error;
    const uintmax_t now = std::filesystem::file_size(partial, error);
    if (i > 0) {
      EXPECT_GT(now, before) << i;
      before = now;
    }
  }
  EXPECT_LT(before, size);
  ASSERT_EQ(fetch_in_child(settings, -1), 0);
  expect_whole();
  EXPECT_EQ(sha256(read_text_file(blob("model.safetensors"))),
            blob("model.safetensors").filename());
  EXPECT_FALSE(std::filesystem::exists(partial));
  // one request each but for the first child: no hash was wrong, nothing was begun again
  EXPECT_THAT(requests_of("model.safetensors"), ::testing::SizeIs(20));
}

}  // namespace
}  // namespace burnish
