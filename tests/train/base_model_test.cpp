// A base model without a template and without control tokens learns to hold conversations.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>

#include "base/error.h"
#include "base/file.h"
#include "engine_door.h"
#include "format/safetensors.h"
#include "generate/generator.h"
#include "tiny_model.h"
#include "train/tiny_run_helper.h"
#include "train/trainer.h"

namespace burnish {
namespace {
namespace fs = std::filesystem;
using nlohmann::ordered_json;
using testing_tools::case_folder;
using testing_tools::TinyRun;
using testing_tools::train_tiny;

constexpr int64_t kBaseRows = 627, kWidth = 16;

ordered_json json_of(const fs::path& file) {
  return ordered_json::parse(std::ifstream(file));
}

void write_json(const fs::path& file, const ordered_json& json) {
  write_text_file(file, json.dump());
}

/// tiny-llama as it would be before anybody taught it ChatML: no control token but <|endoftext|>
/// (626), no template, and no rows for what is not there.
fs::path base_model() {
  const fs::path folder = testing_tools::make_tiny_llama(testing_tools::fresh_folder("base"));
  ordered_json tokenizer = json_of(folder / "tokenizer.json");
  tokenizer["added_tokens"].erase(tokenizer["added_tokens"].begin() + 1,
                                  tokenizer["added_tokens"].end());
  write_json(folder / "tokenizer.json", tokenizer);
  write_json(folder / "tokenizer_config.json", {{"eos_token", "<|endoftext|>"}});
  ordered_json config = json_of(folder / "config.json");
  config["vocab_size"] = kBaseRows;
  config["eos_token_id"] = 626;
  config["pad_token_id"] = nullptr;
  write_json(folder / "config.json", config);
  write_json(folder / "generation_config.json", {{"eos_token_id", 626}, {"temperature", 0.7}});

  const fs::path whole = folder / "whole.safetensors";
  fs::rename(folder / "model.safetensors", whole);
  {
    const SafetensorsFile file(whole);
    std::vector<TensorToWrite> tensors;
    for (const StoredTensor& tensor : file.tensors()) {
      std::vector<int64_t> shape = tensor.shape;
      auto bytes = tensor.bytes;
      if (shape.front() > kBaseRows) {
        shape.front() = kBaseRows;
        bytes = bytes.first(static_cast<size_t>(kBaseRows * kWidth) * sizeof(float));
      }
      tensors.push_back(
          {tensor.name, tensor.dtype, shape, [bytes](const auto& sink) { sink(bytes); }});
    }
    write_safetensors(folder / "model.safetensors", tensors, {{"format", "pt"}});
  }
  fs::remove(whole);
  return folder;
}

std::vector<float> exported(const fs::path& model, const std::string& name) {
  const SafetensorsFile file(model / "model.safetensors");
  const auto bytes = file.find(name)->bytes;
  std::vector<float> values(bytes.size() / sizeof(float));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

TinyRun train_base(const fs::path& base, std::vector<std::string> settings) {
  settings.insert(settings.begin(), "model.source=" + base.string());
  return train_tiny(case_folder("F09") / "data.jsonl", settings);
}

TEST(BaseModel, WithoutATemplateSaysHowToNameOne) {
  try {
    train_base(base_model(), {});
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("template"));
    EXPECT_THAT(error.what(), testing::HasSubstr("chatml"));
  }
}

TEST(BaseModel, ChatmlByNameAddsItsTokensAndNewRowsAreTheMean) {
  const fs::path base = base_model();
  const auto run = train_base(base, {"model.template=chatml", "optimizer.learning_rate=0"});
  const fs::path model = run.folder / "model";
  for (const char* name : {"model.embed_tokens.weight", "lm_head.weight"}) {
    const auto before = exported(base, name), after = exported(model, name);
    ASSERT_EQ(after.size(), static_cast<size_t>((kBaseRows + 2) * kWidth)) << name;
    EXPECT_TRUE(std::equal(before.begin(), before.end(), after.begin())) << name;
    for (int64_t e = 0; e < kWidth; ++e) {
      double mean = 0;
      for (int64_t row = 0; row < kBaseRows; ++row)
        mean += before[static_cast<size_t>(row * kWidth + e)];
      for (int64_t row = kBaseRows; row < kBaseRows + 2; ++row)
        EXPECT_NEAR(after[static_cast<size_t>(row * kWidth + e)], mean / kBaseRows, 1e-6);
    }
  }
  EXPECT_EQ(json_of(model / "config.json")["vocab_size"], kBaseRows + 2);
  EXPECT_EQ(json_of(model / "config.json")["eos_token_id"], ordered_json({628, 626}));
  EXPECT_EQ(json_of(model / "generation_config.json")["eos_token_id"], ordered_json({628, 626}));
  EXPECT_EQ(json_of(model / "generation_config.json")["temperature"], 0.7) << "the rest stays";
  EXPECT_EQ(json_of(model / "tokenizer_config.json")["eos_token"], "<|im_end|>");

  const TextFiles text = load_text(resolve_model(model.string()));
  ASSERT_TRUE(text.chat_template);
  EXPECT_EQ(text.tokenizer.encode("<|im_start|>a<|im_end|>").ids.front(), 627);
  EXPECT_EQ(text.tokenizer.encode("<|im_start|>a<|im_end|>").ids.back(), 628);
  EXPECT_TRUE(text.tokenizer.is_special(628));
}

TEST(BaseModel, AfterTrainingItStopsByItself) {
  const auto run = train_base(base_model(), {"model.template=chatml", "train.end={steps: 80}",
                                             "optimizer.learning_rate=0.02"});
  const ModelSource source = resolve_model((run.folder / "model").string());
  const auto model = load_model(source, {});
  const TextFiles text = load_text(source);
  Generator generator(*model, text);
  SamplingOptions sampling;
  sampling.max_tokens = 100;
  const ordered_json messages{{{"role", "user"}, {"content", "Row 1?"}}};
  std::vector<int32_t> ids =
      text.tokenizer.encode("<|im_start|>user\nRow 1?<|im_end|>\n<|im_start|>assistant\n").ids;
  EXPECT_LT(generator.continue_ids(ids, sampling, {}).size(), 20U);
}

TEST(BaseModel, TokensAndEosOfATemplateFile) {
  const fs::path base = base_model();
  const fs::path file = testing_tools::fresh_folder("template") / "own.jinja";
  write_text_file(file,
                  "{% for m in messages %}<{{ m['role'] }}>{{ m['content'] }}<|stop|>{% endfor %}"
                  "{% if add_generation_prompt %}<assistant>{% endif %}");
  const auto run = train_base(
      base, {"model.template=" + file.string(), "model.add_tokens=['<|stop|>', '<|spare|>']",
             "model.eos_token='<|stop|>'", "train.end={steps: 3}"});
  const TextFiles text = load_text(resolve_model((run.folder / "model").string()));
  EXPECT_EQ(text.tokenizer.special_tokens().eos_id, 627);
  EXPECT_EQ(text.tokenizer.id_of("<|spare|>"), 628);
  EXPECT_EQ(json_of(run.folder / "model" / "config.json")["vocab_size"], 629);
}

TEST(BaseModel, AnEosThatIsNoTokenIsRefused) {
  try {
    train_base(base_model(), {"model.template=chatml", "model.eos_token='<|nowhere|>'"});
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::recipe);
    EXPECT_THAT(error.what(), testing::HasSubstr("<|nowhere|>"));
    EXPECT_THAT(error.what(), testing::HasSubstr("model.add_tokens"));
  }
}

TEST(BaseModel, ARunGoesOnWithItsTokens) {
  const fs::path base = base_model(), output = testing_tools::fresh_folder("run");
  const auto request = [&](int steps) {
    return testing_tools::tiny_request(
        case_folder("F09") / "data.jsonl",
        {"model.source=" + base.string(), "model.template=chatml", "checkpoint.every_steps=2",
         "optimizer.learning_rate=0.01", "train.end={steps: " + std::to_string(steps) + "}"},
        output);
  };
  train(request(2));
  TrainRequest more = request(4);
  more.resume = true;
  EXPECT_EQ(train(more)["steps"], 4);
}

}  // namespace
}  // namespace burnish
