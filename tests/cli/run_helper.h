// Runs the program as a user would type it.
#pragma once

#include <string>
#include <vector>

namespace burnish {

struct Finished {
  int code = -1;  ///< exit code; 128 + signal if it was killed
  std::string out, err;
};

/// `burnish ARGUMENTS`, with `input` on stdin; stdout and stderr are pipes, no terminal.
Finished run_burnish(const std::vector<std::string>& arguments, const std::string& input = {});

/// A new empty folder.
std::string scratch_folder();

}  // namespace burnish
