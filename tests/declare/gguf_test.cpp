// Files made by the gguf package, tensors as transformers reads them
// (scripts/goldens/make_gguf.py).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "declare/declare_helper.h"
#include "declare/gguf_names.h"

namespace burnish {
namespace {
using namespace testing_declare;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing_bytes::failure_of;
using testing_bytes::gguf_text;
using testing_bytes::GgufParts;
using testing_bytes::packed;

const ModelSource kLlama{ModelSource::Kind::gguf, kData / "declare" / "llama.gguf"};

TEST(GgufModel, ConfigOfTheMetadata) {
  const ModelConfig config = load_config(kLlama);
  EXPECT_EQ(config.model_type, "llama");
  EXPECT_EQ(config.vocab_size, 40);
  EXPECT_EQ(config.hidden_size, 32);
  EXPECT_EQ(config.intermediate_size, 64);
  EXPECT_EQ(config.num_layers, 1);
  EXPECT_EQ(config.num_heads, 4);
  EXPECT_EQ(config.num_kv_heads, 2);
  EXPECT_EQ(config.head_dim, 8);
  EXPECT_EQ(config.max_position_embeddings, 128);
  EXPECT_EQ(config.rms_norm_eps, static_cast<double>(1e-5F));
  EXPECT_EQ(config.rope.theta, 500.0);
  EXPECT_EQ(config.rope.kind, RopeConfig::Kind::standard);
  EXPECT_EQ(config.bos_token_id, 1);
  EXPECT_THAT(config.eos_token_ids, ElementsAre(2));
  EXPECT_EQ(config.pad_token_id, 3);
  EXPECT_FALSE(config.tied_embeddings || config.attention_bias || config.mlp_bias);
}

TEST(GgufModel, SourceJsonIsReadTheSameWay) {
  const ModelConfig config = load_config(kLlama);
  const ModelConfig again = parse_config(config.source_json, "");
  EXPECT_EQ(again.rope.theta, config.rope.theta);
  EXPECT_EQ(again.num_kv_heads, config.num_kv_heads);
  EXPECT_EQ(config.source_json["rope_theta"], 500.0);
  EXPECT_EQ(config.source_json["rope_parameters"]["rope_type"], "default");
  EXPECT_EQ(config.source_json["torch_dtype"], "float32");
  EXPECT_EQ(config.source_json["dtype"], "float32");
}

TEST(GgufModel, TensorsEqualTransformersBitByBit) {
  ModelDeclaration declaration = declare_model(load_config(kLlama));
  const auto source = open_checkpoint(kLlama, declaration);
  const SafetensorsFile expected(kData / "declare" / "llama.safetensors");
  EXPECT_THAT(source->warnings(), IsEmpty());
  ASSERT_EQ(expected.tensors().size(), declaration.parameters.size());
  for (const ParameterDeclaration& parameter : declaration.parameters) {
    const StoredTensor* wanted = expected.find(parameter.name);
    ASSERT_NE(wanted, nullptr) << parameter.name;
    const std::vector<float> values = values_of(*source, parameter);
    ASSERT_EQ(values.size() * sizeof(float), wanted->bytes.size());
    EXPECT_EQ(std::memcmp(values.data(), wanted->bytes.data(), wanted->bytes.size()), 0)
        << parameter.name;
  }
}

TEST(GgufModel, StoredBytesOnlyWhereTheyAreTheParameter) {
  ModelDeclaration declaration = declare_model(load_config(kLlama));
  const auto source = open_checkpoint(kLlama, declaration);
  const std::string block = "model.layers.0.";
  EXPECT_EQ(source->dtype_of(block + "mlp.down_proj.weight"), DType::bf16);
  EXPECT_TRUE(source->stored_bytes(block + "mlp.down_proj.weight").has_value());
  EXPECT_TRUE(source->stored_bytes("lm_head.weight").has_value());
  EXPECT_FALSE(source->stored_bytes(block + "self_attn.k_proj.weight").has_value());  // permuted
  EXPECT_FALSE(source->stored_bytes("model.embed_tokens.weight").has_value());        // Q8_0
  EXPECT_EQ(source->dtype_of("model.embed_tokens.weight"), DType::f32);
}

TEST(GgufModel, ATableOfDivisorsIsLlama3Scaling) {
  const ModelConfig config =
      load_config({ModelSource::Kind::gguf, kData / "declare" / "llama3_rope.gguf"});
  EXPECT_EQ(config.rope.kind, RopeConfig::Kind::llama3);
  EXPECT_EQ(config.rope.factor, 8.0);
  EXPECT_EQ(config.rope.low_freq_factor, 1.0);
  EXPECT_EQ(config.rope.high_freq_factor, 4.0);
  EXPECT_EQ(config.rope.original_max_position_embeddings, 8192);
  EXPECT_EQ(config.rope.theta, 500000.0);
  EXPECT_EQ(config.source_json["rope_scaling"]["rope_type"], "llama3");
  EXPECT_TRUE(config.tied_embeddings);
  EXPECT_EQ(config.dtype, DType::f16);
}

TEST(GgufModel, NamesHaveCounterparts) {
  EXPECT_EQ(hf_name_of_gguf("token_embd.weight"), "model.embed_tokens.weight");
  EXPECT_EQ(hf_name_of_gguf("output_norm.weight"), "model.norm.weight");
  EXPECT_EQ(hf_name_of_gguf("output.weight"), "lm_head.weight");
  EXPECT_EQ(hf_name_of_gguf("blk.12.attn_output.bias"), "model.layers.12.self_attn.o_proj.bias");
  for (const char* name :
       {"", ".", "blk.", "blk.x.attn_q.weight", "blk.01.attn_q.weight", "blk..attn_q.weight",
        "blk.1.attn_q", "blk.1.ssm.weight", "other.weight", "blk.1.weight", "attn_q.weight"})
    EXPECT_EQ(hf_name_of_gguf(name), std::nullopt) << name;
}

// Case: 2 heads of 4; the converter's order of rows is 0 2 1 3 in each.
TEST(GgufModel, RowsOfHeadsAreUndone) {
  std::vector<int64_t> rows;
  for (int64_t row = 0; row < 8; ++row) rows.push_back(gguf_row_of(row, 4));
  EXPECT_THAT(rows, ElementsAre(0, 2, 1, 3, 4, 6, 5, 7));
}

// Metadata of a small model, without tensors but for the embedding.
GgufParts small_gguf() {
  GgufParts parts;
  const auto number = [&](const char* key, uint32_t value) { parts.key(key, 4, packed(value)); };
  number("llama.context_length", 64);
  number("llama.embedding_length", 32);
  number("llama.block_count", 1);
  number("llama.feed_forward_length", 64);
  number("llama.attention.head_count", 4);
  parts.key("llama.attention.layer_norm_rms_epsilon", 6, packed(1e-5F));
  parts.tensor("token_embd.weight", {32, 8}, 0, 0).data.assign(1024, '\0');
  return parts;
}

GgufParts with_architecture(GgufParts parts, const char* name = "llama") {
  return parts.key("general.architecture", 8, gguf_text(name));
}

std::string failure_with_file(const GgufParts& parts) {
  const auto path =
      testing_bytes::write_bytes(testing_bytes::scratch("gguf_config") / "x.gguf", parts.bytes());
  return failure_of([&] { load_config({ModelSource::Kind::gguf, path}); });
}

TEST(GgufModel, RefusesOtherKindsByName) {
  EXPECT_EQ(failure_with_file(with_architecture(small_gguf())), "no error");
  EXPECT_THAT(failure_with_file(small_gguf()),
              HasSubstr("general.architecture: the key is missing"));
  for (const char* other : {"qwen2", "qwen3", "gemma3", "granite"})
    EXPECT_THAT(failure_with_file(with_architecture(small_gguf(), other)),
                AllOf(HasSubstr("unsupported: "), HasSubstr("'" + std::string(other) + "'"),
                      HasSubstr("can be trained: llama")));
  const auto with_number = [](const char* key, uint32_t value) {
    return failure_with_file(with_architecture(small_gguf()).key(key, 4, packed(value)));
  };
  EXPECT_THAT(with_number("llama.expert_count", 8), HasSubstr("mixtures of experts"));
  EXPECT_THAT(with_number("split.count", 3), HasSubstr("one of 3 parts"));
  EXPECT_THAT(with_number("llama.rope.dimension_count", 4), HasSubstr("4 of 8 dimensions"));
  EXPECT_THAT(with_number("llama.attention.value_length", 4), HasSubstr("value_length"));
  EXPECT_THAT(with_number("llama.vocab_size", 9), HasSubstr("token_embd.weight has 8 rows"));
  EXPECT_THAT(with_number("llama.attention.head_count_kv", 3), HasSubstr("3 does not divide"));
}

TEST(GgufModel, NeedsTheEmbedding) {
  GgufParts parts = with_architecture(small_gguf());
  parts.infos.clear();
  parts.num_tensors = 0;
  EXPECT_THAT(failure_with_file(parts), HasSubstr("token_embd.weight is missing"));
  parts.tensor("token_embd.weight", {32}, 0, 0);
  EXPECT_THAT(failure_with_file(parts), HasSubstr("token_embd.weight: it is no matrix"));
}

TEST(GgufModel, RefusesOtherRotaryScaling) {
  EXPECT_THAT(
      failure_with_file(
          with_architecture(small_gguf()).key("llama.rope.scaling.type", 8, gguf_text("yarn"))),
      AllOf(HasSubstr("unsupported: "), HasSubstr("'yarn'")));
  EXPECT_THAT(
      failure_with_file(
          with_architecture(small_gguf()).key("llama.rope.scaling.factor", 6, packed(2.0F))),
      HasSubstr("linear rotary scaling"));
  const auto with_table = [](std::initializer_list<float> divisors) {
    GgufParts parts = with_architecture(small_gguf());
    parts.tensor("rope_freqs.weight", {divisors.size()}, 0, 1024);
    for (const float divisor : divisors) parts.data += packed(divisor);
    return failure_with_file(parts);
  };
  EXPECT_EQ(with_table({1, 1, 1, 1}), "no error");
  EXPECT_THAT(with_table({1, 1, 1}), HasSubstr("rope_freqs.weight"));
  EXPECT_THAT(with_table({1, 2, 3, 4}), HasSubstr("no llama3 scaling"));
  EXPECT_THAT(with_table({1, 8, 1, 8}), HasSubstr("no llama3 scaling"));
  EXPECT_THAT(with_table({0, -1, NAN, 1}), HasSubstr("no llama3 scaling"));
}

}  // namespace
}  // namespace burnish
