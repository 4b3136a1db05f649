// One file of the hub into the cache: resumed, verified, and only then given its name.
#pragma once

#include <functional>
#include <string>

#include "hub/cache.h"
#include "hub/connection.h"

namespace burnish {

/// Bytes gained (on disk, verified or not yet); negative: thrown away. `from_before`: an earlier
/// call had fetched them.
using OnBlobBytes = std::function<void(int64_t bytes, bool from_before)>;

/// Fetches a file's blob unless it is there. Bytes are appended to HASH.incomplete, which a later
/// call takes up where it ends, whatever stopped this one; the blob gets its name once its length
/// and hash are right. One that is wrong is thrown away and fetched once more.
/// @throws Error(io), Error(interrupted)
void download_blob(HubConnection& connection, const RepositoryCache& cache, const HubName& name,
                   const std::string& commit, const RemoteFile& file, const OnBlobBytes& on_bytes);

}  // namespace burnish
