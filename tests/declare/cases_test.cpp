// Checkpoints that other programs were seen to load wrongly.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "declare/declare_helper.h"

namespace burnish {
namespace {
namespace fs = std::filesystem;
using namespace testing_declare;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing_bytes::failure_of;

const fs::path kCases = kData / "cases";

struct Opened {
  ModelDeclaration declaration;
  std::unique_ptr<CheckpointSource> source;
};

Opened open(const fs::path& folder) {
  const ModelSource source{ModelSource::Kind::folder, folder};
  Opened opened{declare_model(load_config(source)), nullptr};
  opened.source = open_checkpoint(source, opened.declaration);
  return opened;
}

TEST(CaseF01, ATiedModelHasOneMatrix) {
  const Opened opened = open(kCases / "F01-tied-embeddings");
  EXPECT_TRUE(opened.declaration.config.tied_embeddings);
  EXPECT_FALSE(opened.source->has("lm_head.weight"));
  EXPECT_THAT(opened.source->warnings(), IsEmpty());
}

TEST(CaseF02, BothMatricesAreKeptAndTheModelIsUntied) {
  const Opened opened = open(kCases / "F02-tied-flag-untied-data");
  EXPECT_FALSE(opened.declaration.config.tied_embeddings);
  EXPECT_EQ(opened.declaration.config.source_json["tie_word_embeddings"], false);
  EXPECT_THAT(opened.source->warnings(), ElementsAre(HasSubstr("untied")));
  EXPECT_NE(values_of(*opened.source, opened.declaration.parameters.front()),
            values_of(*opened.source, opened.declaration.parameters.back()));
}

// good/ copied, files removed, then the variant's own laid over it.
fs::path shard_variant(const std::string& name) {
  const fs::path from = kCases / "F03-shard-index";
  const fs::path to = testing_bytes::scratch("F03_" + name);
  fs::remove_all(to);
  fs::copy(from / "good", to);
  std::ifstream file(from / "expected.json");
  const json expected = json::parse(file);
  for (const json& removed : expected.at("remove").value(name, json::array()))
    fs::remove(to / removed.get<std::string>());
  if (name != "good" && fs::exists(from / name))
    fs::copy(from / name, to, fs::copy_options::recursive | fs::copy_options::overwrite_existing);
  return to;
}

std::string failure_of_variant(const std::string& name) {
  const fs::path folder = shard_variant(name);
  return failure_of([&] { open(folder); });
}

TEST(CaseF03, RefusesBrokenShardsByName) {
  EXPECT_THAT(failure_of_variant("missing_shard"),
              AllOf(HasSubstr("model: "), HasSubstr("model-00002-of-00003.safetensors")));
  EXPECT_THAT(failure_of_variant("map_points_to_wrong_shard"),
              HasSubstr("model.layers.0.self_attn.o_proj.weight"));
  EXPECT_THAT(failure_of_variant("key_in_no_shard"),
              HasSubstr("model.layers.0.post_attention_layernorm.weight is missing"));
  EXPECT_THAT(failure_of_variant("wrong_shape"),
              AllOf(HasSubstr("model.embed_tokens.weight"), HasSubstr("[32, 8]"),
                    HasSubstr("its shape is [")));
}

TEST(CaseF03, TheIndexDecidesAndDoubtsAreWarnings) {
  const Opened good = open(shard_variant("good"));
  EXPECT_THAT(good.source->warnings(), IsEmpty());
  const std::map<std::string, std::string> warnings = {
      {"stray_single_file", "model.safetensors is left aside"},
      {"unexpected_key", "model.layers.7.extra.weight"},
      {"wrong_total_size", "total_size 1, the tensors have 4448 bytes"}};
  for (const auto& [name, warning] : warnings) {
    const Opened opened = open(shard_variant(name));
    EXPECT_THAT(opened.source->warnings(), Contains(HasSubstr(warning))) << name;
    for (const ParameterDeclaration& parameter : good.declaration.parameters)
      EXPECT_EQ(values_of(*opened.source, parameter), values_of(*good.source, parameter))
          << name << " " << parameter.name;
  }
}

TEST(CaseF05, StoredBytesAreThoseOfTheFile) {
  for (const char* name : {"bf16", "mixed"}) {
    const fs::path folder = kCases / "F05-save-dtype" / name;
    const Opened opened = open(folder);
    EXPECT_EQ(opened.declaration.config.dtype, DType::bf16);
    const SafetensorsFile file(folder / "model.safetensors");
    int64_t total = 0, wide = 0;
    for (const StoredTensor& tensor : file.tensors()) {
      EXPECT_EQ(opened.source->dtype_of(tensor.name), tensor.dtype);
      const auto bytes = opened.source->stored_bytes(tensor.name);
      ASSERT_TRUE(bytes.has_value());
      ASSERT_EQ(bytes->size(), tensor.bytes.size());
      EXPECT_EQ(std::memcmp(bytes->data(), tensor.bytes.data(), bytes->size()), 0);
      total += static_cast<int64_t>(bytes->size());
      wide += tensor.dtype == DType::f32;
    }
    EXPECT_EQ(opened.declaration.num_parameters(), 1112);
    if (std::string(name) == "bf16") {
      EXPECT_EQ(total, 2224);
    }
    EXPECT_EQ(wide, std::string(name) == "mixed" ? 3 : 0);
  }
}

TEST(CaseF10, BothGenerationsSayTheSame) {
  for (const char* name : {"v4", "v5"}) {
    const Opened opened = open(kCases / "F10-config-v4-v5" / name);
    EXPECT_EQ(opened.declaration.config.rope.theta, 500.0) << name;
    EXPECT_EQ(opened.declaration.config.rope.kind, RopeConfig::Kind::standard);
  }
  EXPECT_THAT(failure_of([] { open(kCases / "F10-config-v4-v5" / "unknown"); }),
              AllOf(HasSubstr("unsupported: "), HasSubstr("yarnish")));
}

}  // namespace
}  // namespace burnish
