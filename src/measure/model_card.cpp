#include "measure/model_card.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <string_view>

#include "measure/display_width.h"

namespace burnish {
namespace {

// A double-quoted YAML scalar: JSON's escapes are a part of YAML 1.2's.
std::string yaml_quoted(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : one_line(text)) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "\"";
}

// One line of text in which nothing is markup, not even in a table's cell.
std::string markdown(std::string_view text) {
  constexpr std::string_view kMarks = "\\`*_{}[]<>()#+!|~&";
  std::string escaped;
  for (const char c : one_line(text)) {
    if (kMarks.find(c) != std::string_view::npos) escaped += '\\';
    escaped += c;
  }
  return escaped;
}

// A fence longer than any run of backticks in the text.
std::string fenced(std::string_view text, std::string_view language) {
  size_t longest = 2, run = 0;
  for (const char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  const std::string fence(longest + 1, '`');
  const char* end = text.ends_with('\n') ? "" : "\n";
  return fmt::format("{}{}\n{}{}{}\n", fence, language, text, end, fence);
}

// "org/name", as the hub spells it; a path of this machine tells a reader nothing.
bool is_hub_name(std::string_view source) {
  const auto plain = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_' || c == '.';
  };
  const size_t slash = source.find('/');
  return slash != std::string_view::npos && slash > 0 && slash + 1 < source.size() &&
         source.front() != '.' && !source.ends_with(".gguf") &&
         std::all_of(source.begin(), source.begin() + static_cast<long>(slash), plain) &&
         std::all_of(source.begin() + static_cast<long>(slash) + 1, source.end(), plain);
}

// As the recipe has it, but without the folders of this machine.
std::string shown_source(std::string_view source) {
  while (source.size() > 1 && source.ends_with('/')) source.remove_suffix(1);
  const std::filesystem::path path(source);
  return path.is_absolute() ? path.filename().string() : path.string();
}

std::string front_matter(const ModelCard& card) {
  std::string text = "---\n";
  if (is_hub_name(card.base_model)) {
    text += "base_model: " + yaml_quoted(card.base_model) + "\n";
    text += "base_model_relation: finetune\n";
  }
  text += "library_name: transformers\npipeline_tag: text-generation\n";
  if (!card.license.empty()) text += "license: " + yaml_quoted(card.license) + "\n";
  return text + "tags:\n- burnish\n- sft\n---\n";
}

std::string loss_text(double loss) {
  return std::isfinite(loss) ? fmt::format("{:.4f}", loss) : "not measured";
}

std::string losses_section(const ModelCard& card) {
  std::string text = "## Losses\n\nMean cross-entropy a target token, in nats.\n\n";
  text += "| set | before | after |\n| --- | ---: | ---: |\n";
  text += fmt::format("| training (first and last step) | {} | {} |\n", loss_text(card.first_loss),
                      loss_text(card.final_loss));
  for (const ModelCard::Evaluation& evaluation : card.evaluations) {
    text += fmt::format("| {} | {} | {} |\n", markdown(evaluation.name),
                        loss_text(evaluation.loss_before), loss_text(evaluation.loss_after));
  }
  return text + "\n";
}

std::string data_section(const ModelCard& card) {
  std::string text = fmt::format(
      "## Data\n\n{} steps over {} tokens, {} of them targets. The sources, by SHA-256:\n\n",
      card.steps, card.tokens, card.targets);
  for (const ModelCard::Data& data : card.data) {
    text += fmt::format("- {}: {}\n", markdown(shown_source(data.source)), markdown(data.sha256));
  }
  return text + "\n";
}

std::string versions_section(const ModelCard& card) {
  std::string text = "## Made with\n\n";
  for (const auto& [name, version] : card.versions) {
    text += fmt::format("- {} {}\n", markdown(name), markdown(version));
  }
  return text + fmt::format("- on {}\n", markdown(card.date));
}

}  // namespace

std::string model_card_text(const ModelCard& card) {
  std::string text = front_matter(card);
  text += fmt::format("\n# {}\n\nFine-tuned from {}", markdown(card.name),
                      markdown(shown_source(card.base_model)));
  if (!card.base_revision.empty()) {
    text += fmt::format(" at revision {}", markdown(card.base_revision));
  }
  text += " with Burnish.\n\n";
  text += losses_section(card) + data_section(card);
  text += "## Recipe\n\n" + fenced(card.recipe_yaml, "yaml") + "\n";
  return text + versions_section(card);
}

}  // namespace burnish
