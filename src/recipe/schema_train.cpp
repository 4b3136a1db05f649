#include <cmath>

#include "recipe/number_text.h"
#include "recipe/schema.h"

namespace burnish {
namespace {

constexpr double kMaxRate = 1e6;

Codec<TrainEnd> end_codec() {
  using E = TrainEnd;
  return group<E>({
      field("steps", &E::steps, optional(whole(1)), "Optimizer steps.", "steps"),
      field("epochs", &E::epochs, optional(number({.low = 0, .high = 1e6, .low_open = true})),
            "Passes over the training data.", "epochs"),
      field("tokens", &E::tokens, optional(whole(1)), "Tokens read, padding not counted.",
            "tokens"),
      field("seconds", &E::seconds, optional(number({.low = 0, .high = 1e9, .low_open = true})),
            "Time spent in steps; evaluations and checkpoints are not counted.", "s"),
  });
}

struct Warmup {
  double fraction = 0.0;
  std::optional<int64_t> steps;
};

/// A whole number counts steps, a fraction below 1 is one of the run. 0 is no warm-up either way.
Codec<Warmup> warmup_codec() {
  Codec<Warmup> codec;
  codec.type = "a whole number of steps, or a fraction of the run: 0 or more and below 1";
  const Codec<int64_t> steps = whole(0);
  codec.read = [type = codec.type, steps](const YamlNode& node) {
    const bool plain = node.kind == YamlNode::Kind::scalar && !node.quoted;
    if (plain && parse_whole(node.text)) {
      const int64_t count = steps.read(node);
      return count == 0 ? Warmup{} : Warmup{0.0, count};
    }
    const std::optional<double> fraction = plain ? parse_number(node.text) : std::nullopt;
    if (!fraction || !(*fraction >= 0 && *fraction < 1))
      node.fail("must be " + type + ", not " + node.shown());
    return Warmup{*fraction, std::nullopt};
  };
  codec.write = [](const Warmup& value) {
    return value.steps ? Json(*value.steps) : Json(value.fraction);
  };
  return codec;
}

Codec<ScheduleRecipe> schedule_codec() {
  using S = ScheduleRecipe;
  return group<S>({
      field("name", &S::name, choice({"cosine", "linear", "constant"}),
            "How the learning rate falls from its peak to `min_learning_rate` over the rest of the "
            "run."),
      field<S, Warmup>(
          "warmup",
          [](const S& s) {
            return Warmup{s.warmup_fraction, s.warmup_steps};
          },
          [](S& s, Warmup warmup) {
            s.warmup_fraction = warmup.fraction;
            s.warmup_steps = warmup.steps;
          },
          warmup_codec(), "How long the learning rate rises to its peak.", "steps or share"),
      field("min_learning_rate", &S::min_learning_rate, number({.low = 0, .high = kMaxRate}),
            "Where the learning rate ends."),
      field("first_step", &S::first_step, choice({"next", "zero"}),
            "In a warm-up of W steps, step k = 0, 1, ... has (k + 1) / W of the peak (`next`) or "
            "k / W (`zero`, the first step changes nothing; as transformers does)."),
  });
}

Codec<ParameterGroup> parameter_group_codec() {
  using G = ParameterGroup;
  return group<G>({
      required(field("pattern", &G::pattern, text("a pattern"),
                     "Names on disk (`*`, `?`). The first group that matches a name decides.")),
      field("learning_rate", &G::learning_rate, optional(number({.low = 0, .high = kMaxRate})),
            "In place of `optimizer.learning_rate`."),
      field("weight_decay", &G::weight_decay, optional(number({.low = 0, .high = kMaxRate})),
            "In place of `optimizer.weight_decay`."),
  });
}

using Betas = std::pair<double, double>;

Codec<Betas> betas_codec() {
  Codec<Betas> codec;
  codec.type = "two numbers, each 0 or more and below 1";
  const Codec<double> beta = number({.low = 0, .high = 1, .high_open = true});
  codec.read = [type = codec.type, beta](const YamlNode& node) {
    if (node.kind != YamlNode::Kind::sequence)
      node.fail("must be " + type + ", not " + node.shown());
    if (node.items.size() != 2)
      node.fail("must be " + type + ", not " + std::to_string(node.items.size()));
    return Betas{beta.read(node.items[0]), beta.read(node.items[1])};
  };
  codec.write = [](const Betas& value) { return Json::array({value.first, value.second}); };
  return codec;
}

}  // namespace

Codec<TrainRecipe> train_codec() {
  using T = TrainRecipe;
  return group<T>({
      required(field("end", &T::end, below(end_codec()), "")),
      field("global_batch_rows", &T::global_batch_rows, whole(1, 1'000'000),
            "Rows of one optimizer step, over all processes.", "rows"),
      field(
          "micro_batch_rows", &T::micro_batch_rows, optional(whole(1, 1'000'000), "auto"),
          "Rows of one forward and backward pass. `auto`: short rows share a pass as far as memory "
          "holds, up to 1,024 tokens; where it runs out, one row a pass and recomputation.",
          "rows"),
      field("max_tokens_per_rank", &T::max_tokens_per_rank, optional(whole(2, int64_t{1} << 40)),
            "In place of `micro_batch_rows`: as many rows a pass as fit in so many tokens.",
            "tokens"),
      field("seed", &T::seed, whole(0), "Seed of whatever is random beside the data's order."),
      field("on_spike", &T::on_spike, choice({"warn", "skip", "stop"}),
            "What to do about a step whose loss or gradient norm stands far above those before: "
            "name its rows with their losses and go on, leave out its update too, or stop before "
            "it."),
      field("init_from", &T::init_from, text_or_null("a path"),
            "Start from the weights of another run's checkpoint or model folder; the optimizer "
            "starts anew."),
      field("threads", &T::threads, small_whole(0, 4096), "Threads. 0: all processors.", "threads"),
  });
}

Codec<OptimizerRecipe> optimizer_codec() {
  using O = OptimizerRecipe;
  return group<O>({
      field("name", &O::name, choice({"adamw"}), "The optimizer."),
      field("learning_rate", &O::learning_rate, number({.low = 0, .high = kMaxRate}),
            "The peak of the schedule. 0 trains nothing."),
      field<O, Betas>(
          "betas",
          [](const O& o) {
            return Betas{o.beta1, o.beta2};
          },
          [](O& o, Betas betas) { std::tie(o.beta1, o.beta2) = betas; }, betas_codec(),
          "Decay of AdamW's two moments."),
      field("epsilon", &O::epsilon, number({.low = 0, .high = 1, .low_open = true}),
            "Added to the root of the second moment."),
      field("weight_decay", &O::weight_decay, number({.low = 0, .high = kMaxRate}),
            "Decoupled decay, times the learning rate; not on norms and biases."),
      field("clip_norm", &O::clip_norm, optional(number({.low = 0, .low_open = true})),
            "Largest global norm of the gradients. null: no clipping."),
      field("groups", &O::groups,
            list(parameter_group_codec(), "a list of parameter groups, each with the keys below"),
            "Parameters with settings of their own."),
      field("schedule", &O::schedule, below(schedule_codec()), ""),
  });
}

}  // namespace burnish
