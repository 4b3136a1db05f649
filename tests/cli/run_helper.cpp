#include "cli/run_helper.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "base/file.h"

extern char** environ;

namespace burnish {

std::string scratch_folder() {
  std::string pattern = testing::TempDir() + "/burnish_cli_XXXXXX";
  return ::mkdtemp(pattern.data());
}

Finished run_burnish(const std::vector<std::string>& arguments, const std::string& input) {
  const std::string folder = scratch_folder();
  const std::string in = folder + "/in", out = folder + "/out", err = folder + "/err";
  write_text_file(in, input);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, in.c_str(), O_RDONLY, 0);
  constexpr int kNew = O_WRONLY | O_CREAT | O_TRUNC;
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, out.c_str(), kNew, 0600);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, err.c_str(), kNew, 0600);
  std::string program = BURNISH_BINARY_DIR "/burnish";
  std::vector<std::string> words = arguments;
  std::vector<char*> values{program.data()};
  for (std::string& word : words) values.push_back(word.data());
  values.push_back(nullptr);
  pid_t child = 0;
  const int failure =
      ::posix_spawn(&child, program.c_str(), &actions, nullptr, values.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  Finished finished;
  if (failure == 0) {
    int status = 0;
    ::waitpid(child, &status, 0);
    finished.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    finished.out = read_text_file(out);
    finished.err = read_text_file(err);
  }
  std::filesystem::remove_all(folder);
  return finished;
}

}  // namespace burnish
