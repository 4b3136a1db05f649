// What a pass keeps, by hand for small sizes; tests/train/auto_batch_test.cpp holds it against what
// libtorch allocates.
#include "declare/pass_memory.h"

#include <gtest/gtest.h>

namespace burnish {
namespace {

ModelDeclaration small_llama() {
  ModelConfig config;
  config.model_type = "llama";
  config.vocab_size = 100;
  config.hidden_size = 8;
  config.intermediate_size = 20;
  config.num_layers = 3;
  config.num_heads = 4;
  config.num_kv_heads = 2;
  config.head_dim = 2;
  return {config, {}};
}

// kept in a block: 4 * 8 + 2 * 8 + 2 * 4 + 3 * 20 = 116; backward 2 * 8 + 3 * 20 = 76; head 24
TEST(PassMemory, CountsWhatTheBlocksKeep) {
  EXPECT_EQ(pass_memory(small_llama(), {}).bytes_per_token, 4 * (3 * 116 + 76 + 24));
  EXPECT_EQ(pass_memory(small_llama(), {.element_bytes = 2}).bytes_per_token,
            2 * (3 * 116 + 76 + 24));
}

TEST(PassMemory, RecomputationKeepsTheInputsAlone) {
  EXPECT_EQ(pass_memory(small_llama(), {.recompute = true}).bytes_per_token,
            4 * (3 * 8 + 116 + 76 + 24));
}

TEST(PassMemory, BlocksBelowTheLowestTrainedOneKeepNothing) {
  EXPECT_EQ(pass_memory(small_llama(), {.lowest_trained_unit = 3}).bytes_per_token,
            4 * (116 + 76 + 24));
}

}  // namespace
}  // namespace burnish
