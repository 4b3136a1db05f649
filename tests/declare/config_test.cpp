#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "declare/declare_helper.h"

namespace burnish {
namespace {
using namespace testing_declare;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing_bytes::failure_of;

TEST(Config, ReadsSizesAndTheirDefaults) {
  const ModelConfig config = small_model();
  EXPECT_EQ(config.model_type, "llama");
  EXPECT_EQ(config.vocab_size, 16);
  EXPECT_EQ(config.hidden_size, 8);
  EXPECT_EQ(config.intermediate_size, 12);
  EXPECT_EQ(config.num_layers, 1);
  EXPECT_EQ(config.num_heads, 2);
  EXPECT_EQ(config.num_kv_heads, 1);
  EXPECT_EQ(config.head_dim, 4);
  EXPECT_EQ(config.max_position_embeddings, 2048);
  EXPECT_EQ(config.rms_norm_eps, 1e-6);
  EXPECT_FALSE(config.attention_bias || config.mlp_bias || config.tied_embeddings);
  EXPECT_EQ(config.pad_token_id, std::nullopt);
  EXPECT_EQ(config.dtype, std::nullopt);
  EXPECT_THAT(config.eos_token_ids, IsEmpty());
  EXPECT_EQ(small_model({{"num_key_value_heads", nullptr}}).num_kv_heads, 2);
}

TEST(Config, HeadDimMayBeGivenNullOrAbsent) {
  EXPECT_EQ(small_model({{"head_dim", 6}}).head_dim, 6);
  EXPECT_EQ(small_model({{"head_dim", nullptr}}).head_dim, 4);
}

TEST(Config, TokensAreOneOrMany) {
  EXPECT_THAT(small_model({{"eos_token_id", 2}}).eos_token_ids, ElementsAre(2));
  EXPECT_THAT(small_model({{"eos_token_id", {2, 5}}}).eos_token_ids, ElementsAre(2, 5));
  EXPECT_THAT(small_model({{"eos_token_id", nullptr}}).eos_token_ids, IsEmpty());
  EXPECT_EQ(small_model({{"pad_token_id", 0}}).pad_token_id, 0);
  EXPECT_EQ(small_model({{"pad_token_id", -1}}).pad_token_id, std::nullopt);
  EXPECT_THAT(
      failure_with({{"pad_token_id", 16}}),
      AllOf(HasSubstr("model: config.json, key pad_token_id"), HasSubstr("16 is not within")));
  EXPECT_THAT(failure_with({{"eos_token_id", {2, -7}}}), HasSubstr("eos_token_id"));
  EXPECT_THAT(failure_with({{"bos_token_id", "one"}}), HasSubstr("no token id"));
  EXPECT_THAT(failure_with({{"pad_token_id", 18446744073709551615ull}}), HasSubstr("pad_token_id"));
}

TEST(Config, DtypeOfBothGenerations) {
  EXPECT_EQ(small_model({{"dtype", "bfloat16"}}).dtype, DType::bf16);
  EXPECT_EQ(small_model({{"torch_dtype", "float16"}}).dtype, DType::f16);
  EXPECT_EQ(small_model({{"torch_dtype", "float16"}, {"dtype", "float32"}}).dtype, DType::f32);
  EXPECT_THAT(failure_with({{"dtype", "float7"}}), HasSubstr("unsupported: "));
}

TEST(Config, NamesMissingKeys) {
  for (const char* key : {"vocab_size", "hidden_size", "intermediate_size", "num_hidden_layers",
                          "num_attention_heads", "model_type"})
    EXPECT_THAT(failure_with({{key, nullptr}}),
                AllOf(HasSubstr("model: config.json, key "), HasSubstr(key), HasSubstr("missing")))
        << key;
}

TEST(Config, RefusesImpossibleNumbers) {
  for (const char* key :
       {"vocab_size", "hidden_size", "intermediate_size", "num_hidden_layers",
        "num_attention_heads", "num_key_value_heads", "head_dim", "max_position_embeddings"}) {
    EXPECT_THAT(failure_with({{key, 0}}), AllOf(HasSubstr(key), HasSubstr("0 is not within")))
        << key;
    EXPECT_THAT(failure_with({{key, -4}}), AllOf(HasSubstr(key), HasSubstr("-4 is not within")));
    EXPECT_THAT(failure_with({{key, 9223372036854775807}}), HasSubstr("is not within"));
    EXPECT_THAT(failure_with({{key, "8"}}), HasSubstr("an integer is needed here, not \"8\""));
    EXPECT_THAT(failure_with({{key, 8.5}}), HasSubstr("an integer is needed here, not 8.5"));
  }
  EXPECT_THAT(failure_with({{"num_attention_heads", 3}}),
              HasSubstr("3 does not divide hidden_size 8"));
  EXPECT_THAT(failure_with({{"num_attention_heads", 4}, {"num_key_value_heads", 3}}),
              HasSubstr("3 does not divide num_attention_heads 4"));
  EXPECT_THAT(failure_with({{"head_dim", 5}}), HasSubstr("5 is odd"));
  EXPECT_THAT(failure_with({{"rms_norm_eps", 0}}), HasSubstr("finite number above 0"));
  EXPECT_THAT(failure_with({{"rms_norm_eps", -1e-6}}), HasSubstr("finite number above 0"));
  EXPECT_THAT(failure_with({{"attention_bias", 1}}), HasSubstr("true or false"));
  EXPECT_THAT(failure_with({{"vocab_size", 2147483647},
                            {"hidden_size", 16777216},
                            {"num_attention_heads", 8},
                            {"num_key_value_heads", 8}}),
              HasSubstr("10^15"));
}

TEST(Config, RefusesWhatIsNotThereByName) {
  EXPECT_THAT(failure_with({{"model_type", "mistral"}}),
              AllOf(HasSubstr("unsupported: "), HasSubstr("'mistral'"), HasSubstr("llama")));
  EXPECT_THAT(failure_with({{"architectures", {"LlamaForSequenceClassification"}}}),
              AllOf(HasSubstr("unsupported: "), HasSubstr("LlamaForSequenceClassification")));
  EXPECT_THAT(failure_with({{"hidden_act", "gelu"}}),
              AllOf(HasSubstr("unsupported: "), HasSubstr("'gelu'")));
  EXPECT_THAT(failure_with({{"attention_dropout", 0.1}}), HasSubstr("unsupported: "));
  EXPECT_THAT(failure_with({{"quantization_config", {{"bits", 4}}}}), HasSubstr("unsupported: "));
}

TEST(Config, FileErrorsNameTheFile) {
  const auto folder = testing_bytes::scratch("config_files");
  const ModelSource source{ModelSource::Kind::folder, folder};
  EXPECT_THAT(failure_of([&] { load_config(source); }), HasSubstr("io: "));
  testing_bytes::write_bytes(folder / "config.json", "{\"model_type\": ");
  EXPECT_THAT(failure_of([&] { load_config(source); }),
              AllOf(HasSubstr("config.json: "), HasSubstr("not valid JSON"), HasSubstr("line 1")));
  testing_bytes::write_bytes(folder / "config.json", "[]");
  EXPECT_THAT(failure_of([&] { load_config(source); }), HasSubstr("object is needed, not array"));
  testing_bytes::write_bytes(folder / "config.json", std::string(1'000'000, '['));
  EXPECT_THAT(failure_of([&] { load_config(source); }), HasSubstr("nested deeper"));
}

TEST(Config, SourceJsonIsTheFileItself) {
  json config = small_config();
  config["something_else"] = {1, "two"};
  EXPECT_EQ(parse_config(config, "").source_json.dump(), config.dump());
}

}  // namespace
}  // namespace burnish
