#include <ctime>
#include <iostream>
#include <iterator>
#include <memory>

#include "base/error.h"
#include "base/file.h"
#include "cli/commands.h"
#include "cli/text_files.h"
#include "cli/text_rows.h"

namespace burnish {
namespace {

struct Options {
  std::string tokenizer, template_file, rows;
  bool json = false;
  RowOptions row;
};

std::string read_input(const std::string& file) {
  if (!file.empty() && file != "-") return read_text_file(file);
  return {std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>()};
}

/// One line out for each row; a row that fails gives an error line, and the exit code is that of
/// the first of them.
int print_rows(const Options& options, const RowAction& action) {
  const std::string name = options.rows.empty() || options.rows == "-" ? "stdin" : options.rows;
  return for_each_row(read_input(options.rows), name, action, [&](const Json& line) {
    std::cout << (options.json ? json_line(line) : plain_line(line)) << '\n';
  });
}

int encode(const Options& options) {
  const Tokenizer tokenizer =
      std::move(open_text_files(options.tokenizer, options.template_file).tokenizer);
  const auto encode_one = [&](const std::string& text) {
    return encoded(tokenizer, text, options.row);
  };
  if (options.rows.empty()) {
    const Json line = encode_one(read_input(""));
    std::cout << (options.json ? json_line(line) : plain_line(line)) << '\n';
    return 0;
  }
  return print_rows(options, [&](const Json& row) { return encode_one(text_of_row(row)); });
}

int decode(const Options& options) {
  const Tokenizer tokenizer =
      std::move(open_text_files(options.tokenizer, options.template_file).tokenizer);
  return print_rows(options, [&](const Json& row) { return decoded(tokenizer, row, options.row); });
}

int render(const Options& options) {
  if (options.tokenizer.empty() && options.template_file.empty())
    throw Error(ErrorCode::usage, "there is no template to render with", "burnish text render",
                "give --tokenizer DIR, --template FILE, or both");
  if (options.tokenizer.empty()) {
    const Template chat_template = open_template(options.template_file);
    return print_rows(
        options, [&](const Json& row) { return rendered(chat_template, {}, row, options.row); });
  }
  const TextFiles text = open_text_files(options.tokenizer, options.template_file);
  if (!text.chat_template)
    throw Error(ErrorCode::model, "there is no chat template", options.tokenizer,
                "give one with --template FILE");
  const auto special = template_special_tokens(text.tokenizer);
  return print_rows(options, [&](const Json& row) {
    return rendered(*text.chat_template, special, row, options.row);
  });
}

CLI::App* add_action(CLI::App* text, const std::string& name, const std::string& about,
                     const std::string& row, const std::shared_ptr<Options>& options) {
  CLI::App* command = text->add_subcommand(name, about);
  command->add_option("--tokenizer", options->tokenizer,
                      "A folder with tokenizer.json, a .gguf file or a run");
  command->add_option("--template", options->template_file, "A .jinja file in place of its own");
  command->add_option("--rows", options->rows, "A .jsonl file of " + row + "; -: stdin");
  command->add_flag("--json", options->json, "One JSON line out for each row");
  return command;
}

}  // namespace

void add_text_command(CLI::App& app, int& status) {
  const auto options = std::make_shared<Options>();
  CLI::App* text = app.add_subcommand("text", "Encode, decode and render text");
  text->require_subcommand(1);
  text->footer("Example:\n  echo Hello | burnish text encode --tokenizer DIR --json");

  CLI::App* command = add_action(text, "encode", "Text to token ids; without --rows, all of stdin",
                                 "{\"text\": ...}", options);
  command->get_option("--tokenizer")->required();
  command->add_flag("--offsets", options->row.offsets, "The characters that each token covers");
  command->add_flag("--tokens", options->row.tokens, "The tokens as the vocabulary spells them");
  command->add_flag("--add-special-tokens", options->row.add_special_tokens,
                    "Add what the tokenizer adds by itself (a BOS and the like)");
  command->footer(
      "Example:\n  burnish text encode --tokenizer DIR --rows rows.jsonl --offsets --json");
  command->callback([options, &status] { status = encode(*options); });

  command = add_action(text, "decode", "Token ids to text", "{\"ids\": [...]}", options);
  command->get_option("--tokenizer")->required();
  command->add_flag("--skip-special-tokens", options->row.skip_special_tokens,
                    "Leave control tokens out");
  command->footer("Example:\n  echo '{\"ids\": [1, 2]}' | burnish text decode --tokenizer DIR");
  command->callback([options, &status] { status = decode(*options); });

  command = add_action(text, "render", "Conversations to text, by the chat template",
                       "{\"messages\": [...], \"tools\": [...]}", options);
  command->add_flag("--add-generation-prompt", options->row.add_generation_prompt,
                    "End where the assistant would begin");
  command->add_flag("--origins", options->row.origins,
                    "Which message and part each piece of the text came from, in characters");
  command->add_option("--date", options->row.date, "The day that templates see; default: today")
      ->type_name("YYYY-MM-DD");
  command->footer("Example:\n  burnish text render --tokenizer DIR --rows chat.jsonl --json");
  command->callback([options, &status] { status = render(*options); });
}

}  // namespace burnish
