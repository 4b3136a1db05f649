// What open_checkpoint accepts, refuses and warns about.
#include "declare/checkpoint_source.h"

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

// The whole checkpoint of the small model after `change`.
std::string failure_after(const std::string& name,
                          const std::function<void(std::vector<TensorToWrite>&)>& change) {
  ModelDeclaration declaration = declare_model(small_model());
  std::vector<TensorToWrite> tensors = whole_checkpoint(declaration);
  change(tensors);
  const ModelSource source = folder_of(name, tensors);
  return failure_of([&] { open_checkpoint(source, declaration); });
}

TEST(Checkpoint, ReadsEveryParameter) {
  ModelDeclaration declaration = declare_model(small_model());
  const auto source =
      open_checkpoint(folder_of("whole", whole_checkpoint(declaration)), declaration);
  EXPECT_THAT(source->warnings(), IsEmpty());
  for (const ParameterDeclaration& parameter : declaration.parameters) {
    EXPECT_TRUE(source->has(parameter.name));
    EXPECT_EQ(source->dtype_of(parameter.name), DType::f32);
    const std::vector<float> values = values_of(*source, parameter);
    source->release(parameter.name);
    EXPECT_EQ(values_of(*source, parameter), values);
    for (size_t i = 0; i < values.size(); ++i) ASSERT_EQ(values[i], numbered(parameter.name, i));
  }
}

TEST(Checkpoint, NamesMayLackTheModelPrefix) {
  ModelDeclaration declaration = declare_model(small_model());
  std::vector<TensorToWrite> tensors;
  for (const ParameterDeclaration& parameter : declaration.parameters) {
    const bool prefixed = parameter.name.starts_with("model.");
    tensors.push_back(
        f32_tensor(prefixed ? parameter.name.substr(6) : parameter.name, parameter.shape));
  }
  const auto source = open_checkpoint(folder_of("no_prefix", tensors), declaration);
  EXPECT_TRUE(source->has("model.layers.0.mlp.up_proj.weight"));
  EXPECT_THAT(source->warnings(), IsEmpty());
}

TEST(Checkpoint, RefusesANameWithAndWithoutPrefix) {
  EXPECT_THAT(
      failure_after("twice",
                    [](auto& tensors) { tensors.push_back(f32_tensor("norm.weight", {8})); }),
      HasSubstr("model.norm.weight is there with and without"));
}

TEST(Checkpoint, NamesAMissingTensor) {
  EXPECT_THAT(failure_after("missing", [](auto& tensors) { tensors.erase(tensors.begin() + 4); }),
              AllOf(HasSubstr("model: "),
                    HasSubstr("tensor model.layers.0.self_attn.v_proj.weight is missing.")));
  EXPECT_THAT(failure_after("missing2", [](auto& tensors) { tensors.resize(10); }),
              HasSubstr("tensor model.norm.weight is missing, and 1 more"));
  EXPECT_THAT(failure_after("no_head", [](auto& tensors) { tensors.pop_back(); }),
              AllOf(HasSubstr("lm_head.weight is missing"), HasSubstr("tie_word_embeddings")));
}

TEST(Checkpoint, NamesBothShapes) {
  EXPECT_THAT(failure_after("shape",
                            [](auto& tensors) {
                              tensors[2] = f32_tensor(tensors[2].name, {8, 9});
                            }),
              AllOf(HasSubstr("model.layers.0.self_attn.q_proj.weight"), HasSubstr("[8, 9]"),
                    HasSubstr("[8, 8]")));
}

TEST(Checkpoint, RefusesIntegerWeights) {
  EXPECT_THAT(failure_after("integers", [](auto& tensors) { tensors[1].dtype = DType::i32; }),
              AllOf(HasSubstr("input_layernorm.weight"), HasSubstr("I32")));
}

TEST(Checkpoint, WarnsOfUnexpectedTensorsAndIgnoresOldFrequencies) {
  ModelDeclaration declaration = declare_model(small_model());
  std::vector<TensorToWrite> tensors = whole_checkpoint(declaration);
  tensors.push_back(f32_tensor("model.layers.0.self_attn.rotary_emb.inv_freq", {2}));
  tensors.push_back(f32_tensor("model.layers.7.extra.weight", {2}));
  const auto source = open_checkpoint(folder_of("extra", tensors), declaration);
  EXPECT_THAT(source->warnings(), ElementsAre(AllOf(HasSubstr("model.layers.7.extra.weight"),
                                                    Not(HasSubstr("inv_freq")))));
  EXPECT_FALSE(source->has("model.layers.7.extra.weight"));
}

TEST(Checkpoint, ConvertsEveryFloatKind) {
  ModelDeclaration declaration = declare_model(small_model());
  std::vector<TensorToWrite> tensors = whole_checkpoint(declaration);
  const auto norm = [&](size_t at, DType dtype, std::string element) {
    std::string bytes;
    for (int i = 0; i < 8; ++i) bytes += element;
    tensors[at].dtype = dtype;
    tensors[at].fill = [bytes](const auto& sink) { sink(std::as_bytes(std::span(bytes))); };
  };
  using testing_bytes::packed;
  norm(1, DType::f64, packed(0.1));
  norm(6, DType::f16, packed(uint16_t{0x3C01}));    // 1 + 2^-10
  norm(10, DType::bf16, packed(uint16_t{0xBFC0}));  // -1.5
  const auto source = open_checkpoint(folder_of("kinds", tensors), declaration);
  const auto first = [&](size_t at) { return values_of(*source, declaration.parameters[at])[7]; };
  EXPECT_EQ(first(1), 0.1F);
  EXPECT_EQ(first(6), 1.0F + 0x1p-10F);
  EXPECT_EQ(first(10), -1.5F);
  EXPECT_EQ(source->dtype_of(declaration.parameters[1].name), DType::f64);
  EXPECT_EQ(source->dtype_of(declaration.parameters[10].name), DType::bf16);
  const auto bytes = source->stored_bytes(declaration.parameters[10].name);
  ASSERT_TRUE(bytes.has_value());
  EXPECT_EQ(bytes->size(), 16u);
}

TEST(Checkpoint, AsksForWhatIsThere) {
  ModelDeclaration declaration = declare_model(small_model());
  const auto source = open_checkpoint(folder_of("ask", whole_checkpoint(declaration)), declaration);
  std::vector<float> room(7);
  EXPECT_THAT(failure_of([&] { source->read_f32("model.norm.weight", room); }),
              HasSubstr("internal: tensor model.norm.weight: room for 7 of 8"));
  EXPECT_THAT(failure_of([&] { source->dtype_of("nothing"); }),
              HasSubstr("internal: tensor nothing"));
  EXPECT_FALSE(source->has("nothing"));
}

json tied() {
  return {{"tie_word_embeddings", true}};
}

TEST(TiedHead, EqualDataIsOneTensor) {
  ModelDeclaration declaration = declare_model(small_model(tied()));
  std::vector<TensorToWrite> tensors = whole_checkpoint(declaration);
  tensors.push_back(f32_tensor("lm_head.weight", {16, 8}, [](const std::string&, size_t i) {
    return numbered("model.embed_tokens.weight", i);
  }));
  const auto source = open_checkpoint(folder_of("tied_equal", tensors), declaration);
  EXPECT_TRUE(declaration.config.tied_embeddings);
  EXPECT_FALSE(source->has("lm_head.weight"));
  EXPECT_THAT(source->warnings(), IsEmpty());
}

TEST(TiedHead, DifferentDataUntiesTheModel) {
  ModelDeclaration declaration = declare_model(small_model(tied()));
  std::vector<TensorToWrite> tensors = whole_checkpoint(declaration);
  tensors.push_back(f32_tensor("lm_head.weight", {16, 8}));
  const auto source = open_checkpoint(folder_of("tied_other", tensors), declaration);
  EXPECT_FALSE(declaration.config.tied_embeddings);
  EXPECT_EQ(declaration.config.source_json["tie_word_embeddings"], false);
  EXPECT_EQ(declaration.parameters.back().name, "lm_head.weight");
  EXPECT_TRUE(source->has("lm_head.weight"));
  EXPECT_THAT(source->warnings(), ElementsAre(HasSubstr("the model is untied")));
}

TEST(TiedHead, TheHeadMayStandForTheEmbedding) {
  ModelDeclaration declaration = declare_model(small_model(tied()));
  std::vector<TensorToWrite> tensors = whole_checkpoint(declaration);
  tensors.front() = f32_tensor("lm_head.weight", {16, 8});
  const auto source = open_checkpoint(folder_of("head_only", tensors), declaration);
  EXPECT_EQ(values_of(*source, declaration.parameters.front())[3], numbered("lm_head.weight", 3));
}

}  // namespace
}  // namespace burnish
