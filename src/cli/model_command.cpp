#include <memory>

#include "base/dtype.h"
#include "cli/commands.h"
#include "cli/model_show.h"
#include "engine_door.h"

namespace burnish {
namespace {

struct Options {
  std::string model, input, output, dtype = "float32";
  bool gradients = false;
  ShowOptions show;
};

void run_model(const Options& options) {
  RunModelRequest request{options.model, options.input, options.output};
  request.gradients = options.gradients;
  request.dtype = dtype_of_torch_name(options.dtype).value_or(DType::f32);
  open_engine().run_model(request);
}

}  // namespace

void add_model_command(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  CLI::App* model = app.add_subcommand("model", "Show a model, or run it on given tokens");
  model->require_subcommand(1);
  model->footer("Example:\n  burnish model show SmolLM2-135M-Instruct");

  CLI::App* command = model->add_subcommand(
      "show", "Family, sizes, types, context, tokenizer, template and every tensor");
  command->add_option("MODEL", options->model, "A folder, a run, a .gguf file or org/name")
      ->required();
  command->add_flag("--json", options->show.json, "One JSON line, with the config");
  command->add_flag("--stored", options->show.stored,
                    "Tensors by the names and in the rows of the file, not of the family");
  command->add_flag("--hash", options->show.hash,
                    "SHA-256 of each tensor's elements as float32, little-endian");
  command->footer("Example:\n  burnish model show model.gguf --json");
  command->callback([options] { show_model(options->model, options->show); });

  command = model->add_subcommand("run", "Logits, loss and gradients for token ids");
  command->add_option("MODEL", options->model, "A folder, a run, a .gguf file or org/name")
      ->required();
  command
      ->add_option("--input", options->input,
                   "A .safetensors file: input_ids, cu_seqlens or attention_mask, labels")
      ->required();
  command->add_option("--output", options->output, "Where the .safetensors file goes")->required();
  command->add_option("--dtype", options->dtype, "Computed in; default: float32")
      ->check(CLI::IsMember({"float32", "float64", "bfloat16", "float16"}));
  command->add_flag("--grad", options->gradients, "Gradients too, by their names on disk");
  command->footer(
      "Example:\n  burnish model run MODEL --input x.safetensors --output y.safetensors --grad");
  command->callback([options] { run_model(*options); });
}

}  // namespace burnish
