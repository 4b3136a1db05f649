#include <iostream>
#include <memory>

#include "base/error.h"
#include "base/interrupt.h"
#include "cli/commands.h"
#include "cli/terminal.h"
#include "engine_door.h"

namespace burnish {
namespace {

struct Options {
  std::string model, prompt, system;
  bool json = false;
  SamplingOptions sampling;
};

using Json = nlohmann::ordered_json;

/// A conversation: what was said so far, and one more turn.
class Conversation {
 public:
  Conversation(Chat& chat, const Options& options) : chat_(chat), options_(options) { reset(); }

  void reset() {
    messages_ = Json::array();
    if (!options_.system.empty()) say("system", options_.system);
  }

  /// Streams the answer to stdout. A turn that fails is taken back.
  void turn(const std::string& text) {
    const Json before = messages_;
    say("user", text);
    try {
      const std::string answer = chat_.answer(messages_, options_.sampling, stream());
      say("assistant", answer);
      if (options_.json)
        std::cout << Json{{"answer", answer}}.dump(-1, ' ', false, Json::error_handler_t::replace);
      std::cout << std::endl;
    } catch (...) {
      messages_ = before;
      throw;
    }
  }

 private:
  void say(const std::string& role, const std::string& text) {
    messages_.push_back({{"role", role}, {"content", text}});
  }
  std::function<void(const std::string&)> stream() const {
    if (options_.json) return [](const std::string&) {};
    return [](const std::string& text) { std::cout << text << std::flush; };
  }

  Chat& chat_;
  const Options& options_;
  Json messages_;
};

/// Ctrl-C stops an answer, and at the prompt the program.
void converse(Conversation& conversation) {
  const bool typed = stdin_is_terminal();
  const Colours colours = colours_of_stdout();
  if (typed) std::cout << "/reset starts over, /quit ends, Ctrl-C stops an answer\n";
  std::string line;
  while (true) {
    if (typed) std::cout << colours.bold << "> " << colours.plain << std::flush;
    if (!std::getline(std::cin, line) || line == "/quit") break;
    if (line == "/reset") {
      conversation.reset();
    } else if (line.find_first_not_of(" \t\r") != std::string::npos) {
      conversation.turn(line);
      if (interrupted() != 0 && !typed) break;
      clear_interrupt();
    }
  }
  if (typed) std::cout << '\n';
}

void chat(const Options& options) {
  const std::unique_ptr<Chat> chat = open_engine().open_chat(options.model);
  Conversation conversation(*chat, options);
  watch_for_interrupt();
  if (options.prompt.empty())
    converse(conversation);
  else
    conversation.turn(options.prompt);
  if (const int signal = interrupted())
    throw Error(ErrorCode::interrupted, "stopped by signal " + std::to_string(signal));
}

}  // namespace

void add_chat_command(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  SamplingOptions& sampling = options->sampling;
  CLI::App* command = app.add_subcommand("chat", "Talk to a model");
  command->add_option("MODEL", options->model, "A folder, a run, a .gguf file or org/name")
      ->required();
  command->add_option("--prompt", options->prompt, "One message; the answer goes to stdout");
  command->add_option("--system", options->system, "The system message");
  command->add_option("--temperature", sampling.temperature, "0, the default: the likeliest token")
      ->check(CLI::Range(0.0, 1e6));
  command
      ->add_option("--top-p", sampling.top_p, "Only the likeliest tokens that make up this share")
      ->check(CLI::Range(0.0, 1.0));
  command->add_option("--top-k", sampling.top_k, "Only so many of the likeliest tokens; 0: all")
      ->check(CLI::NonNegativeNumber);
  command->add_option("--min-p", sampling.min_p, "Only tokens with this share of the likeliest's")
      ->check(CLI::Range(0.0, 1.0));
  command->add_option("--seed", sampling.seed, "Of the sampling");
  command->add_option("--max-tokens", sampling.max_tokens, "The longest answer; default: 512")
      ->check(CLI::Range(int64_t{1}, int64_t{1} << 40));
  command->add_flag("--json", options->json, "Each answer as one JSON line");
  command->footer(
      "Example:\n  burnish chat runs/smollm2-chat --temperature 0.7\n"
      "  burnish chat model.gguf --prompt \"What can you do?\"\n\n"
      "Without --prompt it reads messages from stdin, one a line.");
  command->callback([options] { chat(*options); });
}

}  // namespace burnish
