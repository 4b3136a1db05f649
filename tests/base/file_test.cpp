#include "base/file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <fstream>

#include "base/error.h"
#include "base/hash.h"

namespace burnish {
namespace {
namespace fs = std::filesystem;
using ::testing::HasSubstr;

fs::path scratch() {
  const fs::path folder =
      fs::path(testing::TempDir()) / ("burnish_file_" + std::to_string(::getpid()));
  fs::create_directories(folder);
  return folder;
}

std::string failure_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::io);
    return error.what();
  }
  return "no error";
}

TEST(MappedFile, SaysWhichFileIsMissing) {
  EXPECT_THAT(failure_of([] { MappedFile("/no/such/file"); }),
              HasSubstr("/no/such/file: cannot open"));
  EXPECT_THAT(failure_of([] { MappedFile("/tmp"); }), HasSubstr("directory"));
}

TEST(MappedFile, EmptyFileHasNoBytes) {
  const fs::path path = scratch() / "empty";
  std::ofstream(path).close();
  EXPECT_EQ(MappedFile(path).bytes().size(), 0u);
}

TEST(AtomicFile, NothingIsThereWithoutCommit) {
  const fs::path path = scratch() / "uncommitted";
  {
    AtomicFile file(path);
    file.write("half");
  }
  EXPECT_FALSE(fs::exists(path));
  EXPECT_FALSE(fs::exists(path.string() + ".partial"));
}

TEST(AtomicFile, CommitReplacesTheOldContent) {
  const fs::path path = scratch() / "replaced";
  write_text_file(path, "old");
  write_text_file(path, "new");
  EXPECT_EQ(read_text_file(path), "new");
}

// In a child, since the limit is read once a process.
int run_with_fault(const char* variable, const fs::path& path) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::setenv(variable, "5", 1);
    try {
      write_text_file(path, "0123456789");
    } catch (const Error& error) {
      ::_exit(std::string(error.what()).find("No space left") != std::string::npos ? 3 : 4);
    }
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return status;
}

TEST(Faults, KillInsideAWriteLeavesTheOldFile) {
  const fs::path path = scratch() / "killed";
  write_text_file(path, "old");
  const int status = run_with_fault("BURNISH_FAULT_KILL_AFTER_BYTES", path);
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(WTERMSIG(status), SIGKILL);
  EXPECT_EQ(read_text_file(path), "old");
  EXPECT_EQ(read_text_file(path.string() + ".partial"), "01234");
}

TEST(Faults, FullDiskIsAnErrorAndLeavesTheOldFile) {
  const fs::path path = scratch() / "full";
  write_text_file(path, "old");
  const int status = run_with_fault("BURNISH_FAULT_FULL_AFTER_BYTES", path);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 3);
  EXPECT_EQ(read_text_file(path), "old");
}

TEST(Hash, KnownAnswers) {
  // FIPS 180-4 example values
  EXPECT_EQ(sha256_of(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_of("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  Hash sha1(HashKind::sha1);
  sha1.update("abc");
  EXPECT_EQ(sha1.hex(), "a9993e364706816aba3e25717850c26c9cd0d89d");
}

TEST(Hash, OfAFileIsTheHashOfItsBytesAndStopsWhenAsked) {
  const fs::path path = fs::path(testing::TempDir()) / "burnish_hashed_file";
  const std::string text(size_t{40} << 20, 'x');
  write_text_file(path, text);
  int asked = 0;
  Hash hash(HashKind::sha256);
  EXPECT_EQ(update_from_file(hash, path, [&] { return ++asked > 0; }), text.size());
  EXPECT_EQ(hash.hex(), sha256_of(text));
  EXPECT_EQ(asked, 3);
  Hash stopped(HashKind::sha256);
  try {
    update_from_file(stopped, path, [] { return false; });
    FAIL() << "it went on";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::interrupted);
  }
  fs::remove(path);
}

}  // namespace
}  // namespace burnish
