#include "measure/tracker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include "base/file.h"
#include "measure/process.h"

namespace burnish {
namespace {
namespace fs = std::filesystem;

class TrackerTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / ("burnish_tracker_" + std::to_string(::getpid()));
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string in(const std::string& name) const { return (folder_ / name).string(); }

  fs::path folder_;
};

TEST_F(TrackerTest, TheProgramGetsEveryLineInOrder) {
  Tracker tracker("cat > " + in("got"), in("log"));
  std::string expected;
  for (int i = 0; i < 5000; ++i) {
    const std::string line = R"({"step":)" + std::to_string(i) + "}";
    tracker.send(line);
    expected += line + "\n";
  }
  const TrackerEnd end = tracker.finish();
  EXPECT_EQ(end.exit_code, 0);
  EXPECT_EQ(end.lines_sent, 5000);
  EXPECT_EQ(end.lines_lost, 0);
  EXPECT_FALSE(end.stopped);
  EXPECT_EQ(read_text_file(in("got")), expected);
}

TEST_F(TrackerTest, WhatItPrintsGoesToItsLog) {
  Tracker("read x; echo got $x; echo trouble >&2; exit 3", in("log")).send("1");
  EXPECT_EQ(read_text_file(in("log")), "got 1\ntrouble\n");
}

TEST_F(TrackerTest, OneThatDiesCostsNothing) {
  Tracker tracker("exit 3", in("log"));
  const double start = monotonic_s();
  for (int i = 0; i < 20000; ++i) tracker.send(std::string(200, 'x'));
  EXPECT_LT(monotonic_s() - start, 5.0);
  const TrackerEnd end = tracker.finish();
  EXPECT_EQ(end.exit_code, 3);
  EXPECT_FALSE(end.stopped);
  EXPECT_GT(end.lines_lost, 0);
  EXPECT_EQ(end.lines_sent + end.lines_lost, 20000);
}

TEST_F(TrackerTest, OneThatHangsIsStoppedWithItsChildren) {
  TrackerLimits limits;
  limits.queue_bytes = 1 << 20;
  limits.patience_s = 0.3;
  Tracker tracker("sleep 1000 & echo $! > " + in("pid") + "; trap '' TERM; while :; do wait; done",
                  in("log"), limits);
  const double start = monotonic_s();
  for (int i = 0; i < 20000; ++i) tracker.send(std::string(200, 'x'));
  EXPECT_LT(monotonic_s() - start, 5.0) << "it never reads, and nobody waits for it";
  const TrackerEnd end = tracker.finish();
  EXPECT_LT(monotonic_s() - start, 20.0);
  EXPECT_TRUE(end.stopped);
  EXPECT_EQ(end.exit_code, 128 + SIGKILL);
  EXPECT_EQ(end.lines_sent + end.lines_lost, 20000);
  const pid_t grandchild = std::stoi(read_text_file(in("pid")));
  for (int i = 0; i < 100 && ::kill(grandchild, 0) == 0; ++i) ::usleep(20000);
  EXPECT_NE(::kill(grandchild, 0), 0) << "its children live on";
}

TEST_F(TrackerTest, OneThatCannotBeStartedIsNoError) {
  Tracker tracker("/no/such/program", in("log"));
  tracker.send("1");
  EXPECT_EQ(tracker.finish().exit_code, 127) << "what the shell says";
}

}  // namespace
}  // namespace burnish
