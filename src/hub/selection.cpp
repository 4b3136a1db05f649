#include "hub/selection.h"

#include <fnmatch.h>

#include <algorithm>

#include "base/error.h"

namespace burnish {
namespace {

// Folders of a repository hold other things (onnx, original); of these names only its root's.
constexpr const char* kText[] = {
    "config.json",
    "generation_config.json",
    "tokenizer*",
    "special_tokens_map.json",
    "added_tokens.json",
    "vocab.json",
    "merges.txt",
    "chat_template.*",
    "additional_chat_templates/*",
    "LICENSE*",
    "README.md",
};
constexpr const char* kWeights[] = {"model.safetensors", "model-*.safetensors",
                                    "model.safetensors.index.json"};
constexpr const char* kAnyWeights[] = {"*.safetensors", "*.safetensors.index.json"};

bool matches(const char* pattern, const std::string& path, int flags) {
  return ::fnmatch(pattern, path.c_str(), flags) == 0;
}

template <class Patterns>
bool matches_any(const Patterns& patterns, const std::string& path) {
  return std::any_of(std::begin(patterns), std::end(patterns),
                     [&](const char* pattern) { return matches(pattern, path, FNM_PATHNAME); });
}

template <class Patterns>
bool has_any(const std::vector<RemoteFile>& files, const Patterns& patterns) {
  return std::any_of(files.begin(), files.end(),
                     [&](const RemoteFile& file) { return matches_any(patterns, file.path); });
}

std::string first_ending(const std::vector<RemoteFile>& files, std::string_view ending) {
  for (const RemoteFile& file : files)
    if (file.path.ends_with(ending)) return file.path;
  return {};
}

[[noreturn]] void refuse_without_weights(const std::vector<RemoteFile>& files,
                                         const std::string& name) {
  const std::string pickle = first_ending(files, ".bin"), gguf = first_ending(files, ".gguf");
  if (!gguf.empty())
    throw Error(ErrorCode::model, "it has no safetensors weights, but GGUF files such as " + gguf,
                name,
                "Get the one you want and name the file itself: burnish hub get " + name +
                    " --include '" + gguf + "'");
  if (!pickle.empty())
    throw Error(ErrorCode::model, "its weights are in " + pickle + ", a Python pickle: not read",
                name,
                "Convert it once in Python: AutoModelForCausalLM.from_pretrained(\"" + name +
                    "\").save_pretrained(DIR) writes model.safetensors, and name DIR");
  throw Error(ErrorCode::model, "it has no model.safetensors", name,
              "Other files are got by burnish hub get " + name + " --include PATTERN");
}

std::vector<RemoteFile> matching(const std::vector<RemoteFile>& files,
                                 const std::vector<std::string>& include, const std::string& name) {
  std::vector<bool> taken(files.size());
  for (const std::string& pattern : include) {
    bool found = false;
    for (size_t i = 0; i < files.size(); ++i) {
      if (!matches(pattern.c_str(), files[i].path, 0)) continue;
      taken[i] = found = true;
    }
    if (!found)
      throw Error(ErrorCode::usage, "no file of " + name + " matches `" + pattern + "`",
                  "--include",
                  files.empty() ? "It has no files" : "It has files such as " + files[0].path);
  }
  std::vector<RemoteFile> chosen;
  for (size_t i = 0; i < files.size(); ++i)
    if (taken[i]) chosen.push_back(files[i]);
  return chosen;
}

}  // namespace

std::vector<RemoteFile> select_files(const std::vector<RemoteFile>& files, Wanted wanted,
                                     const std::vector<std::string>& include,
                                     const Repository& repository) {
  if (!include.empty()) return matching(files, include, repository.name);
  if (files.empty()) throw Error(ErrorCode::model, "the repository is empty", repository.name);
  if (wanted == Wanted::everything) return files;
  // weights under other names than the usual ones only where those are not there: repositories
  // that have both hold the same weights twice
  const bool usual = has_any(files, kWeights);
  if (wanted == Wanted::model && !usual && !has_any(files, kAnyWeights))
    refuse_without_weights(files, repository.name);
  std::vector<RemoteFile> chosen;
  for (const RemoteFile& file : files) {
    const bool weights =
        usual ? matches_any(kWeights, file.path) : matches_any(kAnyWeights, file.path);
    if (matches_any(kText, file.path) || (wanted == Wanted::model && weights))
      chosen.push_back(file);
  }
  return chosen;
}

}  // namespace burnish
