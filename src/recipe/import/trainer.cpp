#include "recipe/import/trainer.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "recipe/import/source_value.h"

namespace burnish::foreign {
namespace {

constexpr int64_t kMany = 1'000'000;
constexpr int64_t kAnyWhole = int64_t{1} << 53;

}  // namespace

void map_model(Translation& t) {
  const std::string name = t.word("model_name_or_path");
  if (name.empty())
    return t.refuse({"model_name_or_path"}, "no model is named", "write model_name_or_path",
                    "model.source");
  t.put("model.source", name, {"model_name_or_path"});
  const std::string revision = t.word("model_revision");
  if (!revision.empty() && revision != "main")
    t.put("model.revision", revision, {"model_revision"}, "",
          "download that revision into a folder, and name the folder");
  else
    t.idle({"model_revision"}, "the default");
}

void map_batch(Translation& t) {
  const std::string_view rows_key = t.names().rows_per_pass;
  constexpr std::string_view kPasses = "gradient_accumulation_steps";
  const int64_t rows = t.whole(rows_key, 1, kMany), passes = t.whole(kPasses, 1, kMany);
  t.put("train.global_batch_rows", rows * passes * t.processes, {rows_key, kPasses},
        std::to_string(rows) + " rows x " + std::to_string(passes) + " accumulated x " +
            std::to_string(t.processes) + (t.processes == 1 ? " process" : " processes"));
  t.put("train.micro_batch_rows", rows, {rows_key});
}

void map_end(Translation& t) {
  const std::string_view epochs_key = t.names().epochs;
  const int64_t steps = t.word("max_steps").empty() ? -1 : t.whole("max_steps", -1, kAnyWhole);
  if (steps > 0) {
    t.put("train.end.steps", steps, {"max_steps"});
    return t.idle({epochs_key}, "max_steps alone ends the run");
  }
  t.idle({"max_steps"}, "the epochs end the run");
  t.put("train.end.epochs", t.number(epochs_key), {epochs_key});
}

void map_learning_rate(Translation& t) {
  t.put("optimizer.learning_rate", t.number("learning_rate"), {"learning_rate"});
}

Shape schedule_shape(Translation& t) {
  const std::string_view key = t.names().schedule;
  const std::string name = t.word(key);
  Shape shape;
  if (name == "linear" || name == "cosine" || name == "constant") shape.name = name;
  if (name == "constant_with_warmup") shape.name = "constant";
  if (name == "cosine_with_min_lr") shape.name = "cosine";
  if (shape.name.empty()) {
    t.refuse({key}, "the schedule " + name + " is not there",
             "write linear, cosine, cosine_with_min_lr, constant or constant_with_warmup",
             "optimizer.schedule.name");
    t.idle({"lr_scheduler_kwargs"}, "they go with " + std::string(key));
    return shape;
  }
  t.put("optimizer.schedule.name", shape.name, {key});
  const YamlNode* given = t.given("lr_scheduler_kwargs");
  if (given == nullptr) {
    if (name == "cosine_with_min_lr")
      t.refuse({key}, "it needs min_lr or min_lr_rate in lr_scheduler_kwargs",
               "write lr_scheduler_kwargs: {min_lr: ...}", "optimizer.schedule.min_learning_rate");
    return shape;
  }
  YamlNode options = *given;
  if (given->kind == YamlNode::Kind::scalar) {
    options = parse_yaml(given->text, given->place);
    options.path = given->path;
    set_paths(options);
  }
  if (options.kind != YamlNode::Kind::map)
    given->fail("must be a group of keys, not " + given->shown());
  for (const YamlNode& option : options.items) {
    const double value = number_of(option);
    if (name == "cosine_with_min_lr" && option.key == "min_lr") {
      shape.floor = value;
    } else if (name == "cosine_with_min_lr" && option.key == "min_lr_rate") {
      shape.floor = value * t.number("learning_rate");
    } else if (!(option.key == "num_cycles" && value == 0.5)) {
      t.refuse({"lr_scheduler_kwargs"}, "the schedule " + name + " has no " + option.key + " here",
               "leave it out; min_lr and min_lr_rate of cosine_with_min_lr are known",
               "optimizer.schedule");
      return shape;
    }
  }
  if (shape.floor)
    t.put("optimizer.schedule.min_learning_rate", *shape.floor, {"lr_scheduler_kwargs"});
  else
    t.idle({"lr_scheduler_kwargs"}, "these are the schedule's defaults");
  return shape;
}

void put_warmup(Translation& t, double length, Keys from, const std::string& remark) {
  if (length <= 0) {
    t.put("optimizer.schedule.warmup", 0, from, remark);
    return;
  }
  if (length >= 1)
    t.put("optimizer.schedule.warmup", static_cast<int64_t>(length), from, remark);
  else
    t.put("optimizer.schedule.warmup", length, from, remark);
  t.put("optimizer.schedule.first_step", "zero", from);
}

void map_schedule(Translation& t) {
  const Shape shape = schedule_shape(t);
  const std::string name = t.word(t.names().schedule);
  const bool is_share_old = t.given("warmup_ratio") != nullptr;
  const double steps = t.number("warmup_steps");
  const double share = is_share_old ? t.number("warmup_ratio") : 0.0;
  if (name == "constant")
    return t.idle({"warmup_steps", "warmup_ratio"},
                  "the schedule `constant` has no warm-up; constant_with_warmup has");
  if (steps > 0 || !is_share_old) {
    put_warmup(t, steps, {"warmup_steps"});
    return t.idle({"warmup_ratio"}, "warmup_steps decides");
  }
  put_warmup(t, share, {"warmup_ratio"});
  t.idle({"warmup_steps"}, "warmup_ratio decides");
}

void map_optimizer(Translation& t) {
  static constexpr std::array kAdamW = {
      "adamw_torch", "adamw_torch_fused",     "adamw_hf",        "adamw_torch_xla",
      "adamw",       "adamw_torch_npu_fused", "adamw_apex_fused"};
  const std::string_view key = t.names().optimizer;
  const std::string name = t.word(key);
  if (std::any_of(kAdamW.begin(), kAdamW.end(), [&](const char* one) { return name == one; }))
    t.put("optimizer.name", "adamw", {key});
  else
    t.refuse({key}, "the optimizer " + name + " is not there", "write adamw_torch",
             "optimizer.name");
  t.put("optimizer.weight_decay", t.number("weight_decay"), {"weight_decay"});
  t.put("optimizer.betas", Json::array({t.number("adam_beta1"), t.number("adam_beta2")}),
        {"adam_beta1", "adam_beta2"});
  t.put("optimizer.epsilon", t.number("adam_epsilon"), {"adam_epsilon"});
  const double norm = t.number("max_grad_norm");
  t.put("optimizer.clip_norm", norm > 0 ? Json(norm) : Json(), {"max_grad_norm"},
        norm > 0 ? "" : "no clipping");
}

void map_output(Translation& t) {
  const std::string folder = t.word("output_dir");
  t.put("output", folder.empty() ? "trainer_output" : folder, {"output_dir"});
}

void map_workers(Translation& t) {
  const int64_t workers =
      t.word("dataloader_num_workers").empty() ? 0 : t.whole("dataloader_num_workers", 0, 4096);
  if (workers > 1 && !Translation::accepts("data.workers", workers))
    return t.idle({"dataloader_num_workers"},
                  "one process prepares the data; the rows are the same");
  t.put("data.workers", std::max<int64_t>(1, workers), {"dataloader_num_workers"});
}

void map_trackers(Translation& t) {
  std::vector<std::string> names;
  if (const YamlNode* node = t.given("report_to")) {
    if (node->kind == YamlNode::Kind::sequence)
      for (const YamlNode& item : node->items) names.push_back(text_of(item));
    else
      names.push_back(text_of(*node));
  }
  std::string others;
  for (const std::string& name : names)
    if (name != "none" && name != "tensorboard") others += (others.empty() ? "" : ", ") + name;
  if (others.empty())
    return t.idle({"report_to"}, "metrics.jsonl and TensorBoard files are always written");
  t.set_aside({"report_to"}, others + " gets nothing from here by this key",
              "leave it out; metrics.jsonl and TensorBoard files are always written, and "
              "log.trackers names who gets more",
              "log.trackers");
}

void map_recompute(Translation& t) {
  const std::string value = t.word("gradient_checkpointing");
  const bool offload = value.starts_with("offload");
  const bool on = offload || t.flag("gradient_checkpointing");
  t.put("memory.recompute", on ? "unit" : "none", {"gradient_checkpointing"},
        offload ? "what is kept stays in memory" : "");
}

void map_seed(Translation& t) {
  const int64_t seed = t.whole("seed", 0, kAnyWhole);
  t.put("train.seed", seed, {"seed"});
  const bool own = !t.word("data_seed").empty();
  const std::string order = t.word("train_sampling_strategy");
  const bool by_length = order == "group_by_length" || t.flag("group_by_length");
  if (by_length)
    t.refuse({"train_sampling_strategy", "group_by_length"},
             "rows sorted by length are another order of training than a shuffled one",
             "leave it out; data.packing wastes no padding", "data.shuffle");
  if (order == "sequential" || t.flag("disable_shuffling"))
    return t.put("data.shuffle", nullptr, {"train_sampling_strategy", "disable_shuffling"},
                 "the order of the files");
  const char* remark = "another permutation of the same rows";
  if (own)
    t.put("data.shuffle.seed", t.whole("data_seed", 0, kAnyWhole), {"data_seed"}, remark);
  else
    t.put("data.shuffle.seed", seed, {"seed"}, remark);
  if (!by_length)
    t.idle({"train_sampling_strategy", "group_by_length", "disable_shuffling"},
           "rows are shuffled anew in each epoch");
}

std::string precision_name(const std::string& dtype) {
  if (dtype == "float32" || dtype == "torch.float32" || dtype == "fp32" || dtype == "float")
    return "fp32";
  if (dtype == "bfloat16" || dtype == "torch.bfloat16" || dtype == "bf16") return "bf16";
  if (dtype == "float16" || dtype == "torch.float16" || dtype == "fp16" || dtype == "half")
    return "fp16";
  return {};
}

void put_precision(Translation& t, const std::string& weights, const std::string& compute,
                   Keys from, const std::string& instead) {
  if (weights == "fp32" && compute == "fp32") return t.put("precision", "fp32", from);
  if (weights != "fp32" && compute != "fp32" && weights != compute)
    return t.refuse(from, weights + " weights computed in " + compute + " are not there", instead,
                    "precision");
  const std::string low = weights == "fp32" ? compute : weights;
  const std::string& kept = weights;  // what the optimizer changes
  t.put("precision",
        Json{{"weights", low},
             {"compute", low},
             {"master", kept},
             {"moments", kept},
             {"gradients", kept},
             {"reduce", kept}},
        from,
        weights == "fp32" ? "products in " + low + ", all else in fp32"
                          : "everything in " + low + ", the optimizer too",
        instead);
}

}  // namespace burnish::foreign
