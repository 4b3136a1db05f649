#include "recipe/schema.h"

#include "base/error.h"

namespace burnish {
namespace {

Codec<int> schema_version() {
  Codec<int> codec = checked<int>(small_whole(0, 1'000'000), [](const int& version) {
    return version == 1 ? "" : "must be 1, the version that this program reads";
  });
  codec.type = "1";
  return codec;
}

Codec<ModelRecipe> model_codec() {
  using M = ModelRecipe;
  return group<M>({
      required(
          field("source", &M::source, text("a path or a name"),
                "A Hugging Face folder, a .gguf file, the folder of a finished run, or a model "
                "of the hub: org/name or org/name@revision.")),
      field("revision", &M::revision, text_or_null("a revision"),
            "The commit (or branch, or tag) of a model of the hub; goes before one in `source`. A "
            "run writes here what it used. Folders and files are not pinned: null."),
      field("template", &M::chat_template, text("`default`, a name or a path"),
            "`default`: the model's own chat template. `chatml`: that format, with its control "
            "tokens added where the model lacks them, and `<|im_end|>` as its eos. Otherwise a "
            ".jinja file."),
      field("add_tokens", &M::add_tokens, list(text("a token"), "a list of tokens"),
            "Control tokens put behind the tokenizer's own. Embeddings and head grow; a new row "
            "starts as the mean of the old ones."),
      field("eos_token", &M::eos_token, optional(text("a token")),
            "The token at which the exported model stops. null: the model's own, or that of a "
            "template taken by name."),
      field("trainable", &M::trainable, list(text("a pattern"), "a list of patterns"),
            "Which parameters are trained: patterns (`*`, `?`) over their names on disk. A pattern "
            "that matches none is refused."),
  });
}

// What one word says: bf16 and fp16 narrow what is multiplied, pure_bf16 all that is kept.
PrecisionRecipe precision_named(const std::string& name) {
  if (name == "pure_bf16") return {"bf16", "bf16", "bf16", "bf16", "bf16", "bf16", {}};
  if (name == "bf16" || name == "fp16") return {name, name, "fp32", "fp32", "fp32", "fp32", {}};
  return {name, name, name, name, name, name, {}};
}

Codec<PrecisionRecipe> precision_codec() {
  using P = PrecisionRecipe;
  const Codec<std::string> kind = choice({"fp32", "bf16", "fp16", "fp64"}, {"fp8"});
  const Codec<std::string> word = choice({"fp32", "bf16", "fp16", "fp64", "pure_bf16"}, {"fp8"});
  Codec<P> codec = group<P>({
      field("weights", &P::weights, kind, "How weights and activations are kept."),
      field("compute", &P::compute, kind,
            "What matrix products multiply; they sum in fp32 or wider. Not given: as `weights`."),
      field("master", &P::master, kind,
            "The copy of the weights that the optimizer changes; of the type of `weights`: there "
            "is none beside them."),
      field("moments", &P::moments, kind, "The optimizer's moments."),
      field("gradients", &P::gradients, kind, "Accumulated gradients."),
      field("reduce", &P::reduce, kind, "Sums over processes."),
      field("loss_scale", &P::loss_scale, optional(number({.low = 1})),
            "fp16: what the loss is multiplied by on the way back. null: dynamic, from 65,536; "
            "halved when a gradient overflows, doubled after 2,000 steps without."),
  });
  codec.read = [kind, word, read_group = codec.read](const YamlNode& node) {
    if (node.kind == YamlNode::Kind::scalar) return precision_named(word.read(node));
    P precision = read_group(node);
    if (node.member("compute") == nullptr) precision.compute = precision.weights;
    return precision;
  };
  return codec;
}

Codec<LayoutRecipe> layout_codec() {
  using L = LayoutRecipe;
  const Codec<int> one = only<int>(1, small_whole(1, 1'000'000));
  using Split = std::optional<std::vector<int>>;
  return group<L>({
      field("dp", &L::dp, one, "Data-parallel replicas."),
      field("fsdp", &L::fsdp, one, "Processes that share one sharded replica."),
      field("tp", &L::tp, one, "Tensor-parallel processes."),
      field("sp", &L::sp, only<bool>(false, flag()), "Sequence parallelism beside `tp`."),
      field("pp", &L::pp, one, "Pipeline stages."),
      field("vpp", &L::vpp, one, "Virtual stages a process."),
      field("cp", &L::cp, one, "Context-parallel processes."),
      field("ep", &L::ep, one, "Expert-parallel processes."),
      field("etp", &L::etp, one, "Tensor-parallel processes inside experts."),
      field(
          "layer_split", &L::layer_split,
          only<Split>(std::nullopt, optional(list(small_whole(0, 1'000'000), "a list of counts"))),
          "Layers of each stage."),
  });
}

Codec<MemoryRecipe> memory_codec() {
  using M = MemoryRecipe;
  return group<M>({
      field("recompute", &M::recompute, choice({"none", "unit"}, {"selective", "attention"}),
            "`unit`: keep only each block's input and compute the rest again on the way back: less "
            "memory, about a third more work."),
      field("optimizer_offload", &M::optimizer_offload,
            only<double>(0.0, number({.low = 0, .high = 1})),
            "Share of the optimizer's state that is kept off the accelerator."),
  });
}

Codec<EvaluationRecipe> evaluation_codec() {
  using E = EvaluationRecipe;
  const auto prompts = checked<std::vector<std::string>>(
      list(text("a text"), "a list of texts, at most 8"), [](const std::vector<std::string>& all) {
        return all.size() <= 8 ? "" : "must be at most 8 texts";
      });
  return group<E>({
      field(
          "every_steps", &E::every_steps, whole(0),
          "Evaluate the sets of `data.evaluation` and answer `prompts` every so many steps, and at "
          "the end. 0: at the end alone.",
          "steps"),
      field("at_start", &E::at_start, flag(), "Evaluate and answer before the first step too."),
      field("prompts", &E::prompts, prompts,
            "User messages that the model answers at each evaluation, outside the timing."),
      field("prompt_tokens", &E::prompt_tokens, whole(1, 1'000'000), "The longest answer.",
            "tokens"),
      field("keep_best", &E::keep_best, flag(),
            "The run's result is the evaluated state with the lowest loss on the first set (by "
            "name), not the last state."),
      field("stop_after_evaluations_without_gain", &E::stop_after_evaluations_without_gain,
            optional(whole(1)),
            "End the run when so many evaluations in a row bring no lower loss on the first set.",
            "evaluations"),
  });
}

Codec<CheckpointRecipe> checkpoint_codec() {
  using C = CheckpointRecipe;
  return group<C>({
      field("every_steps", &C::every_steps, whole(0),
            "Save a checkpoint every so many steps and at the end. 0: only when the run is "
            "interrupted.",
            "steps"),
      field("keep", &C::keep, whole(1), "How many checkpoints stay; older ones are removed."),
  });
}

Codec<LogRecipe> log_codec() {
  using L = LogRecipe;
  const auto tracker = group<TrackerRecipe>({
      required(field("command", &TrackerRecipe::command, text("a command"),
                     "What `sh -c` starts. It reads the lines of metrics.jsonl, between a first of "
                     "kind `start` and a last of kind `end`. examples/trackers/ has some.")),
  });
  return group<L>({
      field("every_steps", &L::every_steps, whole(1),
            "Log lines every so many steps; metrics.jsonl gets every step.", "steps"),
      field("trackers", &L::trackers, list(tracker, "a list of trackers"),
            "Programs that pass the metrics on to a service. One that dies or hangs does not hold "
            "the run up. TensorBoard files are always written."),
  });
}

/// `adapter` has no struct yet: the key is known, and null is its one value.
Field<Recipe> adapter_field() {
  Field<Recipe> key;
  key.description = {"adapter", "only null", {}, {}, "LoRA and other adapters."};
  key.read = [](Recipe&, const YamlNode& node) {
    if (node.kind != YamlNode::Kind::null) refuse_as_absent(node, "null, all weights are trained");
  };
  key.write = [](const Recipe&) { return Json(); };
  return key;
}

}  // namespace

const Codec<Recipe>& recipe_codec() {
  using R = Recipe;
  static const Codec<Recipe> codec = group<R>({
      field("schema_version", &R::schema_version, schema_version(),
            "The version of this list of keys."),
      required(field("model", &R::model, below(model_codec()), "")),
      required(field("data", &R::data, below(data_codec()), "")),
      required(field("train", &R::train, below(train_codec()), "")),
      field("optimizer", &R::optimizer, below(optimizer_codec()), ""),
      field("precision", &R::precision, below(precision_codec()), ""),
      field("layout", &R::layout, below(layout_codec()), ""),
      field("memory", &R::memory, below(memory_codec()), ""),
      adapter_field(),
      field("evaluation", &R::evaluation, below(evaluation_codec()), ""),
      field("checkpoint", &R::checkpoint, below(checkpoint_codec()), ""),
      field("log", &R::log, below(log_codec()), ""),
      field("output", &R::output, text("a path"),
            "The folder of the run. It must not hold another run."),
  });
  return codec;
}

}  // namespace burnish
