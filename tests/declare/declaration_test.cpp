#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "declare/declare_helper.h"

namespace burnish {
namespace {
using namespace testing_declare;
using ::testing::ElementsAre;

const json kBiases = {{"attention_bias", true}, {"mlp_bias", true}};

std::vector<std::string> names_of(const ModelDeclaration& declaration) {
  std::vector<std::string> names;
  for (const ParameterDeclaration& parameter : declaration.parameters)
    names.push_back(parameter.name);
  return names;
}

TEST(Declaration, ParametersStandInTheOrderOfTheChain) {
  EXPECT_THAT(
      names_of(declare_model(small_model())),
      ElementsAre(
          "model.embed_tokens.weight", "model.layers.0.input_layernorm.weight",
          "model.layers.0.self_attn.q_proj.weight", "model.layers.0.self_attn.k_proj.weight",
          "model.layers.0.self_attn.v_proj.weight", "model.layers.0.self_attn.o_proj.weight",
          "model.layers.0.post_attention_layernorm.weight", "model.layers.0.mlp.gate_proj.weight",
          "model.layers.0.mlp.up_proj.weight", "model.layers.0.mlp.down_proj.weight",
          "model.norm.weight", "lm_head.weight"));
}

TEST(Declaration, ATiedModelHasNoHeadOfItsOwn) {
  const ModelDeclaration tied = declare_model(small_model({{"tie_word_embeddings", true}}));
  EXPECT_EQ(tied.parameters.back().name, "model.norm.weight");
}

TEST(Declaration, UnitsAndKeys) {
  const ModelDeclaration model = declare_model(small_model({{"num_hidden_layers", 2}}));
  EXPECT_EQ(model.num_units(), 4);
  for (const ParameterDeclaration& parameter : model.parameters) {
    EXPECT_GE(parameter.unit, 0);
    EXPECT_LT(parameter.unit, model.num_units());
    EXPECT_TRUE(parameter.name.ends_with(parameter.key));
    const bool in_block = parameter.unit > 0 && parameter.unit < 3;
    if (in_block) {
      EXPECT_EQ(parameter.name,
                "model.layers." + std::to_string(parameter.unit - 1) + "." + parameter.key);
    }
  }
  EXPECT_EQ(model.parameters.front().key, "embed_tokens.weight");
  EXPECT_EQ(model.parameters.back().unit, 3);
  EXPECT_EQ(model.parameters.back().key, "lm_head.weight");
}

const ParameterDeclaration& find(const ModelDeclaration& model, const std::string& key) {
  for (const ParameterDeclaration& parameter : model.parameters)
    if (parameter.key == key) return parameter;
  throw std::runtime_error(key);
}

TEST(Declaration, ShapesFollowHeadsNotHiddenSize) {
  const ModelDeclaration model = declare_model(small_model({{"head_dim", 6}}));
  EXPECT_THAT(find(model, "self_attn.q_proj.weight").shape, ElementsAre(12, 8));
  EXPECT_THAT(find(model, "self_attn.k_proj.weight").shape, ElementsAre(6, 8));
  EXPECT_THAT(find(model, "self_attn.v_proj.weight").shape, ElementsAre(6, 8));
  EXPECT_THAT(find(model, "self_attn.o_proj.weight").shape, ElementsAre(8, 12));
  EXPECT_THAT(find(model, "mlp.gate_proj.weight").shape, ElementsAre(12, 8));
  EXPECT_THAT(find(model, "mlp.down_proj.weight").shape, ElementsAre(8, 12));
  EXPECT_THAT(find(model, "lm_head.weight").shape, ElementsAre(16, 8));
}

TEST(Declaration, TensorParallelSplits) {
  const ModelDeclaration model = declare_model(small_model(kBiases));
  for (const char* key : {"embed_tokens.weight", "self_attn.q_proj.weight", "self_attn.q_proj.bias",
                          "self_attn.k_proj.bias", "self_attn.v_proj.bias", "mlp.gate_proj.weight",
                          "mlp.up_proj.bias", "lm_head.weight"})
    EXPECT_EQ(find(model, key).split.dim, 0) << key;
  for (const char* key : {"self_attn.o_proj.weight", "mlp.down_proj.weight"})
    EXPECT_EQ(find(model, key).split.dim, 1) << key;
  for (const char* key : {"self_attn.o_proj.bias", "mlp.down_proj.bias", "norm.weight",
                          "input_layernorm.weight", "post_attention_layernorm.weight"})
    EXPECT_EQ(find(model, key).split.dim, -1) << key;
  for (const ParameterDeclaration& parameter : model.parameters)
    if (parameter.split.dim >= 0) {
      EXPECT_THAT(parameter.split.sections,
                  ElementsAre(parameter.shape[static_cast<size_t>(parameter.split.dim)]));
    }
}

// The rule of transformers by name: case I01's table of a llama with all biases.
TEST(Declaration, DecaysAsTransformersDoes) {
  std::ifstream file(kData / "cases" / "I01-weight-decay-groups" / "expected.json");
  const json expected = json::parse(file).at("decays").at("llama with attention_bias and mlp_bias");
  const ModelDeclaration model = declare_model(small_model(kBiases));
  std::map<std::string, bool> decays;
  for (const ParameterDeclaration& parameter : model.parameters)
    decays[parameter.name] = parameter.decays;
  size_t compared = 0;
  for (const auto& [name, wanted] : expected.items()) {
    ASSERT_TRUE(decays.count(name)) << name;
    EXPECT_EQ(decays.at(name), wanted.get<bool>()) << name;
    ++compared;
  }
  EXPECT_EQ(compared, model.parameters.size());
}

// SmolLM2-135M: 134,515,008 parameters; the tied head multiplies, norms do not.
TEST(Declaration, CountsOfARealModel) {
  const json config = {{"model_type", "llama"},    {"vocab_size", 49152},
                       {"hidden_size", 576},       {"intermediate_size", 1536},
                       {"num_hidden_layers", 30},  {"num_attention_heads", 9},
                       {"num_key_value_heads", 3}, {"tie_word_embeddings", true}};
  const ModelDeclaration tied = declare_model(parse_config(config, ""));
  EXPECT_EQ(tied.num_parameters(), 134'515'008);
  EXPECT_EQ(tied.flops_per_token(), 6.0 * (134'515'008 - 61 * 576));
  json untied_config = config;
  untied_config["tie_word_embeddings"] = false;
  const ModelDeclaration untied = declare_model(parse_config(untied_config, ""));
  EXPECT_EQ(untied.num_parameters(), 134'515'008 + 49152 * 576);
  EXPECT_EQ(untied.flops_per_token(), tied.flops_per_token());
}

}  // namespace
}  // namespace burnish
