// dataset_info.json: where LLaMA-Factory's data sets are, and how their rows look.
#pragma once

#include <string>
#include <vector>

#include "recipe/import/data_file.h"

namespace burnish::foreign {

/// The files of the data sets that `names` lists (a list, or a text with commas; nullptr: none),
/// looked up in FOLDER/dataset_info.json. A set whose rows are not `messages` of role and content,
/// or that is no local file, has a reason in place of a path.
std::vector<DataFile> dataset_info_files(const std::string& folder, const YamlNode* names);

}  // namespace burnish::foreign
