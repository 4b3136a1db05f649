#include "recipe/import/dataset_info.h"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"
#include "recipe/import/source_value.h"

namespace burnish::foreign {
namespace {
namespace fs = std::filesystem;

constexpr const char* kNameFile =
    "write its rows as JSON lines of `messages`, and name the file: --set data.train=FILE.jsonl";
constexpr size_t kMostBytes = size_t{1} << 22;

std::vector<std::string> names_of(const YamlNode& node) {
  std::vector<std::string> names;
  const auto add = [&](const std::string& text) {
    for (size_t begin = 0; begin <= text.size();) {
      const size_t end = std::min(text.find(',', begin), text.size());
      std::string name = text.substr(begin, end - begin);
      while (!name.empty() && name.front() == ' ') name.erase(0, 1);
      while (!name.empty() && name.back() == ' ') name.pop_back();
      if (!name.empty()) names.push_back(name);
      begin = end + 1;
    }
  };
  if (node.kind == YamlNode::Kind::sequence)
    for (const YamlNode& item : node.items) add(text_of(item));
  else
    add(text_of(node));
  return names;
}

/// A text at "outer.inner" of an entry, or what LLaMA-Factory takes in its place.
std::string text_at(const Json& entry, const char* outer, const char* inner,
                    const std::string& fallback) {
  if (!entry.contains(outer) || !entry[outer].is_object()) return fallback;
  const Json& group = entry[outer];
  return group.contains(inner) && group[inner].is_string() ? group[inner].get<std::string>()
                                                           : fallback;
}

/// Why the rows are not `messages` of role and content; empty if they are.
std::string shape_fault(const Json& entry) {
  const std::string shape = entry.contains("formatting") && entry["formatting"].is_string()
                                ? entry["formatting"].get<std::string>()
                                : "alpaca";
  if (entry.contains("ranking") && entry["ranking"] == true) return "it holds preferences";
  if (entry.contains("num_samples") && !entry["num_samples"].is_null())
    return "num_samples takes a part of it";
  if (shape != "sharegpt" && shape != "openai") return "its rows have the shape " + shape;
  const bool standard = text_at(entry, "columns", "messages", "conversations") == "messages" &&
                        text_at(entry, "tags", "role_tag", "from") == "role" &&
                        text_at(entry, "tags", "content_tag", "value") == "content" &&
                        text_at(entry, "tags", "user_tag", "human") == "user" &&
                        text_at(entry, "tags", "assistant_tag", "gpt") == "assistant";
  return standard ? "" : "its columns and tags are not `messages`, `role` and `content`";
}

DataFile file_of(const Json& info, const std::string& folder, const std::string& name) {
  const std::string place = (fs::path(folder) / "dataset_info.json").string();
  if (!info.contains(name) || !info[name].is_object())
    return {{}, place + " has no data set " + name, kNameFile};
  const Json& entry = info[name];
  if (!entry.contains("file_name") || !entry["file_name"].is_string())
    return {{}, "the data set " + name + " is not a local file", kNameFile};
  if (const std::string fault = shape_fault(entry); !fault.empty())
    return {{}, "the data set " + name + " cannot be read as it is: " + fault, kNameFile};
  return data_file((fs::path(folder) / entry["file_name"].get<std::string>()).string());
}

}  // namespace

std::vector<DataFile> dataset_info_files(const std::string& folder, const YamlNode* names) {
  if (names == nullptr) return {};
  const fs::path path = fs::path(folder) / "dataset_info.json";
  if (std::error_code ignored; !fs::exists(path, ignored))
    return {{{},
             path.string() + ", which says what the data sets are, is not here",
             "run this where LLaMA-Factory runs, or --set data.train=FILE.jsonl"}};
  const MappedFile mapped(path);
  const Json info =
      mapped.text().size() > kMostBytes ? Json() : Json::parse(mapped.text(), nullptr, false);
  if (!info.is_object())
    throw Error(ErrorCode::recipe, "this is not a JSON object of data sets", path.string(),
                "repair it, or name the data: --set data.train=FILE.jsonl");
  std::vector<DataFile> files;
  for (const std::string& name : names_of(*names)) files.push_back(file_of(info, folder, name));
  return files;
}

}  // namespace burnish::foreign
