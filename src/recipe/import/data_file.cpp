#include "recipe/import/data_file.h"

#include <filesystem>
#include <fstream>

#include "recipe/import/source_value.h"

namespace burnish::foreign {
namespace {
namespace fs = std::filesystem;

constexpr const char* kNameFile =
    "write its rows as JSON lines, and name the file: --set data.train=FILE.jsonl";

/// The first character of a file that is no white space; 0 for none.
char first_character(const std::string& path) {
  std::ifstream file(path);
  char c = 0;
  return file >> c ? c : '\0';
}

}  // namespace

bool is_folder(const std::string& path) {
  std::error_code ignored;  // a name too long for a path is no folder
  return fs::is_directory(path, ignored);
}

DataFile data_file(const std::string& name) {
  const std::string ending = fs::path(name).extension().string();
  if (ending == ".jsonl") return {name, {}, {}};
  if (ending == ".json") {
    const char first = first_character(name);
    if (first == '{') return {name, {}, {}};
    if (first == '[') return {{}, name + " is one JSON list; one object a line is read", kNameFile};
    return {{},
            name + " is not here to be looked into: lists and lines both end in .json",
            "run this where the file is, or name JSON lines: --set data.train=FILE.jsonl"};
  }
  for (const char* other : {".parquet", ".csv", ".arrow", ".txt", ".gz", ".zst", ".tsv"})
    if (ending == other) return {{}, ending + " files are not read yet", kNameFile};
  return {{}, "data sets of the hub are not loaded by name yet (" + name + ")", kNameFile};
}

DataFile data_file_of_split(const std::string& folder, const std::string& split) {
  for (const char* ending : {".jsonl", ".json"}) {
    const std::string file = (fs::path(folder) / (split + ending)).string();
    if (std::ifstream(file).good()) return data_file(file);
  }
  return {{}, "the folder " + folder + " has no " + split + ".jsonl", kNameFile};
}

std::vector<DataFile> data_files_of(const YamlNode& node, const std::string& folder) {
  std::vector<DataFile> files;
  const auto add = [&](const YamlNode& item) {
    files.push_back(data_file((fs::path(folder) / text_of(item)).string()));
  };
  if (node.kind == YamlNode::Kind::sequence)
    for (const YamlNode& item : node.items) add(item);
  else if (node.kind == YamlNode::Kind::map && node.member("train") != nullptr)
    return data_files_of(*node.member("train"), folder);
  else
    add(node);
  return files;
}

Json source_json(const std::string& path, const std::string& format) {
  if (format == "auto") return path;
  return Json{{"source", path}, {"format", format}};
}

void put_train(Translation& t, const std::vector<DataFile>& files, const std::string& format,
               Keys from) {
  Json sources = Json::array();
  for (const DataFile& file : files) {
    if (file.path.empty()) return t.refuse(from, file.reason, file.instead, "data.train");
    sources.push_back(source_json(file.path, format));
  }
  if (sources.empty()) return t.refuse(from, "no data is named", kNameFile, "data.train");
  t.put("data.train", sources, from);
}

}  // namespace burnish::foreign
