// Whether what a trainer calls a data set is a file of JSON lines that can be read here.
#pragma once

#include <string>

#include "recipe/import/translation.h"

namespace burnish::foreign {

/// A local file of JSON lines, or why it is none and what to do.
struct DataFile {
  std::string path;  ///< empty: refused
  std::string reason, instead;
};

/// A .jsonl file is taken by its name; of a .json file the first character must say that it holds
/// lines; anything else is a name on the hub or a format that is not read.
DataFile data_file(const std::string& name);

bool is_folder(const std::string& path);

/// The file of one split in a folder: FOLDER/SPLIT.jsonl.
DataFile data_file_of_split(const std::string& folder, const std::string& split);

/// Files that data_files gives (a text or a list), each beside `folder`, the first bad one refused.
std::vector<DataFile> data_files_of(const YamlNode& node, const std::string& folder);

/// Puts `sources` as data.train, or refuses with the first reason.
void put_train(Translation& t, const std::vector<DataFile>& files, const std::string& format,
               Keys from);

/// A source of the recipe, its path alone where the format is left to the first line.
Json source_json(const std::string& path, const std::string& format);

}  // namespace burnish::foreign
