#include "hub/source.h"

#include <algorithm>
#include <vector>

#include "base/error.h"
#include "base/file.h"
#include "hub/snapshot.h"

namespace burnish {
namespace fs = std::filesystem;
namespace {

bool is_there(const fs::path& path) {
  std::error_code error;
  const bool found = fs::exists(path, error);
  if (error && error != std::errc::no_such_file_or_directory &&
      error != std::errc::not_a_directory) {
    throw Error(ErrorCode::io, "cannot look at it: " + error.message(), path.string(),
                "Check the permissions of the path");
  }
  return found;
}

std::vector<std::string> names_in(const fs::path& folder) {
  std::error_code error;
  std::vector<std::string> names = list_names(folder, error);
  if (error)
    throw Error(ErrorCode::io, "cannot list the folder: " + error.message(), folder.string(),
                "Check the permissions of the path");
  return names;
}

// The first name that ends so; empty: none.
std::string name_ending(const std::vector<std::string>& names, std::string_view ending) {
  for (const std::string& name : names)
    if (name.ends_with(ending)) return name;
  return {};
}

// A path whose first folder is here is a path with a slip in it, and no name of the hub.
bool names_hub_model(const std::string& text) {
  return is_hub_name(text) && !is_there(text.substr(0, text.find('/')));
}

Snapshot snapshot_of(const std::string& text, const std::string& revision, Wanted wanted) {
  HubName name = parse_hub_name(text);
  if (!revision.empty()) {
    check_revision(revision);
    name.revision = revision;
  }
  return fetch_snapshot({name, wanted}, hub_settings());
}

ModelSource of_hub(ModelSource source, const std::string& text, const Snapshot& snapshot) {
  source.repository = text.substr(0, text.find('@'));
  source.commit = snapshot.commit;
  return source;
}

void check_no_revision(const std::string& text, const std::string& revision) {
  if (!revision.empty())
    throw Error(ErrorCode::recipe, "`" + text + "` is here on disk: it has no revision",
                "model.revision", "Leave model.revision out; only models of the hub have one");
}

[[noreturn]] void refuse_without_weights(const fs::path& folder,
                                         const std::vector<std::string>& names) {
  const std::string pickle = name_ending(names, ".bin");
  if (pickle.starts_with("pytorch_model"))
    throw Error(ErrorCode::model,
                "the weights are in " + pickle + ", a Python pickle, which is not read",
                folder.string(),
                "Convert it once in Python: AutoModelForCausalLM.from_pretrained(DIR)"
                ".save_pretrained(NEW_DIR) writes model.safetensors");
  throw Error(ErrorCode::model, "there is a config.json, but no model.safetensors", folder.string(),
              "Copy model.safetensors, or model.safetensors.index.json and its shards, there");
}

[[noreturn]] void refuse_no_model(const fs::path& folder, const std::vector<std::string>& names) {
  if (is_there(folder / "recipe.yaml"))
    throw Error(ErrorCode::model, "this run has no model/config.json: it is not finished",
                folder.string(), "Resume it to its end");
  const std::string gguf = name_ending(names, ".gguf");
  throw Error(ErrorCode::model, "there is no config.json in this folder", folder.string(),
              gguf.empty() ? "Name the folder that holds config.json and model.safetensors"
                           : "Name the file itself: " + (folder / gguf).string());
}

ModelSource resolve_folder(const fs::path& folder) {
  const std::vector<std::string> names = names_in(folder);
  const auto has = [&](const char* name) { return std::count(names.begin(), names.end(), name); };
  if (has("config.json")) {
    if (!has("model.safetensors") && !has("model.safetensors.index.json"))
      refuse_without_weights(folder, names);
    return {ModelSource::Kind::folder, folder};
  }
  if (is_there(folder / "model" / "config.json")) return resolve_folder(folder / "model");
  refuse_no_model(folder, names);
}

}  // namespace

ModelSource resolve_model(const std::string& text, const std::string& revision) {
  if (text.empty()) throw Error(ErrorCode::io, "the name of the model is empty");
  const fs::path path(text);
  if (!is_there(path)) {
    if (!names_hub_model(text))
      throw Error(ErrorCode::io, "there is no such file or folder", text,
                  "Name a folder with config.json, a .gguf file, the folder of a run, or a model "
                  "of the hub as org/name");
    const Snapshot snapshot = snapshot_of(text, revision, Wanted::model);
    return of_hub(resolve_folder(snapshot.folder), text, snapshot);
  }
  check_no_revision(text, revision);
  if (fs::is_directory(path)) return resolve_folder(path);
  if (path.extension() == ".gguf") return {ModelSource::Kind::gguf, path};
  throw Error(ErrorCode::model, "this file is no model", text,
              path.extension() == ".safetensors"
                  ? "Name the folder that holds it and config.json"
                  : "Name a folder with config.json, a .gguf file, or the folder of a run");
}

ModelSource resolve_tokenizer(const std::string& text, const std::string& revision) {
  if (is_there(fs::path(text) / "tokenizer.json")) {
    check_no_revision(text, revision);
    return {ModelSource::Kind::folder, text};
  }
  if (is_there(text) || !names_hub_model(text)) return resolve_model(text, revision);
  const Snapshot snapshot = snapshot_of(text, revision, Wanted::text);
  return of_hub({ModelSource::Kind::folder, snapshot.folder}, text, snapshot);
}

}  // namespace burnish
