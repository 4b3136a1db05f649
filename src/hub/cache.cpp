#include "hub/cache.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <thread>

#include "base/error.h"
#include "base/file.h"

namespace burnish {
namespace fs = std::filesystem;
namespace {

constexpr uintmax_t kLongestRef = 200;
constexpr auto kWait = std::chrono::milliseconds(50);
constexpr int kWaitsUntilSaid = 40;

std::string trimmed(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r' || text.back() == ' '))
    text.pop_back();
  return text;
}

/// Names in a folder, sorted; none where it is not there.
std::vector<std::string> names_in(const fs::path& folder) {
  std::error_code error;
  return list_names(folder, error);
}

/// Calls action(path) for each file and link below a folder, whatever a link points to.
template <class Action>
void for_each_file(const fs::path& folder, const Action& action) {
  std::error_code error;
  for (fs::recursive_directory_iterator it(folder, error), end; !error && it != end;
       it.increment(error))
    if (it->is_symlink() || !it->is_directory()) action(it->path());
}

}  // namespace

RepositoryCache::RepositoryCache(const fs::path& cache, const Repository& repository)
    : folder_(cache / cache_folder_name(repository)),
      locks_(cache / ".locks" / cache_folder_name(repository)) {}

fs::path RepositoryCache::incomplete(const std::string& hash) const {
  return folder_ / "blobs" / (hash + ".incomplete");
}

fs::path RepositoryCache::lock(const std::string& hash) const {
  return locks_ / (hash + ".lock");
}

fs::path RepositoryCache::snapshot(const std::string& commit) const {
  return folder_ / "snapshots" / commit;
}

fs::path RepositoryCache::tree(const std::string& commit) const {
  return folder_ / "trees" / (commit + ".json");
}

std::optional<std::string> RepositoryCache::commit_of(const std::string& revision) const {
  if (is_commit(revision)) return revision;
  const fs::path file = folder_ / "refs" / revision;
  std::error_code error;
  const uintmax_t size = fs::is_regular_file(file, error) ? fs::file_size(file, error) : 0;
  if (error || size == 0 || size > kLongestRef) return std::nullopt;
  const std::string commit = trimmed(read_text_file(file));
  return is_commit(commit) ? std::optional(commit) : std::nullopt;
}

void RepositoryCache::write_ref(const std::string& revision, const std::string& commit) const {
  if (revision == commit || commit_of(revision) == commit) return;
  const fs::path file = folder_ / "refs" / revision;
  make_folder(file.parent_path());
  write_text_file(file, commit);
}

bool RepositoryCache::has(const std::string& commit, const RemoteFile& file) const {
  const fs::path path = snapshot(commit) / file.path;
  std::error_code error;
  return fs::is_regular_file(path, error) && fs::file_size(path, error) == file.size && !error;
}

void RepositoryCache::link(const std::string& commit, const RemoteFile& file) const {
  const fs::path path = snapshot(commit) / file.path;
  make_folder(path.parent_path());
  fs::path target;
  const auto depth = 2 + std::count(file.path.begin(), file.path.end(), '/');
  for (auto i = depth; i > 0; --i) target /= "..";
  target = target / "blobs" / file.hash();
  fs::path aside = path;
  aside += "." + std::to_string(::getpid()) + ".link";
  ::unlink(aside.c_str());
  if (::symlink(target.c_str(), aside.c_str()) != 0) throw_io_error(aside, "make a link");
  rename_durably(aside, path);
}

std::vector<RepositoryCache::Revision> RepositoryCache::revisions() const {
  std::vector<Revision> found;
  for (const std::string& commit : names_in(folder_ / "snapshots")) {
    if (!is_commit(commit)) continue;
    Revision revision{commit, {}, 0, 0, {}};
    for_each_file(snapshot(commit), [&](const fs::path& path) {
      std::error_code error;
      const uintmax_t size = fs::file_size(path, error);
      if (error)
        revision.broken.push_back(path.lexically_relative(snapshot(commit)).string());
      else
        revision.bytes += size;
      ++revision.files;
    });
    for_each_file(folder_ / "refs", [&](const fs::path& path) {
      const std::string name = path.lexically_relative(folder_ / "refs").string();
      if (commit_of(name) == commit) revision.refs.push_back(name);
    });
    std::sort(revision.refs.begin(), revision.refs.end());
    std::sort(revision.broken.begin(), revision.broken.end());
    found.push_back(std::move(revision));
  }
  return found;
}

std::vector<std::string> RepositoryCache::blob_names() const {
  return names_in(folder_ / "blobs");
}

std::vector<Repository> cached_repositories(const fs::path& cache) {
  std::vector<Repository> found;
  for (const std::string& name : names_in(cache))
    if (const auto repository = repository_of_folder(name)) found.push_back(*repository);
  std::stable_sort(found.begin(), found.end(), [](const Repository& a, const Repository& b) {
    return a.kind < b.kind || (a.kind == b.kind && a.name < b.name);
  });
  return found;
}

FileLock::FileLock(const fs::path& path, const HubContext& context) {
  make_folder(path.parent_path());
  descriptor_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0664);
  if (descriptor_ < 0) throw_io_error(path, "open");
  int waits = 0;
  while (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
    // a file system without locks: the size and the hash of what was written tell a mix-up
    if (errno != EWOULDBLOCK && errno != EINTR) return;
    if (++waits == kWaitsUntilSaid)
      context.notice(path.stem().string() + " is being fetched by somebody else: waiting");
    std::this_thread::sleep_for(kWait);
    if (!context.go_on()) {
      ::close(descriptor_);
      check_go_on(context, path.string());
    }
  }
}

FileLock::~FileLock() {
  ::close(descriptor_);  // which unlocks it
}

}  // namespace burnish
