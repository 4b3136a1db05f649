#include "hub/verify.h"

#include "base/error.h"
#include "hub/cache.h"
#include "hub/content_hash.h"
#include "hub/listing.h"

namespace burnish {
namespace fs = std::filesystem;
namespace {

void check_blob(const fs::path& blob, Verification& found, const std::function<bool()>& go_on) {
  std::error_code error;
  const uintmax_t size = fs::file_size(blob, error);
  ++found.files;
  if (error) {
    found.broken.push_back({blob, error.message()});
    return;
  }
  found.bytes += size;
  try {
    const std::string name = content_name_of_file(blob, blob.filename().string(), go_on);
    if (name != blob.filename()) found.broken.push_back({blob, "its content has the hash " + name});
  } catch (const Error& reason) {
    if (reason.code() == ErrorCode::interrupted) throw;
    found.broken.push_back({blob, reason.fact()});
  }
}

void check_links(const RepositoryCache& cache, const RepositoryCache::Revision& revision,
                 Verification& found) {
  const fs::path folder = cache.snapshot(revision.commit);
  for (const std::string& path : revision.broken)
    found.broken.push_back({folder / path, "its blob is gone"});
  const auto list = cached_list(cache, revision.commit);
  if (!list) return;
  for (const RemoteFile& file : *list) {
    std::error_code error;
    const fs::path target = fs::read_symlink(folder / file.path, error);
    if (!error && target.filename() != file.hash())
      found.broken.push_back(
          {folder / file.path, "it is not the file that the hub listed, " + file.hash()});
  }
}

}  // namespace

Verification verify_repository(const fs::path& cache, const Repository& repository,
                               const std::function<void(const fs::path&)>& on_file,
                               const std::function<bool()>& go_on) {
  const RepositoryCache held(cache, repository);
  Verification found;
  for (const std::string& name : held.blob_names()) {
    if (name.ends_with(".incomplete")) {
      ++found.unfinished;
    } else if (!is_content_name(name)) {
      ++found.unknown;
    } else {
      on_file(held.blob(name));
      check_blob(held.blob(name), found, go_on);
    }
  }
  for (const auto& revision : held.revisions()) check_links(held, revision, found);
  return found;
}

}  // namespace burnish
