// A file of a repository, as the hub lists it.
#pragma once

#include <cstdint>
#include <string>

namespace burnish {

struct RemoteFile {
  std::string path;  ///< checked: stays in its folder
  uint64_t size = 0;
  std::string git_sha1;  ///< of the file, or of its pointer where LFS stores it
  std::string sha256;    ///< of a file that LFS stores; else empty

  /// The name of its blob in the cache: the hash of its content.
  const std::string& hash() const { return sha256.empty() ? git_sha1 : sha256; }
};

}  // namespace burnish
