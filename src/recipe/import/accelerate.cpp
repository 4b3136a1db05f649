#include "recipe/import/accelerate.h"

#include "recipe/import/source_value.h"
#include "recipe/import/trainer.h"

namespace burnish::foreign {
namespace {

constexpr int64_t kMany = 1'000'000;

/// Processes that share one replica's tokens: they do not multiply the batch.
int64_t processes_of_a_replica(const Translation& t) {
  int64_t product = 1;
  for (const char* key : {"tp_size", "cp_size", "sp_size"}) {
    for (const std::string prefix :
         {"parallelism_config.parallelism_config_", "parallelism_config."})
      if (t.given(prefix + key) != nullptr) product *= t.whole(prefix + key, 1, 256);
  }
  return product;
}

}  // namespace

void map_launch(Translation& t) {
  const std::string kind = t.word("distributed_type");
  if (kind == "MEGATRON_LM")
    t.refuse({"distributed_type"}, "Megatron-LM has batches and optimizers of its own",
             "write NO, and give the batch to the trainer");
  else
    t.idle({"distributed_type"}, "one process does the work of all; the batch is the same");
  const int64_t asked = t.whole("num_processes", -1, kMany);
  const int64_t shared = processes_of_a_replica(t);
  const int64_t all = asked < 1 ? shared : asked;  // as many as the machine has: one replica
  if (all % shared != 0)
    t.given("num_processes")
        ->fail("is not a multiple of the " + std::to_string(shared) + " processes of one replica");
  t.processes = all / shared;
  if (t.has_trainer || t.processes == 1)
    return t.idle({"num_processes"}, "train.global_batch_rows holds the rows of " +
                                         std::to_string(t.processes) +
                                         (t.processes == 1 ? " replica" : " replicas"));
  t.refuse({"num_processes"}, "without the trainer's file the rows of one process are not known",
           "import the trainer's file with --accelerate, or --set train.global_batch_rows=N",
           "train.global_batch_rows");
}

void map_launch_precision(Translation& t) {
  const std::string word = t.word("mixed_precision");
  const bool old_fp16 = word.empty() && t.given("fp16") != nullptr && t.flag("fp16");
  const std::string low = old_fp16 ? "fp16" : precision_name(word);
  const Keys keys = {"mixed_precision", "fp16"};
  if (word == "fp8") return t.refuse(keys, "fp8 is not there yet", "write no or bf16", "precision");
  if (t.has_trainer) {
    t.launcher_precision = low;
    return t.idle(keys,
                  "the trainer's own bf16 and fp16 come first; it fills them where they are off");
  }
  put_precision(t, "fp32", low.empty() ? "fp32" : low, keys, "write no");
}

void map_launch_batch(Translation& t) {
  const std::string group = "deepspeed_config.";
  const std::string passes = group + "gradient_accumulation_steps",
                    clip = group + "gradient_clipping";
  if (t.has_trainer) return t.idle({passes, clip}, "the trainer's own value comes first");
  if (const YamlNode* node = t.given(passes);
      node != nullptr && node->text != "auto" && whole_of(*node, 1, kMany) != 1)
    t.refuse({passes}, "without the trainer's file the rows of one pass are not known",
             "import the trainer's file with --accelerate, or --set train.global_batch_rows=N",
             "train.global_batch_rows");
  if (const YamlNode* node = t.given(clip); node != nullptr && node->text != "auto")
    t.put("optimizer.clip_norm", number_of(*node), {clip});
}

void map_launch_recompute(Translation& t) {
  for (const char* key :
       {"fsdp_config.fsdp_activation_checkpointing", "fsdp_config.activation_checkpointing"}) {
    if (t.given(key) == nullptr) continue;
    if (t.has_trainer)
      t.idle({key}, "the trainer's gradient_checkpointing decides");
    else
      t.put("memory.recompute", t.flag(key) ? "unit" : "none", {key});
  }
}

}  // namespace burnish::foreign
