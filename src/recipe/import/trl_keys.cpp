// The keys of `trl sft --config`: SFTConfig, ModelConfig, ScriptArguments, DatasetMixtureConfig,
// and names of earlier versions.
#include "recipe/import/reasons.h"
#include "recipe/import/trainer_rules.h"
#include "recipe/import/trl.h"

namespace burnish::foreign {
namespace {

constexpr KeyRow kRows[] = {
    // model
    {"chat_template_path", "null", maps(map_trl_template)},
    {"attn_implementation", "null", kAttention},
    {"model_init_kwargs", "null",
     lacks("arguments of from_pretrained are not taken as a group",
           "write dtype and model_revision as keys of their own")},
    {"eos_token", "null", kTokens},
    {"pad_token", "null", idle("rows are not padded with a token")},
    {"router_aux_loss_coef", "null",
     lacks("mixtures of experts are not there yet", "leave it out")},
    // data
    {"dataset_name", "null", maps(map_trl_data)},
    {"dataset_train_split", "train", maps(map_trl_data)},
    {"dataset_test_split", "test", maps(map_trl_data)},
    {"datasets", "[]", maps(map_trl_data)},
    {"datasets[].path", "null", maps(map_trl_data)},
    {"datasets[].name", "null", maps(map_trl_data)},
    {"datasets[].data_dir", "null", maps(map_trl_data)},
    {"datasets[].data_files", "null", maps(map_trl_data)},
    {"datasets[].split", "train", maps(map_trl_data)},
    {"datasets[].columns", "null", maps(map_trl_data)},
    {"datasets[].fraction", "null", maps(map_trl_data)},
    {"dataset_config", "null",
     lacks("a file has no configurations", "write that configuration as a file")},
    {"dataset_streaming", "false", kLoading},
    {"dataset_num_proc", "null", kLoading},
    {"dataloader_multiprocessing_context", "null", kLoading},
    {"dataloader_in_order", "true", kLoading},
    {"dataset_batch_size", "null", kLoading},
    {"test_split_size", "null",
     lacks("no part is split off for evaluation",
           "split the file, and name the part with --set data.evaluation.test=FILE")},
    {"dataset_text_field", "text", kRenamed},
    {"dataset_kwargs", "null",
     lacks("rows are prepared here", "give rows of `messages` or `text`")},
    // targets and rows
    {"assistant_only_loss", "false", maps(map_trl_targets)},
    {"completion_only_loss", "null", maps(map_trl_targets)},
    {"max_length", "1024", maps(map_trl_rows)},
    {"max_seq_length", "1024", maps(map_trl_rows)},
    {"packing", "false", maps(map_trl_rows)},
    {"packing_strategy", "bfd", maps(map_trl_rows)},
    {"truncation_mode", "keep_start",
     lacks("the end of a long sample is cut off, not its beginning", "write keep_start")},
    {"padding_free", "false", idle("rows of a batch are never padded to the longest")},
    {"pad_to_multiple_of", "auto", idle("rows of a batch are never padded to the longest")},
    {"eval_packing", "null", kEvaluationSize},
    {"shuffle_dataset", "false", idle("rows are shuffled anew in each epoch")},
    // length and batch
    {"length_column_name", "length", idle("it goes with train_sampling_strategy: group_by_length")},
    // optimizer
    {"learning_rate", "2e-05", maps(map_learning_rate)},
    {"optim", "adamw_torch_fused", maps(map_optimizer)},
    {"loss_type", "nll", kLossPart},
    // precision and memory
    {"bf16", "null", maps(map_trl_precision)},
    {"fp16", "false", maps(map_trl_precision)},
    {"dtype", "float32", maps(map_trl_precision)},
    {"torch_dtype", "null", maps(map_trl_precision)},
    {"gradient_checkpointing", "true", maps(map_recompute)},
    {"activation_checkpointing", "null",
     idle("whole blocks are computed again; the result is the same")},
    {"activation_checkpointing_kwargs", "null",
     idle("whole blocks are computed again; the result is the same")},
    {"activation_offloading", "false",
     idle("whole blocks are computed again; the result is the same")},
    {"use_mps_device", "null", kHardware},
    {"ignore_bias_buffers", "false", kHardware},
    {"dispatch_batches", "null", kHardware},
    {"ray_scope", "null", kHardware},
    {"jit_mode_eval", "null", kHardware},
    {"use_ipex", "null", kHardware},
    {"torchdynamo", "null", kHardware},
    {"tpu_num_cores", "null", kHardware},
    {"tpu_metrics_debug", "null", kHardware},
    {"mp_parameters", "null", kHardware},
    {"fp16_backend", "null", kHardware},
    {"fp16_opt_level", "null", kHardware},
    {"past_index", "null", kHardware},
    {"fsdp_min_num_params", "null", kSharding},
    {"fsdp_transformer_layer_cls_to_wrap", "null", kSharding},
    {"deepspeed", "null",
     idle("it says how the work is split over processes; TRL demands that it agrees with these "
          "keys")},
    {"use_liger", "false", kKernels},
    // adapters and quantization
    {"use_peft", "false", maps(map_trl_adapter)},
    {"lora_r", "16", maps(map_trl_adapter)},
    {"lora_alpha", "32", maps(map_trl_adapter)},
    {"lora_dropout", "0.05", maps(map_trl_adapter)},
    {"lora_target_modules", "null", maps(map_trl_adapter)},
    {"lora_target_parameters", "null", maps(map_trl_adapter)},
    {"lora_modules_to_save", "null", maps(map_trl_adapter)},
    {"lora_task_type", "CAUSAL_LM", maps(map_trl_adapter)},
    {"use_rslora", "false", maps(map_trl_adapter)},
    {"use_dora", "false", maps(map_trl_adapter)},
    {"load_in_8bit", "false", kQuantized},
    {"load_in_4bit", "false", kQuantized},
    {"bnb_4bit_quant_type", "nf4", idle("it goes with load_in_4bit")},
    {"use_bnb_nested_quant", "false", idle("it goes with load_in_4bit")},
    {"bnb_4bit_quant_storage", "null", idle("it goes with load_in_4bit")},
    // evaluation, checkpoints, log
    {"logging_steps", "10", maps(map_logging)},
    {"include_inputs_for_metrics", "null", kReporting},
    {"trackio_bucket_id", "null", kReporting},
    {"trackio_static_space_id", "null", kReporting},
    {"overwrite_output_dir", "null", idle("a run folder that exists is never written over")},
    {"push_to_hub_model_id", "null", kUpload},
    {"push_to_hub_organization", "null", kUpload},
    {"push_to_hub_token", "null", kUpload},
    {"config", "null", idle("the command says what is done")},
    {"env", "null", idle("the command says what is done")},
};

}  // namespace

const Format& trl_format() {
  static const std::vector<KeyRow> rows = with_transformers_rows(kRows);
  static const Format format = {"trl", "TRL", rows};
  return format;
}

}  // namespace burnish::foreign
