// What a revision is: its commit, and the files of that commit with sizes and hashes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hub/cache.h"
#include "hub/connection.h"
#include "hub/remote_file.h"

namespace burnish {

/// Asks the hub (GET /api/KIND/NAME/revision/REVISION).
/// @param tries  1 where the cache can answer in its place
std::string commit_of_revision(HubConnection& connection, const HubName& name,
                               int tries = Patience::kTries);

/// Asks the hub (GET /api/KIND/NAME/tree/COMMIT, page by page). Nothing in the answer is trusted:
/// paths that leave their folder, sizes and hashes that are none, too many files are refused.
/// @throws Error(io), Error(model) for an answer that is no such list
std::vector<RemoteFile> list_files(HubConnection& connection, const HubName& name,
                                   const std::string& commit);

/// The list that the cache keeps; a commit never changes. Nothing: none, or none that can be read.
std::optional<std::vector<RemoteFile>> cached_list(const RepositoryCache& cache,
                                                   const std::string& commit);
void keep_list(const RepositoryCache& cache, const std::string& commit,
               const std::vector<RemoteFile>& files);

}  // namespace burnish
