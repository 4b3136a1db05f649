#include <fmt/format.h>

#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/readable.h"
#include "cli/commands.h"
#include "hub/cache.h"
#include "hub/snapshot.h"
#include "hub/verify.h"

namespace burnish {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  std::vector<std::string> names, include;
  std::string revision;
  bool dataset = false, all = false, json = false;
};

const char* kind_text(const Repository& repository) {
  return repository.kind == Repository::Kind::model ? "model" : "dataset";
}

void print_json(const Json& json) {
  std::cout << json.dump(-1, ' ', false, Json::error_handler_t::replace) << '\n';
}

HubName name_of(const std::string& text, const Options& options) {
  const auto kind = options.dataset ? Repository::Kind::dataset : Repository::Kind::model;
  HubName name = parse_hub_name(text, kind);
  if (options.revision.empty()) return name;
  if (text.find('@') != std::string::npos)
    throw Error(ErrorCode::usage, "`" + text + "` has a revision already", "--revision",
                "give one of the two");
  check_revision(options.revision);
  name.revision = options.revision;
  return name;
}

void get(const Options& options) {
  watch_for_interrupt();  // what was fetched stays, and the line is wiped
  const HubSettings settings = hub_settings();
  const bool everything = options.dataset || options.all;
  for (const std::string& text : options.names) {
    const HubName name = name_of(text, options);
    const Snapshot snapshot = fetch_snapshot(
        {name, everything ? Wanted::everything : Wanted::model, options.include}, settings);
    if (options.json)
      print_json({{"name", name.repository.name},
                  {"kind", kind_text(name.repository)},
                  {"revision", name.revision},
                  {"commit", snapshot.commit},
                  {"folder", snapshot.folder.string()},
                  {"files", snapshot.files},
                  {"bytes", snapshot.bytes}});
    else
      std::cout << name.repository.name << '@' << snapshot.commit << "  "
                << size_text(snapshot.bytes) << '\n'
                << snapshot.folder.string() << '\n';
  }
}

void list(const Options& options) {
  const HubSettings settings = hub_settings();
  uint64_t total = 0;
  for (const Repository& repository : cached_repositories(settings.cache))
    for (const auto& revision : RepositoryCache(settings.cache, repository).revisions()) {
      total += revision.bytes;
      if (options.json) {
        print_json({{"name", repository.name},
                    {"kind", kind_text(repository)},
                    {"commit", revision.commit},
                    {"revisions", revision.refs},
                    {"files", revision.files},
                    {"bytes", revision.bytes}});
        continue;
      }
      std::cout << fmt::format("{:<8} {:<48} {}  {:>4} files  {:>9}  {}\n", kind_text(repository),
                               repository.name, revision.commit, revision.files,
                               size_text(revision.bytes), fmt::join(revision.refs, " "));
    }
  if (!options.json) std::cout << settings.cache.string() << ": " << size_text(total) << '\n';
}

std::vector<Repository> named_or_all(const Options& options, const HubSettings& settings) {
  std::vector<Repository> cached = cached_repositories(settings.cache);
  if (options.names.empty()) return cached;
  std::vector<Repository> named;
  for (const std::string& text : options.names) {
    named.push_back(name_of(text, options).repository);
    if (std::find(cached.begin(), cached.end(), named.back()) == cached.end())
      throw Error(ErrorCode::io, "the cache does not have it", text,
                  "burnish hub list shows what it has");
  }
  return named;
}

/// Returns whether nothing is broken.
bool verify_one(const Repository& repository, const HubSettings& settings, bool as_json) {
  const Verification found = verify_repository(
      settings.cache, repository, [](const std::filesystem::path&) {},
      [] { return interrupted() == 0; });
  Json broken = Json::array();
  for (const auto& [file, what] : found.broken) {
    broken.push_back({{"file", file.string()}, {"what", what}});
    if (!as_json) std::cout << "broken: " << file.string() << ": " << what << '\n';
  }
  if (as_json) {
    print_json({{"name", repository.name},
                {"kind", kind_text(repository)},
                {"files", found.files},
                {"bytes", found.bytes},
                {"unfinished", found.unfinished},
                {"unknown", found.unknown},
                {"broken", broken}});
    return found.broken.empty();
  }
  std::cout << fmt::format("{} {}: {} files, {}: {}", kind_text(repository), repository.name,
                           found.files, size_text(found.bytes),
                           found.broken.empty() ? "all as their names say"
                                                : fmt::format("{} broken", found.broken.size()));
  if (found.unfinished > 0) std::cout << "; " << found.unfinished << " unfinished";
  if (found.unknown > 0) std::cout << "; " << found.unknown << " with names that are no hashes";
  std::cout << '\n';
  return found.broken.empty();
}

void verify(const Options& options, int& status) {
  watch_for_interrupt();
  const HubSettings settings = hub_settings();
  bool well = true;
  for (const Repository& repository : named_or_all(options, settings))
    well = verify_one(repository, settings, options.json) && well;
  if (well) return;
  status = exit_code(ErrorCode::io);
  if (!options.json)
    std::cerr << "Remove the broken files, and burnish hub get fetches them again\n";
}

void add_names(CLI::App* command, Options& options, bool required) {
  auto* names = command->add_option("NAME", options.names, "org/name or org/name@revision");
  if (required) names->required();
  command->add_flag("--dataset", options.dataset, "Data sets, not models");
  command->add_flag("--json", options.json, "One JSON line for each");
}

void add_get(CLI::App* hub) {
  const auto options = std::make_shared<Options>();
  CLI::App* command =
      hub->add_subcommand("get", "Fetch models or data sets into the cache (HF_HOME)");
  add_names(command, *options, true);
  command->add_option("--revision", options->revision,
                      "A branch, a tag or a commit; default: main");
  command
      ->add_option("--include", options->include,
                   "Only files that match, as often as needed: '*.gguf'; default: what a model "
                   "needs, of a data set everything")
      ->type_name("PATTERN")
      ->allow_extra_args(false);
  command->add_flag("--all", options->all, "Every file of a model's repository");
  command->footer(
      "Example:\n  burnish hub get HuggingFaceTB/SmolLM2-135M-Instruct\n"
      "  burnish hub get org/chats --dataset --revision v1.0");
  command->callback([options] { get(*options); });
}

}  // namespace

void add_hub_command(CLI::App& app, int& status) {
  CLI::App* hub = app.add_subcommand("hub", "Get models and data sets, list and verify the cache");
  hub->require_subcommand(1);
  hub->footer("Example:\n  burnish hub get HuggingFaceTB/SmolLM2-135M-Instruct");
  add_get(hub);

  auto options = std::make_shared<Options>();
  CLI::App* command = hub->add_subcommand("list", "What the cache holds: revisions, files, sizes");
  command->add_flag("--json", options->json, "One JSON line for each revision");
  command->footer("Example:\n  burnish hub list");
  command->callback([options] { list(*options); });

  options = std::make_shared<Options>();
  command = hub->add_subcommand("verify", "Hash what the cache holds; exit code 7 if it is broken");
  add_names(command, *options, false);
  command->footer("Example:\n  burnish hub verify\n  burnish hub verify org/name --json");
  command->callback([options, &status] { verify(*options, status); });
}

}  // namespace burnish
