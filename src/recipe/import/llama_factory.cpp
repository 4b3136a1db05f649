#include "recipe/import/llama_factory.h"

#include "recipe/import/chat_template_name.h"
#include "recipe/import/dataset_info.h"
#include "recipe/import/trainer.h"

namespace burnish::foreign {

void map_llama_factory_task(Translation& t) {
  const std::string stage = t.word("stage"), type = t.word("finetuning_type");
  if (stage == "sft")
    t.idle({"stage"}, "supervised fine-tuning is what is done here");
  else
    t.refuse({"stage"}, "the stage " + stage + " is another task", "keep LLaMA-Factory for it");
  if (type == "full")
    t.idle({"finetuning_type"}, "all weights are trained");
  else if (type == "freeze")
    t.refuse({"finetuning_type"}, "layers are not frozen by their number",
             "write full, and --set model.trainable='[\"model.layers.30.*\"]'", "model.trainable");
  else
    t.refuse({"finetuning_type"}, "adapters (" + type + ") are not there yet",
             "write full to train all weights, or choose some with model.trainable");
}

void map_llama_factory_template(Translation& t) {
  const std::string name = t.word("template");
  if (name.empty()) return t.put("model.template", "default", {"template"});
  put_named_template(t, name, "template");
}

void map_llama_factory_data(Translation& t) {
  const std::string folder = t.word("dataset_dir");
  const std::vector<DataFile> train = dataset_info_files(folder, t.given("dataset"));
  put_train(t, train, "messages", {"dataset"});
  t.idle({"dataset_dir"}, "where dataset_info.json and its files are looked for");
  int number = 0;
  for (const DataFile& file : dataset_info_files(folder, t.given("eval_dataset"))) {
    if (file.path.empty())
      return t.refuse({"eval_dataset"}, file.reason, file.instead, "data.evaluation");
    t.evaluation["eval_" + std::to_string(++number)] = source_json(file.path, "messages");
  }
  t.idle({"eval_dataset"}, "evaluated as eval_strategy says");
}

void map_llama_factory_targets(Translation& t) {
  const Keys keys = {"train_on_prompt", "mask_history"};
  const bool prompt = t.flag("train_on_prompt"), last = t.flag("mask_history");
  if (prompt && last)
    return t.refuse(keys, "LLaMA-Factory refuses them together", "write one of them", "data.mask");
  t.put("data.mask", prompt ? "all" : last ? "last" : "assistant", keys);
  if (!prompt)
    t.put("data.mask_trailing_newline", true, {},
          "LLaMA-Factory trains on the newline behind a turn, too");
  t.put("data.content_tokens", "parsed", {"split_special_tokens"});
}

void map_llama_factory_rows(Translation& t) {
  t.put("data.sequence_length", t.whole("cutoff_len", 1, int64_t{1} << 40), {"cutoff_len"});
  const Keys keys = {"packing", "neat_packing"};
  const bool neat = t.flag("neat_packing");
  const bool packs = neat || (t.given("packing") != nullptr && t.flag("packing"));
  if (!packs) {
    t.put("data.packing", "none", keys);
    return t.put("data.overlong", "truncate", {"cutoff_len"});
  }
  t.put("data.packing", "best_fit", keys,
        neat ? "" : "samples of one row do not see each other here",
        "write packing: false, or --set data.packing=stream");
  t.put("data.overlong", "drop", keys);
}

void map_llama_factory_precision(Translation& t) {
  const Keys keys = {"bf16", "fp16", "pure_bf16"};
  constexpr const char* kInstead = "write bf16: false, fp16: false and pure_bf16: false";
  if (t.flag("pure_bf16")) return put_precision(t, "bf16", "bf16", keys, kInstead);
  std::string compute = t.flag("bf16") ? "bf16" : t.flag("fp16") ? "fp16" : "fp32";
  if (compute == "fp32" && !t.launcher_precision.empty()) compute = t.launcher_precision;
  put_precision(t, "fp32", compute, keys, kInstead);
}

void map_llama_factory_recompute(Translation& t) {
  const bool off = t.flag("disable_gradient_checkpointing");
  t.put("memory.recompute", off ? "none" : "unit", {"disable_gradient_checkpointing"});
  t.idle({"gradient_checkpointing"}, "disable_gradient_checkpointing decides");
}

void map_llama_factory_stopping(Translation& t) {
  put_stopping(t, "early_stopping_steps");
}

}  // namespace burnish::foreign
