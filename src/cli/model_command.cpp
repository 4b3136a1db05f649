#include <iomanip>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "cli/commands.h"
#include "declare/checkpoint_source.h"
#include "declare/model_config.h"
#include "engine_door.h"

namespace burnish {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  std::string model, input, output, dtype = "float32";
  bool json = false, gradients = false;
};

Json described(const std::string& model) {
  const ModelSource source = resolve_model(model);
  ModelDeclaration declaration = declare_model(load_config(source));
  const auto checkpoint = open_checkpoint(source, declaration);
  int64_t bytes = 0;
  Json parameters = Json::array();
  for (const ParameterDeclaration& parameter : declaration.parameters) {
    const DType dtype = checkpoint->dtype_of(parameter.name);
    bytes += parameter.num_elements() * static_cast<int64_t>(size_of(dtype));
    parameters.push_back({{"name", parameter.name},
                          {"shape", parameter.shape},
                          {"dtype", safetensors_name(dtype)},
                          {"unit", parameter.unit},
                          {"decays", parameter.decays}});
  }
  return {{"source", source.path.string()},
          {"model_type", declaration.config.model_type},
          {"parameters", declaration.num_parameters()},
          {"bytes", bytes},
          {"flops_per_token", declaration.flops_per_token()},
          {"units", declaration.num_units()},
          {"tied_embeddings", declaration.config.tied_embeddings},
          {"warnings", checkpoint->warnings()},
          {"config", declaration.config.source_json},
          {"tensors", parameters}};
}

std::string shape_text(const Json& shape) {
  std::string text;
  for (const Json& size : shape) text += (text.empty() ? "" : " x ") + size.dump();
  return text;
}

void show(const Options& options) {
  const Json model = described(options.model);
  if (options.json) {
    std::cout << model.dump(-1, ' ', false, Json::error_handler_t::replace) << '\n';
    return;
  }
  std::vector<std::string> warnings = model["warnings"];
  print_warnings(warnings);
  std::cout << model["source"].get<std::string>() << ": " << model["model_type"].get<std::string>()
            << ", " << model["units"].get<int>() - 2 << " layers\n"
            << std::fixed << std::setprecision(2)  //
            << "parameters       " << model["parameters"].get<double>() / 1e6 << " M"
            << (model["tied_embeddings"].get<bool>() ? " (embedding and head are one)" : "") << '\n'
            << "weights          " << model["bytes"].get<double>() / 1048576 << " MiB\n"
            << "FLOPs per token  " << model["flops_per_token"].get<double>() / 1e9
            << " G (forward and backward, attention left out)\n\n";
  for (const Json& tensor : model["tensors"])
    std::cout << std::left << std::setw(52) << tensor["name"].get<std::string>() << std::setw(6)
              << tensor["dtype"].get<std::string>() << shape_text(tensor["shape"]) << '\n';
}

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

  CLI::App* command =
      model->add_subcommand("show", "Parameters, bytes, work per token and every tensor");
  command->add_option("MODEL", options->model, "A folder, a run or a .gguf file")->required();
  command->add_flag("--json", options->json, "One JSON line, with the config");
  command->footer("Example:\n  burnish model show model.gguf --json");
  command->callback([options] { show(*options); });

  command = model->add_subcommand("run", "Logits, loss and gradients for token ids");
  command->add_option("MODEL", options->model, "A folder, a run or a .gguf file")->required();
  command
      ->add_option("--input", options->input,
                   "A .safetensors file: input_ids, cu_seqlens or attention_mask, labels")
      ->required();
  command->add_option("--output", options->output, "Where the .safetensors file goes")->required();
  command->add_option("--dtype", options->dtype, "Computed in; default: float32")
      ->check(CLI::IsMember({"float32", "float64"}));
  command->add_flag("--grad", options->gradients, "Gradients too, by their names on disk");
  command->footer(
      "Example:\n  burnish model run MODEL --input x.safetensors --output y.safetensors --grad");
  command->callback([options] { run_model(*options); });
}

}  // namespace burnish
