// The cache of hub files, laid out as huggingface_hub does, so that both find each other's files:
//   models--org--name/blobs/HASH              contents, named by their hash; HASH.incomplete
//   models--org--name/snapshots/COMMIT/PATH   links to ../../blobs/HASH
//   models--org--name/refs/REVISION           the commit that a branch or tag stood for
//   models--org--name/trees/COMMIT.json       what the repository holds at that commit
//   .locks/models--org--name/HASH.lock        held while a blob is fetched (flock)
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "hub/names.h"
#include "hub/patience.h"
#include "hub/remote_file.h"

namespace burnish {

class RepositoryCache {
 public:
  RepositoryCache(const std::filesystem::path& cache, const Repository& repository);

  const std::filesystem::path& folder() const { return folder_; }
  std::filesystem::path blob(const std::string& hash) const { return folder_ / "blobs" / hash; }
  std::filesystem::path incomplete(const std::string& hash) const;
  std::filesystem::path lock(const std::string& hash) const;
  std::filesystem::path snapshot(const std::string& commit) const;
  std::filesystem::path tree(const std::string& commit) const;

  /// The commit that refs/REVISION holds; a commit stands for itself. Nothing: not cached.
  std::optional<std::string> commit_of(const std::string& revision) const;
  void write_ref(const std::string& revision, const std::string& commit) const;

  /// Whether the snapshot has the file, with its size.
  bool has(const std::string& commit, const RemoteFile& file) const;
  /// Links the snapshot's file to its blob, which is there. In one step: never half a snapshot
  /// file.
  void link(const std::string& commit, const RemoteFile& file) const;

  struct Revision {
    std::string commit;
    std::vector<std::string> refs;  ///< branches and tags that stood for it
    int64_t files = 0;
    uint64_t bytes = 0;
    std::vector<std::string> broken;  ///< paths whose blob is gone
  };
  /// Every snapshot, sorted by commit.
  std::vector<Revision> revisions() const;
  /// Names of all files in blobs/, sorted; unfinished ones (.incomplete) too.
  std::vector<std::string> blob_names() const;

 private:
  std::filesystem::path folder_, locks_;
};

/// Repositories that the cache holds, models first, by name.
std::vector<Repository> cached_repositories(const std::filesystem::path& cache);

/// Keeps other processes (huggingface_hub's too) from fetching the same blob; waits for them.
class FileLock {
 public:
  /// @throws Error(io); Error(interrupted) while it waits
  FileLock(const std::filesystem::path& path, const HubContext& context);
  ~FileLock();
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  int descriptor_ = -1;
};

}  // namespace burnish
