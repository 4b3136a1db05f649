// What a user may get wrong: `burnish train` says what, where and what to do, and loses nothing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>

#include "base/error.h"
#include "base/file.h"
#include "format/bytes_helper.h"
#include "tiny_model.h"

namespace burnish {
namespace {
namespace fs = std::filesystem;
using ::testing::HasSubstr;

struct Outcome {
  int code = -1;
  std::string output;
};

Outcome run(const std::string& arguments, const std::string& environment = "") {
  const std::string command =
      environment + " " + BURNISH_BINARY_DIR + "/burnish " + arguments + " 2>&1";
  std::FILE* pipe = ::popen(command.c_str(), "r");
  Outcome outcome;
  char buffer[4096];
  while (const size_t n = std::fread(buffer, 1, sizeof buffer, pipe))
    outcome.output.append(buffer, n);
  const int status = ::pclose(pipe);
  outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return outcome;
}

class BadInput : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / ("burnish_bad_" + std::to_string(::getpid()));
    fs::remove_all(folder_);
    testing_tools::make_tiny_llama(model());
    write(data(), kGoodLine);
  }
  void TearDown() override { fs::remove_all(folder_); }

  fs::path model() const { return folder_ / "model"; }
  fs::path data() const { return folder_ / "data.jsonl"; }
  fs::path output() const { return folder_ / "run"; }
  static void write(const fs::path& file, const std::string& text) {
    std::ofstream(file, std::ios::binary) << text;
  }
  std::string recipe(const std::string& more = "") const {
    const fs::path file = folder_ / "recipe.yaml";
    write(file, "schema_version: 1\nmodel: {source: " + model().string() + "}\ndata:\n  train: [" +
                    data().string() +
                    "]\n  sequence_length: 64\ntrain: {end: {steps: 2}}\noutput: " +
                    output().string() + "\n" + more);
    return file.string();
  }
  Outcome train(const std::string& more = "", const std::string& environment = "") {
    return run("train " + recipe() + " --quiet " + more, environment);
  }
  void expect_refused(const Outcome& outcome, ErrorCode code,
                      const std::vector<std::string>& says) {
    EXPECT_EQ(outcome.code, exit_code(code)) << outcome.output;
    EXPECT_THAT(outcome.output, HasSubstr("error:"));
    for (const std::string& text : says) EXPECT_THAT(outcome.output, HasSubstr(text));
  }

  static constexpr char kGoodLine[] =
      R"({"messages":[{"role":"user","content":"Why?"},{"role":"assistant","content":"Because."}]})"
      "\n";
  fs::path folder_;
};

TEST_F(BadInput, TheGoodOneTrains) {
  EXPECT_EQ(train().code, 0) << train().output;
}

TEST_F(BadInput, MissingFiles) {
  expect_refused(run("train /no/such/recipe.yaml"), ErrorCode::io, {"/no/such/recipe.yaml"});
  expect_refused(train("--set model.source=/no/such/model"), ErrorCode::io, {"/no/such/model"});
  expect_refused(train("--set 'data.train=[/no/such.jsonl]'"), ErrorCode::io, {"/no/such.jsonl"});
  fs::remove(model() / "tokenizer.json");
  expect_refused(train(), ErrorCode::model, {"tokenizer.json"});
}

TEST_F(BadInput, LibtorchThatIsNone) {
  expect_refused(train("", "BURNISH_LIBTORCH=/no/such/torch"), ErrorCode::io,
                 {"libtorch cannot be loaded", "/no/such/torch/lib/libtorch.so",
                  "Let BURNISH_LIBTORCH name the folder"});
  fs::create_directories(folder_ / "lib");
  write(folder_ / "lib" / "libtorch.so", "text");
  expect_refused(train("", "BURNISH_LIBTORCH=" + folder_.string()), ErrorCode::io,
                 {"libtorch cannot be loaded", "libtorch.so"});
  EXPECT_FALSE(fs::exists(output()));
}

TEST_F(BadInput, ModelsThatCannotBeTrainedYet) {
  using namespace testing_bytes;
  for (const char* family : {"qwen2", "qwen3", "gemma3", "granite"}) {
    const fs::path file = folder_ / (std::string(family) + ".gguf");
    write(file, GgufParts().key("general.architecture", 8, gguf_text(family)).bytes());
    expect_refused(train("--set model.source=" + file.string()), ErrorCode::unsupported,
                   {"'" + std::string(family) + "' cannot be trained yet", "llama"});
    EXPECT_EQ(run("model show " + file.string()).code, 0);
  }
  fs::rename(model() / "model.safetensors", model() / "pytorch_model.bin");
  expect_refused(train(), ErrorCode::model, {"pytorch_model.bin", "save_pretrained"});
  EXPECT_FALSE(fs::exists(output()));
}

TEST_F(BadInput, TruncatedSafetensors) {
  const fs::path file = model() / "model.safetensors";
  fs::resize_file(file, fs::file_size(file) / 2);
  expect_refused(train(), ErrorCode::model, {"model.safetensors"});
}

TEST_F(BadInput, LyingHeaderLength) {
  std::string bytes = read_text_file(model() / "model.safetensors");
  bytes.replace(0, 8, "\xff\xff\xff\xff\xff\xff\xff\x7f", 8);
  write(model() / "model.safetensors", bytes);
  expect_refused(train(), ErrorCode::model, {"model.safetensors"});
}

TEST_F(BadInput, MissingTensor) {
  std::string bytes = read_text_file(model() / "model.safetensors");
  const std::string name = "model.layers.1.mlp.up_proj.weight";
  bytes.replace(bytes.find(name), name.size(), "model.layers.1.mlp.xx_proj.weight");
  write(model() / "model.safetensors", bytes);
  expect_refused(train(), ErrorCode::model, {name});
}

TEST_F(BadInput, WrongShape) {
  std::string config = read_text_file(model() / "config.json");
  const size_t at = config.find("\"intermediate_size\": 32");
  ASSERT_NE(at, std::string::npos);
  config.replace(at, 23, "\"intermediate_size\": 48");
  write(model() / "config.json", config);
  expect_refused(train(), ErrorCode::model, {"mlp.", "[48, 16]", "[32, 16]"});
}

TEST_F(BadInput, UnsupportedArchitecture) {
  std::string config = read_text_file(model() / "config.json");
  const size_t at = config.find("\"model_type\": \"llama\"");
  ASSERT_NE(at, std::string::npos);
  config.replace(at, 21, "\"model_type\": \"mamba\"");
  write(model() / "config.json", config);
  expect_refused(train(), ErrorCode::unsupported, {"mamba"});
}

TEST_F(BadInput, BrokenGguf) {
  write(folder_ / "model.gguf", "GGUF\x03\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff");
  expect_refused(train("--set model.source=" + (folder_ / "model.gguf").string()), ErrorCode::model,
                 {"model.gguf"});
}

TEST_F(BadInput, NoTemplate) {
  std::string config = read_text_file(model() / "tokenizer_config.json");
  config.replace(config.find("chat_template"), 13, "chat_nonsense");
  write(model() / "tokenizer_config.json", config);
  expect_refused(train(), ErrorCode::model, {"template"});
}

TEST_F(BadInput, DataLines) {
  const std::vector<std::pair<std::string, std::string>> lines{
      {"{\"messages\": [", "2"},
      {"{\"messages\":[{\"role\":\"user\",\"content\":\"\xff\"}]}", "UTF-8"},
      {R"({"messages":[{"role":"wizard","content":"x"},{"role":"assistant","content":"y"}]})",
       "wizard"},
      {R"({"messages":[{"role":"user","content":"Nobody answers."}]})", "assistant"}};
  for (const auto& [line, says] : lines) {
    write(data(), kGoodLine + line + "\n");
    expect_refused(train(), ErrorCode::data, {"data.jsonl:2", says});
    const Outcome skipped = train("--set data.skip_bad_lines=true --json");
    EXPECT_EQ(skipped.code, 0) << skipped.output;
    fs::remove_all(output());
  }
}

TEST_F(BadInput, NothingLeftToTrainOn) {
  expect_refused(train("--set data.sequence_length=4 --set data.packing=none"), ErrorCode::data,
                 {});
  EXPECT_FALSE(fs::exists(output()));
}

TEST_F(BadInput, RecipeValues) {
  expect_refused(train("--set optimizer.learning_rate=.nan"), ErrorCode::recipe, {"learning_rate"});
  expect_refused(train("--set optimizer.learning_rte=1e-5"), ErrorCode::recipe, {"learning_rate"});
  expect_refused(train("--set 'model.trainable=[\"*.nonsense\"]'"), ErrorCode::recipe,
                 {"*.nonsense"});
  expect_refused(train("--set data.sequence_length=100000"), ErrorCode::recipe,
                 {"sequence_length"});
}

TEST_F(BadInput, FolderOfAnotherRun) {
  ASSERT_EQ(train().code, 0);
  const std::string before = read_text_file(output() / "metrics.jsonl");
  expect_refused(train(), ErrorCode::io, {"another run", "--resume"});
  EXPECT_EQ(read_text_file(output() / "metrics.jsonl"), before);
  expect_refused(run("train " + recipe() + " --resume --set output=" + (folder_ / "none").string()),
                 ErrorCode::io, {"no run to resume"});
}

TEST_F(BadInput, ResumeRefusesOtherNumbersAndAllowsALongerRun) {
  ASSERT_EQ(train("--set checkpoint.every_steps=2").code, 0);
  expect_refused(train("--resume --set optimizer.learning_rate=1e-3"), ErrorCode::recipe,
                 {"optimizer.learning_rate"});
  const Outcome longer = train("--resume --set train.end.steps=4");
  EXPECT_EQ(longer.code, 0) << longer.output;
  EXPECT_THAT(longer.output, HasSubstr("train.end.steps"));
}

TEST_F(BadInput, FileInTheWayOfTheFolder) {
  write(output(), "in the way");
  expect_refused(train(), ErrorCode::io, {"in the way"});
}

TEST_F(BadInput, FullDiskLosesNoCheckpoint) {
  const Outcome outcome =
      train("--set train.end.steps=40 --set checkpoint.every_steps=1 --set checkpoint.keep=1",
            "BURNISH_FAULT_FULL_AFTER_BYTES=900000");
  expect_refused(outcome, ErrorCode::io, {"No space left"});
  const Outcome resumed = train("--resume --set train.end.steps=40");
  EXPECT_EQ(resumed.code, 0) << resumed.output;
}

TEST_F(BadInput, ChangedCheckpointIsNotLoaded) {
  ASSERT_EQ(train("--set checkpoint.every_steps=2").code, 0);
  const fs::path file = output() / "checkpoints" / "step-00000002" / "moments.safetensors";
  std::string bytes = read_text_file(file);
  bytes.back() = static_cast<char>(bytes.back() ^ 1);
  write(file, bytes);
  expect_refused(train("--resume --set train.end.steps=4"), ErrorCode::model,
                 {"moments.safetensors"});
}

}  // namespace
}  // namespace burnish
