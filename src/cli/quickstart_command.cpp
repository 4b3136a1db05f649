#include <cstdio>
#include <filesystem>
#include <iostream>
#include <memory>

#include "base/error.h"
#include "base/file.h"
#include "cli/commands.h"
#include "cli/quickstart.h"
#include "cli/terminal.h"
#include "cli/training.h"

namespace burnish {
namespace {
namespace fs = std::filesystem;

struct Options {
  std::string output = "runs/quickstart";
  std::vector<std::string> settings;
};

// runs/quickstart, or with a number behind it where that is taken.
fs::path free_folder(const std::string& wanted) {
  fs::path folder = wanted;
  for (int number = 2; fs::exists(folder); ++number) folder = wanted + "-" + std::to_string(number);
  return folder;
}

void say(const std::string& text) {
  const Colours colours = colours_of_stdout();
  std::cout << colours.bold << text << colours.plain << std::endl;
}

void show_losses(const TrainSummary& summary) {
  const auto& lines = summary.at("evaluations");
  const double before = lines.front().at("loss"), after = lines.back().at("loss");
  char text[120];
  std::snprintf(text, sizeof text, "held-out loss %.4f -> %.4f (%.1f %% lower)", before, after,
                100.0 * (before - after) / before);
  say(text);
}

std::string answer_before(const TrainSummary& summary, const std::string& prompt) {
  for (const auto& line : summary.at("answers"))
    if (line.at("prompt") == prompt && line.at("step") == 0) return line.at("answer");
  return {};
}

// The answers after training come from the exported folder, read again.
void show_answers(const TrainSummary& summary, const Recipe& recipe) {
  const std::unique_ptr<Chat> chat = open_engine().open_chat(summary.at("model"));
  SamplingOptions sampling;
  sampling.max_tokens = recipe.evaluation.prompt_tokens;
  const Colours colours = colours_of_stdout();
  for (const std::string& prompt : recipe.evaluation.prompts) {
    const nlohmann::ordered_json messages{{{"role", "user"}, {"content", prompt}}};
    std::cout << "\n"
              << colours.bold << "  " << prompt << colours.plain
              << "\n    before: " << answer_before(summary, prompt)
              << "\n    after:  " << colours.green << chat->answer(messages, sampling, {})
              << colours.plain << std::endl;
  }
}

void quickstart(const Options& options) {
  const QuickstartInputs inputs = find_quickstart_inputs();
  const fs::path output = free_folder(options.output), folder = output.string() + "-data";
  say("1. Data: the English conversations of chatterbot-corpus (BSD), into " + folder.string());
  make_folder(folder);
  const QuickstartData data = make_quickstart_data(inputs.conversations, folder);
  std::cout << "   " << data.num_train << " conversations to train on, " << data.num_held_out
            << " held out\n";
  const fs::path recipe_file = folder / "recipe.yaml";
  write_text_file(recipe_file, quickstart_recipe(inputs, data, output));
  LoadedRecipe loaded = load_recipe(recipe_file, overrides_of(options.settings));

  say("2. Training SmolLM2-135M-Instruct (Apache-2.0) as " + recipe_file.string() +
      " says; a few minutes on two cores");
  TrainRequest request;
  request.recipe = loaded.recipe;
  request.warnings = loaded.warnings;
  request.process_start_s = start_of_work_s();
  const TrainSummary summary = train_and_report(request);

  say("3. What it changed");
  show_losses(summary);
  show_answers(summary, loaded.recipe);

  const std::string run = summary.at("run"), model = summary.at("model");
  say("\nNext:");
  std::cout << "  ./burnish chat " << model << "                 talk to it\n"
            << "  ./burnish data inspect " << recipe_file.string() << "   see what is trained on\n"
            << "  ./burnish train " << recipe_file.string() << " --set output=" << run
            << "-long --set train.end.steps=100   train longer\n"
            << "The report is " << run << "/report.html; other tools load " << model << ".\n";
}

}  // namespace

void add_quickstart_command(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "quickstart", "Fine-tune a small real model on real conversations and show the difference");
  command->add_option("--output", options->output, "The run folder");
  add_set_option(command, options->settings);
  command->footer("Example:\n  ./burnish quickstart --set data.shuffle.seed=1");
  command->callback([options] { quickstart(*options); });
}

}  // namespace burnish
