// Whether what a trainer calls a data set is a file that can be read here.
#pragma once

#include <string>

#include "recipe/import/translation.h"

namespace burnish::foreign {

/// A file of JSON lines or Parquet, local or hf://datasets/..., or why it is none and what to do.
struct DataFile {
  std::string path;  ///< empty: refused
  std::string reason, instead;
};

/// A .jsonl or .parquet file is taken by its name; of a .json file the first character must say
/// that it holds lines; anything else is a name on the hub or a format that is not read.
DataFile data_file(const std::string& name);

bool is_folder(const std::string& path);

/// The file of one split in a folder: FOLDER/SPLIT.jsonl.
DataFile data_file_of_split(const std::string& folder, const std::string& split);

/// Files that `data_files` (a text, a list, or a map of splits) gives of what stands in the place
/// of a data set's name: a folder, a reader ("json": files by their own paths), or a hub's name.
std::vector<DataFile> data_files_of(const YamlNode& node, const std::string& name,
                                    const std::string& revision);

/// Puts `sources` as data.train, or refuses with the first reason.
void put_train(Translation& t, const std::vector<DataFile>& files, const std::string& format,
               Keys from);

/// A source of the recipe, its path alone where the format is left to the first line.
Json source_json(const std::string& path, const std::string& format);

}  // namespace burnish::foreign
