#include "hub/download.h"

#include <fmt/format.h>

#include <optional>

#include "base/error.h"
#include "base/file.h"
#include "hub/content_hash.h"
#include "hub/content_range.h"

namespace burnish {
namespace fs = std::filesystem;
namespace {

/// What stands in blobs/HASH.incomplete, and how it grows. `wrong` says why it cannot become the
/// file any more.
class PartialBlob {
 public:
  PartialBlob(const RemoteFile& file, const fs::path& path, const OnBlobBytes& on_bytes,
              const HubContext& context)
      : file_(file),
        path_(path),
        on_bytes_(on_bytes),
        hash_(begin_content_hash(file.hash(), file.size)) {
    std::error_code error;
    const uintmax_t there = fs::file_size(path, error);
    if (error) return;
    if (there > file.size)
      discard();
    else
      hash_what_is_there(context);
  }

  uint64_t size() const { return size_; }
  bool is_whole() const { return size_ == file_.size; }
  const std::string& wrong() const { return wrong_; }
  void set_wrong(std::string reason) { wrong_ = std::move(reason); }

  /// The first bytes of an answer: does it go on where this ends? 200 begins again.
  bool begin(const HttpResponse& response) {
    if (response.status == 206) {
      const auto range = content_range(response.header("content-range"));
      if (!range || range->first != size_ || range->size.value_or(file_.size) != file_.size)
        return refuse("its part is not the one that was asked for (" +
                      response.header("content-range").substr(0, 60) + ")");
    } else {
      const auto length = whole_number(response.header("content-length"));
      if (length && *length != file_.size)
        return refuse(fmt::format("it has {} bytes, not {}", *length, file_.size));
      discard();
    }
    output_.emplace(path_);
    return true;
  }

  bool append(std::span<const std::byte> bytes) {
    if (bytes.size() > file_.size - size_)
      return refuse(fmt::format("it is longer than its {} bytes", file_.size));
    output_->write(bytes);
    hash_.update(bytes);
    size_ += bytes.size();
    on_bytes_(static_cast<int64_t>(bytes.size()), false);
    return true;
  }

  void end_answer() { output_.reset(); }

  void discard() {
    output_.reset();
    std::error_code ignored;
    fs::remove(path_, ignored);
    on_bytes_(-static_cast<int64_t>(size_), false);
    size_ = 0;
    hash_ = begin_content_hash(file_.hash(), file_.size);
  }

  /// Gives it its name, or says what is wrong.
  std::string finish(const fs::path& blob) {
    const std::string hash = hash_.hex();
    if (hash != file_.hash()) return fmt::format("its hash is {}, not {}", hash, file_.hash());
    if (size_ == 0) AppendFile create(path_);
    std::error_code error;
    if (fs::file_size(path_, error) != file_.size) return "somebody else wrote to it";
    AppendFile(path_).sync();
    rename_durably(path_, blob);
    return {};
  }

 private:
  bool refuse(std::string reason) {
    wrong_ = std::move(reason);
    return false;
  }

  void hash_what_is_there(const HubContext& context) {
    size_ = update_from_file(hash_, path_, [&] {
      check_go_on(context, path_.string());
      return true;
    });
    on_bytes_(static_cast<int64_t>(size_), true);
  }

  const RemoteFile& file_;
  fs::path path_;
  const OnBlobBytes& on_bytes_;
  Hash hash_;
  uint64_t size_ = 0;
  std::optional<AppendFile> output_;
  std::string wrong_;
};

struct Download {
  HubConnection& connection;
  const HubName& name;
  std::string url;

  /// One request from where the blob ends; why it did not bring the rest, if another may.
  std::optional<ContentFailure> request(PartialBlob& blob) const {
    const std::string range = blob.size() == 0 ? "" : fmt::format("bytes={}-", blob.size());
    bool begun = false;
    const auto answer = connection.get_content(
        url, range, [&](const HttpResponse& response, std::span<const std::byte> bytes) {
          if (!begun && !blob.begin(response)) return false;
          begun = true;
          return blob.append(bytes);
        });
    blob.end_answer();
    if (blob.is_whole() || !blob.wrong().empty()) return std::nullopt;
    const HttpResponse& response = answer.outcome.response;
    const bool is_whole_answer = answer.outcome.end == HttpOutcome::End::whole;
    if (response.status == 416)
      blob.set_wrong("the server has no byte " + std::to_string(blob.size()));
    else if (response.status == 200 && is_whole_answer &&
             !response.header("content-length").empty())
      blob.set_wrong(fmt::format("it ends after {} bytes", blob.size()));
    else
      return content_failure(answer, url, name, connection.context().settings);
    return std::nullopt;
  }

  /// Until all bytes are there or what is there cannot be right.
  void fill(PartialBlob& blob) const {
    Patience patience(connection.context());
    while (!blob.is_whole() && blob.wrong().empty()) {
      const uint64_t before = blob.size();
      const auto failure = request(blob);
      if (!failure) continue;
      const uint64_t brought = blob.size() > before ? blob.size() - before : 0;
      patience.after_failure(failure->reason, url, failure->retry_after, brought);
    }
  }
};

}  // namespace

void download_blob(HubConnection& connection, const RepositoryCache& cache, const HubName& name,
                   const std::string& commit, const RemoteFile& file, const OnBlobBytes& on_bytes) {
  const fs::path blob = cache.blob(file.hash()), partial = cache.incomplete(file.hash());
  const HubContext& context = connection.context();
  const auto is_there = [&] {
    std::error_code error;
    return fs::is_regular_file(blob, error) && fs::file_size(blob, error) == file.size;
  };
  make_folder(blob.parent_path());
  const FileLock lock(cache.lock(file.hash()), context);
  if (is_there()) return on_bytes(static_cast<int64_t>(file.size), true);
  const Download download{connection, name,
                          file_url(context.settings.endpoint, name.repository, commit, file.path)};
  for (bool again = false;; again = true) {
    PartialBlob content(file, partial, on_bytes, context);
    download.fill(content);
    std::string wrong = content.wrong();
    if (wrong.empty()) wrong = content.finish(blob);
    if (wrong.empty()) return;
    content.discard();
    if (again)
      throw Error(ErrorCode::io, "the file is not what the hub lists: " + wrong, download.url,
                  "It was thrown away, twice; try again later, or another network or HF_ENDPOINT");
    context.notice(download.url + ": " + wrong + "; it is thrown away and fetched once more");
  }
}

}  // namespace burnish
