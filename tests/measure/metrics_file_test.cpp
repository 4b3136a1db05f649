#include "measure/metrics_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <stdlib.h>

#include <bit>
#include <cmath>
#include <fstream>
#include <limits>

#include "base/error.h"

namespace burnish {
namespace {
namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;

StepLine step_line(int64_t step, double loss = 1.5) {
  StepLine line;
  line.step = step;
  line.epoch = 0.1 * static_cast<double>(step);
  line.loss = loss;
  line.learning_rate = 1e-5;
  line.gradient_norm = 1.0 / 3.0;
  line.tokens = 512;
  line.targets = 300;
  line.padding_tokens = 7;
  line.row_ids = {4, 5, 9};
  line.step_s = 0.25;
  line.cpu_s = 0.5;
  line.data_wait_s = 1e-6;
  line.rss_mib = 812.5;
  line.time_s = 1750000000.125;
  return line;
}

class MetricsFile : public testing::Test {
 protected:
  MetricsFile() {
    std::string name = (fs::temp_directory_path() / "burnish-XXXXXX").string();
    folder_ = mkdtemp(name.data());
    file_ = folder_ / "metrics.jsonl";
  }
  ~MetricsFile() override { fs::remove_all(folder_); }

  void append(const std::string& text) { AppendFile(file_).write(text); }
  void write(const std::vector<MetricLine>& lines) {
    MetricsWriter writer(file_);
    for (const MetricLine& line : lines) writer.write(line);
  }
  std::string error_of_reading() {
    try {
      read_metrics(file_);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::data);
      return error.what();
    }
    return "no error";
  }

  fs::path folder_, file_;
};

TEST_F(MetricsFile, EveryKindComesBackAsItWas) {
  const EvaluationLine evaluation{0, "held_out", 2.66, 0.43, 1234};
  const AnswerLine answer{0, "Who \"are\" you?\n", "Ich weiß nicht.\\ 你好\t"};
  write({evaluation, answer, step_line(1), step_line(2)});
  const Metrics metrics = read_metrics(file_);
  EXPECT_THAT(metrics.steps, ElementsAre(step_line(1), step_line(2)));
  EXPECT_THAT(metrics.evaluations, ElementsAre(evaluation));
  EXPECT_THAT(metrics.answers, ElementsAre(answer));
  EXPECT_FALSE(metrics.cut);
}

TEST_F(MetricsFile, ALineHasTheKeysOfTheDocument) {
  const auto json = to_json(step_line(3));
  std::vector<std::string> keys;
  for (const auto& [key, value] : json.items()) keys.push_back(key);
  EXPECT_THAT(keys, ElementsAre("kind", "step", "epoch", "loss", "learning_rate", "gradient_norm",
                                "tokens", "targets", "padding_tokens", "row_ids", "step_s", "cpu_s",
                                "data_wait_s", "rss_mib", "time_s", "skipped"));
  EXPECT_EQ(json["kind"], "step");
  EXPECT_EQ(to_json(EvaluationLine{})["kind"], "evaluation");
  EXPECT_EQ(to_json(AnswerLine{})["kind"], "answer");
}

RC_GTEST_PROP(MetricsFileProperty, EveryFiniteDoubleComesBackToTheBit, (uint64_t bits)) {
  const auto value = std::bit_cast<double>(bits);
  RC_PRE(std::isfinite(value));
  const std::string text = to_json(step_line(1, value)).dump();
  const auto back = std::get<StepLine>(metric_line_from_json(nlohmann::ordered_json::parse(text)));
  RC_ASSERT(std::bit_cast<uint64_t>(back.loss) == bits);
}

TEST_F(MetricsFile, WhatIsNotFiniteIsNullAndComesBackAsNan) {
  StepLine line = step_line(1, std::nan(""));
  line.gradient_norm = std::numeric_limits<double>::infinity();
  line.skipped = true;
  write({line});
  EXPECT_THAT(read_text_file(file_), HasSubstr("\"loss\":null"));
  const Metrics metrics = read_metrics(file_);
  ASSERT_EQ(metrics.steps.size(), 1U);
  EXPECT_TRUE(std::isnan(metrics.steps[0].loss));
  EXPECT_TRUE(std::isnan(metrics.steps[0].gradient_norm));
  EXPECT_TRUE(metrics.steps[0].skipped);
}

TEST_F(MetricsFile, TextThatEndsInsideACharacterIsStillJson) {
  write({AnswerLine{1, "p", "half \xE4\xBD"}});
  EXPECT_EQ(read_metrics(file_).answers.at(0).answer, "half \xEF\xBF\xBD");
}

TEST_F(MetricsFile, ALineCutAtAnyByteIsLeftOut) {
  write({step_line(1), step_line(2)});
  const std::string whole = read_text_file(file_);
  const size_t first = whole.find('\n') + 1;
  for (size_t cut = first; cut < whole.size(); ++cut) {
    std::ofstream(file_, std::ios::trunc) << whole.substr(0, cut);
    const Metrics metrics = read_metrics(file_);
    ASSERT_EQ(metrics.steps.size(), 1U) << cut;
    ASSERT_EQ(metrics.cut, cut != first);
  }
}

TEST_F(MetricsFile, AnEmptyFileHasNothing) {
  append("");
  const Metrics metrics = read_metrics(file_);
  EXPECT_TRUE(metrics.steps.empty());
  EXPECT_FALSE(metrics.cut);
}

TEST_F(MetricsFile, ABrokenLineInTheMiddleIsToldWithItsPlace) {
  write({step_line(1)});
  append("{\"kind\":\"st\n");
  write({step_line(2)});
  EXPECT_THAT(error_of_reading(), HasSubstr("metrics.jsonl:2: not a line of JSON"));
}

TEST_F(MetricsFile, LinesThatAreJsonButNoMetricsAreToldWithTheirPlace) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"[]", "not an object"},
      {"{}", "no key 'kind'"},
      {R"({"kind":"other"})", "unknown kind 'other'"},
      {R"({"kind":"answer","step":1.5,"prompt":"","answer":""})", "'step' is no integer"},
      {R"({"kind":"answer","step":1,"prompt":2,"answer":""})", "'prompt' is no text"},
      {R"({"kind":"evaluation","step":1,"name":"a","loss":"x","accuracy":0,"targets":1})",
       "'loss' is no number"},
      {R"({"kind":"evaluation","step":1,"name":"a","loss":1})", "no key 'accuracy'"},
  };
  for (const auto& [line, message] : cases) {
    fs::remove(file_);
    append(line + "\n");
    EXPECT_THAT(error_of_reading(), HasSubstr("metrics.jsonl:1: " + message)) << line;
  }
}

TEST_F(MetricsFile, KeysOfALaterVersionArePassedOver) {
  auto json = to_json(step_line(1));
  json["new_key"] = {1, 2};
  EXPECT_EQ(std::get<StepLine>(metric_line_from_json(json)), step_line(1));
}

TEST_F(MetricsFile, AMissingFileIsAnError) {
  EXPECT_THROW(read_metrics(folder_ / "none.jsonl"), Error);
}

TEST_F(MetricsFile, StepsDoneAgainAfterAResumeReplaceTheFirstTime) {
  const auto evaluation = [](int64_t step, double loss) {
    return EvaluationLine{step, "held_out", loss, 0.5, 10};
  };
  write({evaluation(0, 3.0), step_line(1), step_line(2), evaluation(2, 2.0), step_line(3, 9.0),
         evaluation(3, 9.0), AnswerLine{3, "p", "old"}});
  write({step_line(3, 1.0), evaluation(3, 1.0), AnswerLine{3, "p", "new"}});
  const Metrics metrics = read_metrics(file_);
  EXPECT_THAT(metrics.steps, ElementsAre(step_line(1), step_line(2), step_line(3, 1.0)));
  EXPECT_THAT(metrics.evaluations,
              ElementsAre(evaluation(0, 3.0), evaluation(2, 2.0), evaluation(3, 1.0)));
  EXPECT_THAT(metrics.answers, ElementsAre(AnswerLine{3, "p", "new"}));
}

TEST_F(MetricsFile, AnEvaluationMadeTwiceCountsOnce) {
  write({EvaluationLine{0, "a", 3.0, 0.1, 1}, EvaluationLine{0, "b", 4.0, 0.1, 1},
         EvaluationLine{0, "a", 3.5, 0.1, 1}});
  EXPECT_THAT(read_metrics(file_).evaluations,
              ElementsAre(Field(&EvaluationLine::loss, 4.0), Field(&EvaluationLine::loss, 3.5)));
}

TEST_F(MetricsFile, TrimmingKeepsWholeLinesUpToAStep) {
  write({EvaluationLine{0, "a", 3.0, 0.1, 1}, step_line(1), step_line(2), step_line(3)});
  const std::string whole = read_text_file(file_);
  append("{\"kind\":\"ste");
  trim_metrics(file_, 2);
  EXPECT_EQ(read_text_file(file_), whole.substr(0, whole.rfind('\n', whole.size() - 2) + 1));
  EXPECT_EQ(read_metrics(file_).steps.size(), 2U);
  trim_metrics(folder_ / "none.jsonl", 2);
  EXPECT_FALSE(fs::exists(folder_ / "none.jsonl"));
}

}  // namespace
}  // namespace burnish
