#include "hub/snapshot.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <optional>
#include <thread>

#include "base/error.h"
#include "base/file.h"
#include "base/interrupt.h"
#include "base/readable.h"
#include "hub/cache.h"
#include "hub/connection.h"
#include "hub/download.h"
#include "hub/fetch_display.h"
#include "hub/listing.h"

namespace burnish {
namespace fs = std::filesystem;
namespace {

constexpr auto kRedraw = std::chrono::milliseconds(200);

std::string some_of(const std::vector<RemoteFile>& files) {
  constexpr size_t kShown = 3;
  std::string text;
  for (size_t i = 0; i < std::min(files.size(), kShown); ++i)
    text += (i == 0 ? "" : ", ") + files[i].path;
  return files.size() > kShown ? text + ", ..." : text;
}

class SnapshotFetch {
 public:
  SnapshotFetch(const SnapshotRequest& request, const HubSettings& settings)
      : request_(request),
        cache_(settings.cache, request.name.repository),
        display_(request.name.repository.name),
        context_{settings},
        offline_(settings.offline) {
    context_.notice = [this](const std::string& text) { display_.notice(text); };
    context_.go_on = [this] { return interrupted() == 0 && !failed_; };
  }

  Snapshot run() {
    const std::string commit = find_commit();
    const auto list = find_list(commit);
    if (!list) return as_it_is(commit);
    std::vector<RemoteFile> files =
        select_files(*list, request_.wanted, request_.include, request_.name.repository);
    fetch(commit, missing(commit, files));
    if (!offline_) cache_.write_ref(request_.name.revision, commit);
    Snapshot snapshot{commit, cache_.snapshot(commit), {}, 0};
    for (RemoteFile& file : files) {
      snapshot.bytes += file.size;
      snapshot.files.push_back(std::move(file.path));
    }
    return snapshot;
  }

 private:
  std::string shown_name() const {
    return request_.name.repository.name + "@" + request_.name.revision;
  }

  [[noreturn]] void refuse_not_cached(const std::string& what) const {
    const bool dataset = request_.name.repository.kind == Repository::Kind::dataset;
    throw Error(ErrorCode::io, what + ", and this is offline", shown_name(),
                "Get it where there is a network, without HF_HUB_OFFLINE: burnish hub get " +
                    shown_name() + (dataset ? " --dataset" : ""));
  }

  HubConnection& connection() {
    if (!connection_) connection_.emplace(context_);
    return *connection_;
  }

  std::string find_commit() {
    const HubName& name = request_.name;
    if (is_commit(name.revision)) return name.revision;
    const auto cached = cache_.commit_of(name.revision);
    if (!offline_) {
      try {
        return commit_of_revision(connection(), name, cached ? 1 : Patience::kTries);
      } catch (const NoAnswer& error) {
        if (!cached) throw;
        offline_ = true;
        display_.notice(
            fmt::format("the hub does not answer ({}): {} is taken as it is in the "
                        "cache, commit {}",
                        error.fact(), shown_name(), *cached));
      }
    }
    if (!cached) refuse_not_cached("the cache does not have it");
    return *cached;
  }

  std::optional<std::vector<RemoteFile>> find_list(const std::string& commit) {
    auto list = cached_list(cache_, commit);
    if (list || offline_) return list;
    list = list_files(connection(), request_.name, commit);
    keep_list(cache_, commit, *list);
    return list;
  }

  // Offline, in a cache that other tools filled: nobody knows what is missing.
  Snapshot as_it_is(const std::string& commit) const {
    for (const auto& revision : cache_.revisions())
      if (revision.commit == commit && revision.files > 0)
        return {commit, cache_.snapshot(commit), {}, revision.bytes};
    refuse_not_cached("the cache does not have commit " + commit);
  }

  std::vector<RemoteFile> missing(const std::string& commit,
                                  const std::vector<RemoteFile>& files) const {
    std::vector<RemoteFile> found;
    for (const RemoteFile& file : files)
      if (!cache_.has(commit, file)) found.push_back(file);
    if (!found.empty() && offline_)
      refuse_not_cached(fmt::format("{} of {} files are not in the cache ({})", found.size(),
                                    files.size(), some_of(found)));
    // the longest first: none of them is left alone at the end
    std::stable_sort(found.begin(), found.end(),
                     [](const RemoteFile& a, const RemoteFile& b) { return a.size > b.size; });
    return found;
  }

  void check_space(uint64_t bytes) const {
    make_folder(cache_.folder());
    std::error_code error;
    const fs::space_info space = fs::space(cache_.folder(), error);
    if (!error && space.available < bytes)
      throw Error(ErrorCode::io,
                  fmt::format("{} are needed, and {} are free", size_text(bytes),
                              size_text(space.available)),
                  cache_.folder().string(), "Free some space, or set HF_HOME to another disk");
  }

  void fetch(const std::string& commit, const std::vector<RemoteFile>& files) {
    if (files.empty()) return;
    uint64_t bytes = 0;
    for (const RemoteFile& file : files) bytes += file.size;
    check_space(bytes);
    display_.begin(bytes);
    std::atomic<size_t> next = 0;
    std::atomic<int> working = 0;
    std::exception_ptr first_error;
    std::mutex mutex;
    const auto work = [&] {
      try {
        HubConnection own(context_);
        for (size_t i = next++; i < files.size(); i = next++) {
          const auto on_bytes = [&](int64_t count, bool from_before) {
            display_.add(count, from_before);
          };
          download_blob(own, cache_, request_.name, commit, files[i], on_bytes);
          cache_.link(commit, files[i]);
        }
      } catch (...) {
        const std::scoped_lock lock(mutex);
        if (!first_error) first_error = std::current_exception();
        failed_ = true;  // the others stop
      }
      --working;
    };
    std::vector<std::jthread> workers;
    working = std::min<int>(context_.settings.connections, static_cast<int>(files.size()));
    for (int i = working; i > 0; --i) workers.emplace_back(work);
    for (auto drawn = std::chrono::steady_clock::now(); working > 0;) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      if (std::chrono::steady_clock::now() - drawn < kRedraw) continue;
      drawn = std::chrono::steady_clock::now();
      display_.draw();
    }
    workers.clear();
    if (first_error) std::rethrow_exception(first_error);
  }

  const SnapshotRequest& request_;
  RepositoryCache cache_;
  FetchDisplay display_;
  HubContext context_;
  std::atomic<bool> failed_ = false;
  bool offline_;
  std::optional<HubConnection> connection_;
};

}  // namespace

Snapshot fetch_snapshot(const SnapshotRequest& request, const HubSettings& settings) {
  return SnapshotFetch(request, settings).run();
}

}  // namespace burnish
