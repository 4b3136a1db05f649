// What `burnish model show` shows: of every family, whether or not it can be trained.
#include "declare/model_overview.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "base/hash.h"
#include "declare/declare_helper.h"

namespace burnish {
namespace {
using namespace testing_declare;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing_bytes::failure_of;
using testing_bytes::gguf_text;
using testing_bytes::GgufParts;
using testing_bytes::packed;
using testing_bytes::scratch;
using testing_bytes::write_bytes;

ModelSource gguf_source(const std::filesystem::path& path) {
  return {ModelSource::Kind::gguf, path};
}

// As its converters write it: sizes behind the name of the architecture, a Q4_K embedding.
GgufParts file_of(const std::string& architecture) {
  GgufParts parts;
  parts.key("general.architecture", 8, gguf_text(architecture));
  const auto number = [&](const char* key, uint32_t value) {
    parts.key(architecture + "." + key, 4, packed(value));
  };
  number("context_length", 32768);
  number("embedding_length", 256);
  number("block_count", 18);
  number("feed_forward_length", 2048);
  number("attention.head_count", 4);
  number("attention.head_count_kv", 1);
  number("attention.key_length", 64);
  parts.key("tokenizer.chat_template", 8, gguf_text("{{ messages[0].content }}"));
  parts.tensor("token_embd.weight", {256, 10}, 12, 0).tensor("output_norm.weight", {8}, 0, 1440);
  parts.data.assign(1440 + 32, '\0');
  return parts;
}

ModelSource written(const std::string& name, const GgufParts& parts) {
  return gguf_source(write_bytes(scratch("overview") / (name + ".gguf"), parts.bytes()));
}

TEST(ModelOverview, OfAFileThatCanBeTrained) {
  const ModelOverview model = overview_of(gguf_source(kData / "declare" / "llama.gguf"));
  ASSERT_TRUE(model.declaration) << model.obstacle;
  EXPECT_EQ(model.family, "llama");
  EXPECT_EQ(model.obstacle, "");
  EXPECT_EQ(model.num_parameters(), model.declaration->num_parameters());
  EXPECT_EQ(model.size("num_key_value_heads"), 2);
  EXPECT_EQ(model.size("max_position_embeddings"), 128);
  EXPECT_EQ(model.size("nothing"), std::nullopt);
  EXPECT_EQ(model.checkpoint->stored_type("model.embed_tokens.weight"), "Q8_0");
  EXPECT_EQ(model.checkpoint->stored_type("model.layers.0.self_attn.q_proj.weight"), "Q4_1");
  EXPECT_EQ(model.types.at("Q8_0").tensors, 2);
  EXPECT_EQ(model.types.at("Q8_0").elements, 40 * 32 + 64 * 32);
  EXPECT_EQ(model.types.at("Q8_0").bytes, (40 * 32 + 64 * 32) / 32 * 34);
  EXPECT_EQ(model.stored.tensors.count("blk.0.attn_q.weight"), 1U);
  EXPECT_EQ(model.text.num_tokens, std::nullopt);  // this file has no vocabulary
  EXPECT_FALSE(model.text.has_template);
  EXPECT_THAT(model.text.problems, ElementsAre(HasSubstr("tokenizer.ggml")));
}

TEST(ModelOverview, OfFamiliesThatCannotBeTrainedYet) {
  for (const char* family : {"qwen2", "qwen3", "gemma3", "granite"}) {
    const ModelOverview model = overview_of(written(family, file_of(family)));
    EXPECT_FALSE(model.declaration || model.checkpoint);
    EXPECT_THAT(model.obstacle,
                AllOf(HasSubstr("key general.architecture: models of the architecture '" +
                                std::string(family) + "' cannot be trained yet"),
                      HasSubstr("Families that can be trained: llama")));
    EXPECT_EQ(model.family, family);
    EXPECT_EQ(model.size("hidden_size"), 256);
    EXPECT_EQ(model.size("num_hidden_layers"), 18);
    EXPECT_EQ(model.size("intermediate_size"), 2048);
    EXPECT_EQ(model.size("num_attention_heads"), 4);
    EXPECT_EQ(model.size("num_key_value_heads"), 1);
    EXPECT_EQ(model.size("head_dim"), 64);
    EXPECT_EQ(model.size("max_position_embeddings"), 32768);
    EXPECT_EQ(model.size("vocab_size"), 10);  // the rows of the embedding
    EXPECT_EQ(model.num_parameters(), 2560 + 8);
    EXPECT_EQ(model.num_bytes(), 1440 + 32);
    EXPECT_TRUE(model.text.has_template);
  }
}

// Some families give feed_forward_length or head_count for each layer.
TEST(ModelOverview, LeavesSizesOutThatAreNoSingleNumber) {
  GgufParts parts;
  parts.key("general.architecture", 8, gguf_text("openelm"))
      .key("openelm.attention.head_count", 9, packed(uint32_t{4}) + packed(uint64_t{0}))
      .key("openelm.embedding_length", 8, gguf_text("wide"));
  const ModelOverview model = overview_of(written("openelm", parts));
  EXPECT_EQ(model.size("num_attention_heads"), std::nullopt);
  EXPECT_EQ(model.size("hidden_size"), std::nullopt);
  EXPECT_EQ(model.num_parameters(), 0);
}

TEST(ModelOverview, OfFolders) {
  const ModelSource folder = folder_of("overview", whole_checkpoint(declare_model(small_model())));
  const auto config = folder.path / "config.json";
  write_text_file(config, small_config().dump());
  const ModelOverview model = overview_of(folder);
  ASSERT_TRUE(model.declaration) << model.obstacle;
  EXPECT_EQ(model.family, "llama");
  EXPECT_EQ(model.types.at("F32").elements, model.num_parameters());
  EXPECT_THAT(model.text.problems, ElementsAre(HasSubstr("tokenizer.json")));

  json other = {{"model_type", "gemma3"}, {"text_config", {{"hidden_size", 640}}}};
  write_text_file(config, other.dump());
  const ModelOverview unknown = overview_of(folder);
  EXPECT_EQ(unknown.family, "gemma3");
  EXPECT_THAT(unknown.obstacle, HasSubstr("models of type 'gemma3' cannot be trained yet"));
  EXPECT_EQ(unknown.size("hidden_size"), 640);
  EXPECT_EQ(unknown.num_parameters(), model.num_parameters());

  json deeper = small_config();
  deeper["num_hidden_layers"] = 2;
  write_text_file(config, deeper.dump());
  EXPECT_THAT(overview_of(folder).obstacle, HasSubstr("tensor model.layers.1."));
}

TEST(ModelOverview, RefusesFilesThatAreDamaged) {
  GgufParts parts = file_of("gemma3");
  parts.data.pop_back();
  const ModelSource cut = written("cut", parts);
  EXPECT_THAT(failure_of([&] { overview_of(cut); }),
              AllOf(HasSubstr("model: "), HasSubstr("tensor output_norm.weight")));
  const ModelSource nameless = written("nameless", GgufParts());
  EXPECT_THAT(failure_of([&] { overview_of(nameless); }),
              HasSubstr("general.architecture: the key is missing"));
}

// The hash is that of the values which the gguf package makes
// (scripts/goldens/make_gguf_blocks.py).
TEST(ModelOverview, HashesAreOfTheValues) {
  const FoundTensors stored = stored_in_gguf(kData / "format" / "blocks.gguf");
  const SafetensorsFile expected(kData / "format" / "blocks.safetensors");
  for (const char* name : {"Q4_K", "Q5_0", "IQ4_XS"}) {
    const FoundTensor& tensor = stored.tensors.at(name);
    const auto wanted = expected.find(name)->bytes;
    EXPECT_EQ(sha256_of_values(tensor.num_elements(), tensor.read),
              sha256_of({reinterpret_cast<const char*>(wanted.data()), wanted.size()}));
    EXPECT_EQ(tensor.type, name);
  }
}

}  // namespace
}  // namespace burnish
