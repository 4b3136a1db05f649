#include "hub/source.h"

#include <algorithm>
#include <cctype>
#include <vector>

#include "base/error.h"

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
  std::vector<std::string> names;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
    names.push_back(it->path().filename().string());
  if (error)
    throw Error(ErrorCode::io, "cannot list the folder: " + error.message(), folder.string(),
                "Check the permissions of the path");
  std::sort(names.begin(), names.end());
  return names;
}

// The first name that ends so; empty: none.
std::string name_ending(const std::vector<std::string>& names, std::string_view ending) {
  for (const std::string& name : names)
    if (name.ends_with(ending)) return name;
  return {};
}

// org/name or org/name@revision, as on the hub; a path whose first folder is here is none.
bool looks_like_hub_name(const std::string& text) {
  const size_t slash = text.find('/');
  if (slash == std::string::npos || slash == 0 || slash + 1 == text.size()) return false;
  if (text.find('/', slash + 1) != std::string::npos || text.front() == '.') return false;
  const bool plain = std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 ||
           std::string_view("/-_.@").find(static_cast<char>(c)) != std::string_view::npos;
  });
  return plain && !is_there(text.substr(0, slash));
}

[[noreturn]] void refuse_missing(const std::string& text) {
  if (!looks_like_hub_name(text))
    throw Error(ErrorCode::io, "there is no such file or folder", text,
                "Name a folder with config.json, a .gguf file, or the folder of a run");
  const std::string name = text.substr(0, text.find('@'));
  throw Error(ErrorCode::unsupported, "models of the hub cannot be fetched yet", text,
              "Download it first (hf download " + name + " --local-dir DIR) and name the folder");
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

ModelSource resolve_model(const std::string& text) {
  if (text.empty()) throw Error(ErrorCode::io, "the name of the model is empty");
  const fs::path path(text);
  if (!is_there(path)) refuse_missing(text);
  if (fs::is_directory(path)) return resolve_folder(path);
  if (path.extension() == ".gguf") return {ModelSource::Kind::gguf, path};
  throw Error(ErrorCode::model, "this file is no model", text,
              path.extension() == ".safetensors"
                  ? "Name the folder that holds it and config.json"
                  : "Name a folder with config.json, a .gguf file, or the folder of a run");
}

}  // namespace burnish
