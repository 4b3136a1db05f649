#include "measure/progress_line.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <unistd.h>

#include <limits>

#include "measure/display_width.h"

namespace burnish {
namespace {
using testing::HasSubstr;
using testing::Not;

Progress full_progress() {
  Progress progress;
  progress.step = 12;
  progress.total_steps = 100;
  progress.done = 0.12;
  progress.loss = 1.92345;
  progress.learning_rate = 1e-5;
  progress.tokens_per_s = 411.4;
  progress.matrix_rate_share = 0.611;
  progress.rss_mib = 1434;
  progress.time_left_s = 112;
  return progress;
}

TEST(ProgressLine, ShowsEverythingWhereThereIsRoom) {
  EXPECT_EQ(progress_line(full_progress(), 200),
            "step 12/100  ━━                 12%  loss 1.923  lr 1.00e-05  411 tok/s  "
            "61% of matrix rate  1.4 GiB  1:52 min left");
}

TEST(ProgressLine, LeavesOutWhatMattersLeast) {
  EXPECT_EQ(progress_line(full_progress(), 80),
            "step 12/100   12%  loss 1.923  lr 1.00e-05  411 tok/s  1.4 GiB  1:52 min left");
  EXPECT_EQ(progress_line(full_progress(), 40), "step 12/100   12%  1:52 min left");
  EXPECT_EQ(progress_line(full_progress(), 11), "step 12/100");
  EXPECT_EQ(progress_line(full_progress(), 6), "step …");
}

TEST(ProgressLine, AtTheBeginningMuchIsNotKnown) {
  EXPECT_EQ(progress_line(Progress{}, 200), "step 0                      0%");
}

TEST(ProgressLine, TheBarIsFullAtTheEndOnly) {
  Progress progress;
  progress.done = 1.0;
  EXPECT_EQ(progress_line(progress, 200), "step 0  ━━━━━━━━━━━━━━━━  100%");
  progress.done = 0.999;
  EXPECT_THAT(progress_line(progress, 200), HasSubstr(" 99%"));
  progress.done = 7;
  EXPECT_THAT(progress_line(progress, 200), HasSubstr("100%"));
}

RC_GTEST_PROP(ProgressLineProperty, NeverWiderThanTheTerminal,
              (int64_t step, double done, double loss, double rate, double left, uint8_t columns)) {
  Progress progress = full_progress();
  progress.step = step;
  progress.done = done;
  progress.loss = loss;
  progress.tokens_per_s = rate;
  progress.time_left_s = left;
  const std::string line = progress_line(progress, columns);
  RC_ASSERT(display_width(line) <= columns);
  RC_ASSERT(line.empty() == (columns == 0));
}

TEST(ProgressLine, NumbersThatAreNoneAreShownAsSuch) {
  Progress progress = full_progress();
  progress.done = std::numeric_limits<double>::quiet_NaN();
  progress.loss = std::numeric_limits<double>::quiet_NaN();
  progress.time_left_s = std::numeric_limits<double>::infinity();
  EXPECT_THAT(progress_line(progress, 200), HasSubstr("loss nan"));
  EXPECT_THAT(progress_line(progress, 200), HasSubstr("? left"));
}

TEST(DurationText, PicksTheUnit) {
  EXPECT_EQ(duration_text(0), "0 s");
  EXPECT_EQ(duration_text(-3), "0 s");
  EXPECT_EQ(duration_text(59.4), "59 s");
  EXPECT_EQ(duration_text(59.6), "1:00 min");
  EXPECT_EQ(duration_text(112), "1:52 min");
  EXPECT_EQ(duration_text(3599.7), "1:00 h");
  EXPECT_EQ(duration_text(7500), "2:05 h");
  EXPECT_EQ(duration_text(76 * 3600), "3 d 4 h");
}

TEST(MemoryText, PicksTheUnit) {
  EXPECT_EQ(memory_text(612.4), "612 MiB");
  EXPECT_EQ(memory_text(1434), "1.4 GiB");
}

TEST(TerminalColumns, APipeIsNoTerminal) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  EXPECT_FALSE(terminal_columns(ends[1]));
  close(ends[0]);
  close(ends[1]);
}

TEST(DisplayWidth, CountsColumnsNotBytes) {
  EXPECT_EQ(display_width("abc"), 3);
  EXPECT_EQ(display_width("größe"), 5);
  EXPECT_EQ(display_width("日本"), 4);
  EXPECT_EQ(display_width("e\u0301"), 1);
  EXPECT_EQ(display_width("😀"), 2);
  EXPECT_EQ(display_width("━╸"), 2);
  EXPECT_EQ(display_width("\xFF\xC3"), 2) << "bytes that are no UTF-8";
  EXPECT_EQ(display_width("\xED\xA0\x80"), 3) << "a surrogate is no UTF-8";
}

TEST(FitColumns, NeverCutsACharacter) {
  EXPECT_EQ(fit_columns("abcdef", 6), "abcdef");
  EXPECT_EQ(fit_columns("abcdef", 4), "abc…");
  EXPECT_EQ(fit_columns("日本語", 4), "日…");
  EXPECT_EQ(fit_columns("日本語", 1), "…");
  EXPECT_EQ(fit_columns("abc", 0), "");
}

TEST(OneLine, KeepsTextFromSteeringTheTerminal) {
  EXPECT_EQ(one_line("a\nb\tc\r"), "a b c ");
  EXPECT_EQ(one_line("\x1b[31mred"), "\uFFFD[31mred");
  EXPECT_EQ(one_line("\u009b31m"), "\uFFFD31m") << "C1's control sequence introducer";
  EXPECT_EQ(one_line("bad \xFF"), "bad \uFFFD");
  EXPECT_EQ(one_line("größe 日本"), "größe 日本");
}

}  // namespace
}  // namespace burnish
