// How often a trainer evaluates, saves and logs.
#include <cmath>

#include "recipe/import/source_value.h"
#include "recipe/import/trainer.h"

namespace burnish::foreign {
namespace {

constexpr int64_t kAnyWhole = int64_t{1} << 53;

/// evaluation_strategy is the older name of eval_strategy.
std::string strategy_of(const Translation& t) {
  if (t.names().eval_steps_decide && t.given("eval_steps") != nullptr) return "steps";
  return t.given("evaluation_strategy") != nullptr ? t.word("evaluation_strategy")
                                                   : t.word("eval_strategy");
}

void put_best(Translation& t) {
  const Keys metric = {"metric_for_best_model", "greater_is_better"};
  const bool best = t.flag("load_best_model_at_end");
  const std::string name = t.word("metric_for_best_model");
  if (!best) {
    t.put("evaluation.keep_best", false, {"load_best_model_at_end"});
    return t.idle(metric, "load_best_model_at_end is off");
  }
  const bool rising = t.given("greater_is_better") != nullptr && t.flag("greater_is_better");
  if ((!name.empty() && name != "loss" && name != "eval_loss") || rising)
    t.refuse(metric, "the best state is the one with the lowest evaluation loss",
             "leave it out, or write eval_loss");
  else
    t.idle(metric, "the best state is the one with the lowest evaluation loss");
  t.put("evaluation.keep_best", true, {"load_best_model_at_end"});
}

void no_evaluation(Translation& t) {
  t.idle({"eval_strategy", "evaluation_strategy"}, "nothing is evaluated");
  t.idle({"eval_steps", "eval_on_start", "metric_for_best_model", "greater_is_better"},
         "nothing is evaluated");
  if (t.flag("load_best_model_at_end"))
    t.refuse({"load_best_model_at_end"}, "nothing is evaluated, so that no state is the best",
             "name an evaluation set and an eval_strategy", "evaluation.keep_best");
  else
    t.idle({"load_best_model_at_end"}, "the default");
}

}  // namespace

std::optional<int64_t> steps_of(const Translation& t, std::string_view key) {
  const double value = t.number(key);
  if (value > 0 && value < 1) return std::nullopt;
  return t.whole(key, 0, kAnyWhole);
}

void map_evaluation(Translation& t) {
  const Keys strategy = {"eval_strategy", "evaluation_strategy"};
  const std::string when = strategy_of(t);
  if (when.empty() || when == "no" || when == "False" || when == "false") return no_evaluation(t);
  t.evaluates = true;
  const bool best = t.flag("load_best_model_at_end");
  if (t.evaluation.empty() && !t.overridden("data.evaluation"))
    t.refuse(strategy, "no file is known to evaluate on",
             "name one with --set data.evaluation.test=FILE, or write no", "data.evaluation");
  else
    t.idle(strategy, "the evaluation set of the recipe is evaluated");
  for (const auto& [name, source] : t.evaluation)
    t.put("data.evaluation." + name, source, strategy);
  t.put("evaluation.at_start", t.names().eval_steps_decide || t.flag("eval_on_start"),
        {"eval_on_start"});
  put_best(t);
  if (when != "steps") {
    const std::string reason = "evaluations are counted in steps, not in epochs";
    const std::string instead = "write `steps` and eval_steps, or --set evaluation.every_steps=N";
    if (best) return t.refuse(strategy, reason, instead, "evaluation.every_steps");
    return t.set_aside(strategy, reason + "; now at the end alone", instead,
                       "evaluation.every_steps");
  }
  const bool own = !t.word("eval_steps").empty() && t.number("eval_steps") != 0;
  const std::string_view key = own ? "eval_steps" : "logging_steps";
  const std::optional<int64_t> steps = steps_of(t, key);
  if (steps)
    return t.put("evaluation.every_steps", *steps, {key}, own ? "" : "eval_steps is not set");
  t.set_aside({key}, "not a number of steps", "write eval_steps as a number of steps",
              "evaluation.every_steps");
}

void put_stopping(Translation& t, std::string_view key) {
  if (t.word(key).empty()) return;
  if (!t.evaluates) return t.idle({key}, "nothing is evaluated");
  t.put("evaluation.stop_after_evaluations_without_gain", t.whole(key, 1, 1'000'000), {key});
}

void map_saving(Translation& t) {
  const std::string when = t.word("save_strategy");
  if (when == "no" || when == "false" || when == "False") {
    t.put("checkpoint.every_steps", 0, {"save_strategy"});
    return t.idle({"save_steps"}, "save_strategy is no");
  }
  if (when != "steps") {
    t.set_aside({"save_strategy"}, "checkpoints are counted in steps; now only when interrupted",
                "write `steps` and save_steps, or --set checkpoint.every_steps=N",
                "checkpoint.every_steps");
    return t.idle({"save_steps"}, "save_strategy is " + when);
  }
  t.idle({"save_strategy"}, "save_steps says it");
  if (const std::optional<int64_t> steps = steps_of(t, "save_steps"))
    return t.put("checkpoint.every_steps", *steps, {"save_steps"});
  t.set_aside({"save_steps"}, "a share of the run's steps", "write a number of steps",
              "checkpoint.every_steps");
}

void map_logging(Translation& t) {
  const std::string when = t.word("logging_strategy");
  if (when != "steps") {
    t.set_aside({"logging_strategy"}, "lines are logged by steps", "write `steps`",
                "log.every_steps");
    return t.idle({"logging_steps"}, "logging_strategy is " + when);
  }
  t.idle({"logging_strategy"}, "logging_steps says it");
  const std::optional<int64_t> steps = steps_of(t, "logging_steps");
  if (steps && *steps > 0) return t.put("log.every_steps", *steps, {"logging_steps"});
  t.set_aside({"logging_steps"}, "not a number of steps", "write a number of steps",
              "log.every_steps");
}

}  // namespace burnish::foreign
