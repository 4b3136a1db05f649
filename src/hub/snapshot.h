// A revision of a repository on disk: found in the cache, or fetched into it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "hub/names.h"
#include "hub/selection.h"
#include "hub/settings.h"

namespace burnish {

struct SnapshotRequest {
  HubName name;
  Wanted wanted = Wanted::model;
  std::vector<std::string> include = {};  ///< patterns, in place of `wanted`
};

struct Snapshot {
  std::string commit;
  std::filesystem::path folder;  ///< the files, as links into the cache
  std::vector<std::string> files;
  uint64_t bytes = 0;
};

/// Asks the hub which commit the revision is, fetches what the cache lacks, several files at a
/// time, and only then lets the revision stand for that commit. A commit whose files are all there
/// needs no network. Offline, or where the hub does not answer, the cache alone serves. Progress
/// and notices go to stderr.
/// @throws Error(io), Error(model) where the repository has nothing of what is wanted,
/// Error(interrupted) after Ctrl-C where that is watched for: the next call goes on from there
Snapshot fetch_snapshot(const SnapshotRequest& request, const HubSettings& settings);

}  // namespace burnish
