#include "report/html.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <cmath>
#include <limits>

#include "base/error.h"
#include "base/file.h"
#include "report/html_text.h"

namespace burnish {
namespace {
namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

StepLine step_line(int64_t step, double loss) {
  StepLine line;
  line.step = step;
  line.epoch = 0.5;
  line.loss = loss;
  line.learning_rate = 1e-5;
  line.gradient_norm = 2.0;
  line.tokens = 1000;
  line.targets = 400;
  line.padding_tokens = 250;
  line.step_s = step == 1 ? 9.0 : 2.0;
  line.rss_mib = 2048;
  return line;
}

ReportInput input() {
  ReportInput input;
  input.title = "smollm2";
  input.recipe_yaml = "schema_version: 1\n";
  input.metrics.steps = {step_line(1, 2.5), step_line(2, 2.0), step_line(3, 1.75)};
  input.metrics.evaluations = {{0, "held_out", 2.66, 0.43, 100}, {3, "held_out", 1.55, 0.6, 100}};
  input.metrics.answers = {{0, "Who are you?", "An assistant."},
                           {2, "Who are you?", "halfway there"},
                           {3, "Who are you?", "A friend."}};
  input.environment = {{"processor", "AMD EPYC"}, {"versions", {{"libtorch", "2.13.0"}}}};
  input.summary = {{"startup_s", 1.234},
                   {"peak_rss_mib", 3072.0},
                   {"losses", {1, 2, 3}},
                   {"data", {{"samples", 2026}}}};
  return input;
}

TEST(HtmlReport, ShowsWhatTheRunDid) {
  const std::string html = html_report(input());
  EXPECT_THAT(html, HasSubstr("3 steps in 13 s (4.333 s/step), final loss 1.75."));
  EXPECT_THAT(html, HasSubstr("2.660 → 1.550</b><small>-41.7 %"));
  EXPECT_THAT(html, HasSubstr("<span>tokens/s</span><b>500</b><small>2 s/step"))
      << "without the first step";
  EXPECT_THAT(html, HasSubstr("<b>3.0 GiB</b>"));
  EXPECT_THAT(html, HasSubstr("<b>1.23 s</b>"));
  EXPECT_THAT(html, HasSubstr("held_out, step 3</th><td>loss 1.55, accuracy 60.0 %"));
  EXPECT_THAT(html, HasSubstr("targets (trained on)</th><td>1,200 (40.0 %)"));
  EXPECT_THAT(html, HasSubstr("padding</th><td>750 (20.0 %)"));
  EXPECT_THAT(html, HasSubstr("samples</th><td>2026"));
  EXPECT_THAT(html, HasSubstr("versions.libtorch</th><td>2.13.0"));
  EXPECT_THAT(html, HasSubstr("<pre>schema_version: 1\n</pre>"));
  for (const char* title :
       {"Training loss", "Evaluation loss", "Gradient norm", "Learning rate", "Speed"}) {
    EXPECT_THAT(html, HasSubstr("<b>" + std::string(title) + "</b>"));
  }
}

TEST(HtmlReport, ShowsTheFirstAndTheLastAnswer) {
  const std::string html = html_report(input());
  EXPECT_THAT(html,
              HasSubstr("after step 0</small><div class=\"answer\" dir=\"auto\">An assistant."));
  EXPECT_THAT(html, HasSubstr("after step 3</small><div class=\"answer\" dir=\"auto\">A friend."));
  EXPECT_THAT(html, Not(HasSubstr("halfway there")));
}

TEST(HtmlReport, NothingInItBecomesMarkup) {
  const std::string evil = "<script>alert(1)</script>\"'&<img src=x>";
  ReportInput bad = input();
  bad.title = evil;
  bad.recipe_yaml = "</pre>" + evil;
  bad.metrics.evaluations = {{0, evil, 1, 1, 1}};
  bad.metrics.answers = {{0, evil, evil + "\xFF\x1b[31m"}};
  bad.environment = {{evil, evil}};
  bad.summary = {{evil, {evil, {{evil, evil}}}}, {"data", {{evil, evil}}}};
  const std::string html = html_report(bad);
  EXPECT_THAT(html, Not(HasSubstr("<script")));
  EXPECT_THAT(html, Not(HasSubstr("<img")));
  EXPECT_THAT(html, Not(HasSubstr("\x1b")));
  EXPECT_THAT(html, Not(HasSubstr("\xFF")));
  EXPECT_THAT(html, HasSubstr("&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;"));
}

TEST(HtmlReport, NeedsNoNetworkAndNoScript) {
  const std::string html = html_report(input());
  EXPECT_THAT(html, HasSubstr("default-src 'none'; style-src 'unsafe-inline'"));
  for (const char* load : {"http:", "https:", "src=", "url(", "<link", "@import", "<script"}) {
    EXPECT_THAT(html, Not(HasSubstr(load)));
  }
}

TEST(HtmlReport, WorksWithoutAnything) {
  const std::string html = html_report({});
  EXPECT_THAT(html, HasSubstr("No step was finished."));
  EXPECT_THAT(html, HasSubstr("</html>"));
  EXPECT_THAT(html, Not(HasSubstr("<h2>")));
}

TEST(HtmlReport, WorksWithOneStepAndWithNumbersThatAreNone) {
  ReportInput odd;
  odd.metrics.steps = {step_line(1, std::numeric_limits<double>::quiet_NaN())};
  odd.metrics.steps[0].step_s = 0;
  odd.metrics.steps[0].skipped = true;
  odd.metrics.evaluations = {{0, "a", std::numeric_limits<double>::infinity(), std::nan(""), 0}};
  odd.metrics.cut = true;
  const std::string html = html_report(odd);
  EXPECT_THAT(html, HasSubstr("1 step in 0 s (0 s/step), final loss not finite."));
  EXPECT_THAT(html, HasSubstr("was cut off"));
  EXPECT_THAT(html, HasSubstr("steps skipped</th><td>1"));
  EXPECT_THAT(html, Not(HasSubstr("nan")));
}

TEST(HtmlReport, DeepJsonIsNoTrouble) {
  ReportInput deep;
  std::string text;
  for (int i = 0; i < 5000; ++i) text += "{\"a\":";
  text += "1" + std::string(5000, '}');
  deep.environment = nlohmann::ordered_json::parse(text);
  EXPECT_THAT(html_report(deep), HasSubstr("</html>"));
}

TEST(NumberText, ReadsAsPeopleWriteThem) {
  EXPECT_EQ(readable_number(0), "0");
  EXPECT_EQ(readable_number(999), "999");
  EXPECT_EQ(readable_number(1234567), "1,234,567");
  EXPECT_EQ(readable_number(-1234), "-1,234");
  EXPECT_EQ(readable_number(12345.6), "12,346");
  EXPECT_EQ(readable_number(1.92345), "1.923");
  EXPECT_EQ(readable_number(1e-5), "1e-05");
  EXPECT_EQ(readable_number(std::nan("")), "not finite");
}

class WriteReport : public testing::Test {
 protected:
  WriteReport() {
    std::string name = (fs::temp_directory_path() / "burnish-XXXXXX").string();
    folder_ = mkdtemp(name.data());
  }
  ~WriteReport() override { fs::remove_all(folder_); }
  fs::path folder_;
};

TEST_F(WriteReport, ReadsTheRunFolder) {
  const fs::path run = folder_ / "my-run";
  make_folder(run);
  write_text_file(run / "recipe.yaml", "schema_version: 1\n");
  MetricsWriter(run / "metrics.jsonl").write(step_line(1, 1.25));
  write_text_file(run / "environment.json", R"({"processor": "P1"})");
  write_text_file(run / "summary.json", R"({"startup_s": 2})");
  write_report(run);
  const std::string html = read_text_file(run / "report.html");
  EXPECT_THAT(html, HasSubstr("<h1>my-run</h1>"));
  EXPECT_THAT(html, HasSubstr("final loss 1.25"));
  EXPECT_THAT(html, HasSubstr("P1"));
  EXPECT_THAT(html, HasSubstr("2.00 s"));
}

TEST_F(WriteReport, ARunThatWasKilledHasOneToo) {
  write_text_file(folder_ / "recipe.yaml", "schema_version: 1\n");
  write_report(folder_);
  EXPECT_THAT(read_text_file(folder_ / "report.html"), HasSubstr("No step was finished."));
}

TEST_F(WriteReport, AFolderWithoutARecipeIsNoRun) {
  try {
    write_report(folder_);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::io);
    EXPECT_THAT(error.where(), HasSubstr("recipe.yaml"));
  }
}

TEST_F(WriteReport, ABrokenFileIsNamed) {
  write_text_file(folder_ / "recipe.yaml", "schema_version: 1\n");
  write_text_file(folder_ / "summary.json", "{\"a\":");
  try {
    write_report(folder_);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::data);
    EXPECT_THAT(error.where(), HasSubstr("summary.json"));
  }
}

}  // namespace
}  // namespace burnish
