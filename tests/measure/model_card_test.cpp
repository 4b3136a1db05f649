#include "measure/model_card.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace burnish {
namespace {
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

ModelCard card() {
  ModelCard card;
  card.name = "smollm2-chat";
  card.base_model = "HuggingFaceTB/SmolLM2-135M-Instruct";
  card.base_revision = "12fd25f";
  card.license = "apache-2.0";
  card.data = {{"data/chat.jsonl", "ab12"}};
  card.recipe_yaml = "schema_version: 1\n";
  card.evaluations = {{"held_out", 2.66, 1.55}, {"other", std::nan(""), 1.25}};
  card.first_loss = 2.5;
  card.final_loss = 1.5;
  card.steps = 8;
  card.tokens = 12000;
  card.targets = 5000;
  card.versions = {{"burnish", "0.1.0"}, {"libtorch", "2.13.0"}};
  card.date = "2026-01-02T03:04:05Z";
  return card;
}

TEST(ModelCardText, IsFrontMatterAndWhatWasDone) {
  EXPECT_EQ(model_card_text(card()), R"(---
base_model: "HuggingFaceTB/SmolLM2-135M-Instruct"
base_model_relation: finetune
library_name: transformers
pipeline_tag: text-generation
license: "apache-2.0"
tags:
- burnish
- sft
---

# smollm2-chat

Fine-tuned from HuggingFaceTB/SmolLM2-135M-Instruct at revision 12fd25f with Burnish.

## Losses

Mean cross-entropy a target token, in nats.

| set | before | after |
| --- | ---: | ---: |
| training (first and last step) | 2.5000 | 1.5000 |
| held\_out | 2.6600 | 1.5500 |
| other | not measured | 1.2500 |

## Data

8 steps over 12000 tokens, 5000 of them targets. The sources, by SHA-256:

- data/chat.jsonl: ab12

## Recipe

```yaml
schema_version: 1
```

## Made with

- burnish 0.1.0
- libtorch 2.13.0
- on 2026-01-02T03:04:05Z
)");
}

TEST(ModelCardText, APathOfThisMachineIsNoHubName) {
  for (const char* path : {"/home/me/model.gguf", "./model", "../a/b", "model.gguf", "a/b/c",
                           "folder/model.gguf", "org/", "/name"}) {
    ModelCard local = card();
    local.base_model = path;
    local.license.clear();
    const std::string text = model_card_text(local);
    EXPECT_THAT(text, StartsWith("---\nlibrary_name: transformers")) << path;
    EXPECT_THAT(text, Not(HasSubstr("license"))) << path;
    EXPECT_THAT(text, Not(HasSubstr("/home/me"))) << path;
  }
}

TEST(ModelCardText, NoTextBreaksOutOfItsPlace) {
  ModelCard odd = card();
  odd.license = "x\"\n---\nevil: true";
  odd.evaluations = {{"a|b\n# heading", 1, 1}};
  odd.recipe_yaml = "a: |\n  ```\n  # not a heading\n  ````\nb: 1";
  const std::string text = model_card_text(odd);
  EXPECT_THAT(text, HasSubstr(R"(license: "x\" --- evil: true")"));
  EXPECT_THAT(text, HasSubstr("| a\\|b \\# heading |"));
  EXPECT_THAT(text, HasSubstr("\n`````yaml\na: |"));
  EXPECT_THAT(text, HasSubstr("\nb: 1\n`````\n"));
}

}  // namespace
}  // namespace burnish
