// The tiny llama of tests/data/cases with its tokenizer, as a Hugging Face folder.
#pragma once

#include <filesystem>

namespace burnish::testing_tools {

/// Fills FOLDER, which is made.
inline std::filesystem::path make_tiny_llama(const std::filesystem::path& folder) {
  namespace fs = std::filesystem;
  fs::remove_all(folder);
  fs::create_directories(folder);
  for (const char* part : {"tiny-llama", "tok-bpe"})
    for (const auto& entry :
         fs::directory_iterator(fs::path(BURNISH_TEST_DATA) / "cases" / "shared" / part))
      fs::copy_file(entry.path(), folder / entry.path().filename());
  return folder;
}

}  // namespace burnish::testing_tools
