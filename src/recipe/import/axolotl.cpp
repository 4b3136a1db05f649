#include "recipe/import/axolotl.h"

#include <algorithm>
#include <cmath>

#include "recipe/import/chat_template_name.h"
#include "recipe/import/source_value.h"
#include "recipe/import/trainer.h"

namespace burnish::foreign {

void map_axolotl_model(Translation& t) {
  const std::string name = t.word("base_model");
  if (name.empty())
    return t.refuse({"base_model"}, "no model is named", "write base_model", "model.source");
  t.put("model.source", name, {"base_model"});
  for (const std::string_view other : {"base_model_config", "tokenizer_config"}) {
    if (t.given(other) == nullptr) continue;
    if (t.word(other) == name)
      t.idle({other}, "the model's own");
    else
      t.refuse({other}, "configuration and tokenizer are those of the model's folder",
               "put them into the model's folder");
  }
  const std::string revision = t.word("revision_of_model");
  if (!revision.empty() && revision != "main")
    t.put("model.revision", revision, {"revision_of_model"}, "",
          "download that revision into a folder, and name the folder");
}

void map_axolotl_template(Translation& t) {
  const std::string name = t.word("chat_template");
  const std::string own = t.word("chat_template_jinja");
  if (name == "jinja" || (name.empty() && !own.empty())) {
    if (own.ends_with(".jinja"))
      return t.put("model.template", own, {"chat_template_jinja", "chat_template"});
    return t.refuse({"chat_template_jinja", "chat_template"}, "a template stands in a file",
                    "write it into a file: --set model.template=FILE.jinja", "model.template");
  }
  t.idle({"chat_template_jinja"}, "chat_template decides");
  if (name.empty() || name == "tokenizer_default")
    return t.put("model.template", "default", {"chat_template"});
  if (name.starts_with("tokenizer_default_fallback_"))
    return t.put("model.template", "default", {"chat_template"},
                 "the model's own template; a model without one is refused");
  put_named_template(t, name, "chat_template");
}

void map_axolotl_rows(Translation& t) {
  t.put("data.sequence_length", t.whole("sequence_len", 1, int64_t{1} << 40), {"sequence_len"});
  if (t.word("sample_packing") == "true" ||
      (t.given("sample_packing") != nullptr && t.flag("sample_packing")))
    t.put("data.packing", "best_fit", {"sample_packing"}, "",
          "write sample_packing: false, or --set data.packing=stream");
  else
    t.put("data.packing", "none", {"sample_packing"});
  const std::string long_ones = t.word("excess_length_strategy");
  if (long_ones == "drop" || long_ones == "truncate" || long_ones == "raise")
    t.put("data.overlong", long_ones == "raise" ? "error" : long_ones, {"excess_length_strategy"});
  else
    t.refuse({"excess_length_strategy"}, "axolotl has no such strategy",
             "write drop, truncate or raise", "data.overlong");
}

void map_axolotl_schedule(Translation& t) {
  const Shape shape = schedule_shape(t);
  if (t.given("cosine_min_lr_ratio") != nullptr) {
    const double ratio = t.number("cosine_min_lr_ratio");
    if (shape.name == "cosine" && !shape.floor)
      t.put("optimizer.schedule.min_learning_rate", ratio * t.number("learning_rate"),
            {"cosine_min_lr_ratio"});
    else
      t.idle({"cosine_min_lr_ratio"}, "it goes with lr_scheduler: cosine");
  }
  if (t.word("lr_scheduler") == "constant")
    return t.idle({"warmup_steps", "warmup_ratio"},
                  "the schedule `constant` has no warm-up; constant_with_warmup has");
  const double run = t.given("max_steps") == nullptr ? 0 : t.number("max_steps");
  // axolotl takes 2 for 1
  const auto whole_steps = [](double steps) { return steps == 1 ? 2.0 : std::floor(steps); };
  if (t.given("warmup_steps") != nullptr) {
    put_warmup(t, whole_steps(t.number("warmup_steps")), {"warmup_steps"});
    return t.idle({"warmup_ratio"}, "warmup_steps decides");
  }
  const bool own = t.given("warmup_ratio") != nullptr;
  const double share = own ? t.number("warmup_ratio") : 0.03;
  if (run <= 0) {
    return put_warmup(t, share, {"warmup_ratio"},
                      own ? "" : "axolotl's 3 % of the run, which it limits to 100 steps");
  }
  const double steps = std::floor(share * run);
  put_warmup(t, whole_steps(own ? steps : std::min(steps, 100.0)), {"warmup_ratio"},
             "of max_steps");
}

void map_axolotl_precision(Translation& t) {
  const Keys keys = {"bf16", "fp16", "bfloat16", "float16"};
  constexpr const char* kInstead = "write bf16: false and fp16: false";
  const bool fp16 = t.flag("fp16");
  const std::string word = t.word("bf16");
  const bool mixed_bf16 = word == "auto" || word == "full" ? !fp16 : t.flag("bf16");
  const bool only_bf16 = t.flag("bfloat16"), only_fp16 = t.flag("float16");
  std::string kept = "fp32";
  if (mixed_bf16 || only_bf16)
    kept = "bf16";
  else if (fp16 || only_fp16)
    kept = "fp16";
  std::string compute = kept;
  if (kept == "fp32" && !t.launcher_precision.empty()) compute = t.launcher_precision;
  put_precision(t, kept, compute, keys, kInstead);
}

void map_axolotl_trainable(Translation& t) {
  const YamlNode* patterns = t.given("unfrozen_parameters");
  if (patterns == nullptr) return t.idle({"unfrozen_parameters"}, "all weights are trained");
  t.refuse({"unfrozen_parameters"},
           "parameters are chosen by patterns (* and ?), not by expressions",
           "--set model.trainable='[\"model.layers.*.mlp.*\"]'", "model.trainable");
}

void map_axolotl_stopping(Translation& t) {
  put_stopping(t, "early_stopping_patience");
}

void map_axolotl_cadence(Translation& t) {
  const bool saves = t.given("save_steps") != nullptr;
  const std::string when = saves ? "steps" : t.word("save_strategy");
  if (saves) t.idle({"save_strategy"}, "save_steps says it");
  if (when == "no") {
    t.put("checkpoint.every_steps", 0, {"save_strategy"});
  } else if (!saves || !steps_of(t, "save_steps")) {
    t.set_aside({"save_steps", "save_strategy", "saves_per_epoch"},
                "checkpoints are counted in steps; now only when interrupted",
                "write save_steps, or --set checkpoint.every_steps=N", "checkpoint.every_steps");
  } else {
    t.put("checkpoint.every_steps", *steps_of(t, "save_steps"), {"save_steps"});
  }
  t.idle({"saves_per_epoch"}, "save_steps says it");
  if (t.given("logging_steps") != nullptr)
    t.put("log.every_steps", t.whole("logging_steps", 1, 1'000'000), {"logging_steps"});
}

}  // namespace burnish::foreign
