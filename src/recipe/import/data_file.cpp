#include "recipe/import/data_file.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>

#include "recipe/import/source_value.h"

namespace burnish::foreign {
namespace {
namespace fs = std::filesystem;

constexpr const char* kNameFile =
    "write its rows as JSON lines, and name the file: --set data.train=FILE.jsonl";
constexpr const char* kNameRemoteFile = "name a file of it: --set data.train=";

bool has_ending(const fs::path& path, std::initializer_list<const char*> endings) {
  return std::any_of(endings.begin(), endings.end(),
                     [&](const char* ending) { return path.extension() == ending; });
}

std::string remote(const std::string& dataset, const std::string& file) {
  return "hf://datasets/" + dataset + "/" + file;
}

// What datasets.load_dataset takes for a reader of files in the place of a data set's name.
bool is_reader(const std::string& name) {
  return name == "json" || name == "parquet";
}

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
  if (has_ending(name, {".jsonl", ".parquet"})) return {name, {}, {}};
  if (ending == ".json") {
    const char first = first_character(name);
    if (first == '{') return {name, {}, {}};
    if (first == '[') return {{}, name + " is one JSON list; one object a line is read", kNameFile};
    return {{},
            name + " is not here to be looked into: lists and lines both end in .json",
            "run this where the file is, or name JSON lines: --set data.train=FILE.jsonl"};
  }
  if (has_ending(name, {".csv", ".arrow", ".txt", ".gz", ".zst", ".tsv"}))
    return {{}, ending + " files are not read yet", kNameFile};
  return {{},
          name + " is a data set of the hub, whose files are named one by one",
          kNameRemoteFile + remote(name, "FILE.jsonl")};
}

DataFile data_file_of_split(const std::string& folder, const std::string& split) {
  for (const char* ending : {".jsonl", ".json", ".parquet"}) {
    const std::string file = (fs::path(folder) / (split + ending)).string();
    if (std::ifstream(file).good()) return data_file(file);
  }
  return {{}, "the folder " + folder + " has no " + split + ".jsonl", kNameFile};
}

namespace {

void add_files(const YamlNode& node, const std::function<DataFile(const std::string&)>& file_of,
               std::vector<DataFile>& files) {
  if (node.kind == YamlNode::Kind::sequence)
    for (const YamlNode& item : node.items) files.push_back(file_of(text_of(item)));
  else if (node.kind == YamlNode::Kind::map && node.member("train") != nullptr)
    add_files(*node.member("train"), file_of, files);
  else
    files.push_back(file_of(text_of(node)));
}

}  // namespace

std::vector<DataFile> data_files_of(const YamlNode& node, const std::string& name,
                                    const std::string& revision) {
  const bool local = is_reader(name) || is_folder(name);
  const fs::path folder = is_reader(name) ? fs::path() : fs::path(name);
  const std::string pinned = revision.empty() ? name : name + "@" + revision;
  std::vector<DataFile> files;
  add_files(
      node,
      [&](const std::string& file) -> DataFile {
        if (local) return data_file((folder / file).string());
        if (has_ending(file, {".jsonl", ".parquet"}) && file.find('*') == std::string::npos)
          return {remote(pinned, file), {}, {}};
        return {{},
                file + " of the data set " + name + " is not a .jsonl or .parquet file",
                kNameRemoteFile + remote(pinned, "FILE.jsonl")};
      },
      files);
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
