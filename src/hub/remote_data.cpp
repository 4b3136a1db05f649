#include "hub/remote_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/log.h"
#include "hub/content_range.h"
#include "hub/listing.h"

namespace burnish {
namespace {

constexpr std::string_view kScheme = "hf://", kDatasets = "datasets/";

[[noreturn]] void refuse_name(std::string_view text, const std::string& what) {
  throw Error(ErrorCode::usage, what, std::string(text.substr(0, 300)),
              "Write hf://datasets/ORG/NAME/PATH or hf://datasets/ORG/NAME@REVISION/PATH");
}

HubContext context_of(const HubSettings& settings) {
  HubContext context{settings};
  context.notice = [](const std::string& text) { log_warning(text); };
  context.go_on = [] { return interrupted() == 0; };
  return context;
}

void refuse_offline(const RemoteDataName& name, const HubSettings& settings) {
  if (settings.offline)
    throw Error(ErrorCode::io, "a stream needs the hub, and HF_HUB_OFFLINE is set", name.text(),
                "Get the file once with burnish hub get " + name.name.repository.name +
                    " --dataset, and name it by its path");
}

RemoteFile find_file(HubConnection& connection, const RemoteDataName& name,
                     const std::string& commit) {
  for (RemoteFile& file : list_files(connection, name.name, commit))
    if (file.path == name.path) return std::move(file);
  throw Error(ErrorCode::io, "the data set has no file `" + name.path + "`", name.text(),
              "Look at its files on " +
                  page_url(connection.context().settings.endpoint, name.name.repository));
}

}  // namespace

std::string RemoteDataName::text() const {
  return std::string(kScheme) + std::string(kDatasets) + name.repository.name + "@" +
         name.revision + "/" + path;
}

bool is_remote_data(std::string_view text) {
  return text.starts_with(kScheme);
}

RemoteDataName parse_remote_data(std::string_view text) {
  std::string_view rest = text;
  if (!is_remote_data(text)) refuse_name(text, "this is no hf:// name");
  rest.remove_prefix(kScheme.size());
  if (!rest.starts_with(kDatasets)) refuse_name(text, "only data sets of the hub are read so");
  rest.remove_prefix(kDatasets.size());
  const size_t slash = rest.find('/');
  const size_t end = slash == rest.npos ? rest.npos : rest.find('/', slash + 1);
  if (end == rest.npos) refuse_name(text, "the name of a file is missing");
  const std::string_view name = rest.substr(0, end);
  if (!is_hub_name(name)) refuse_name(text, "`" + std::string(name) + "` is no name of the hub");
  RemoteDataName remote{parse_hub_name(name, Repository::Kind::dataset),
                        std::string(rest.substr(end + 1))};
  const std::string wrong = wrong_in_file_path(remote.path);
  if (!wrong.empty()) refuse_name(text, "the path of the file cannot be one: " + wrong);
  return remote;
}

std::string pinned_remote_data(const std::string& text, const HubSettings& settings) {
  RemoteDataName name = parse_remote_data(text);
  if (is_commit(name.name.revision)) return text;
  refuse_offline(name, settings);
  const HubContext context = context_of(settings);
  HubConnection connection(context);
  name.name.revision = commit_of_revision(connection, name.name);
  return name.text();
}

RemoteData::RemoteData(const RemoteDataName& name, const HubSettings& settings)
    : context_(context_of(settings)), connection_(context_), name_(name.name) {
  refuse_offline(name, settings);
  const std::string commit =
      is_commit(name_.revision) ? name_.revision : commit_of_revision(connection_, name_);
  file_ = find_file(connection_, name, commit);
  url_ = file_url(settings.endpoint, name_.repository, commit, file_.path);
}

// What of the file is still to come, and why it cannot.
struct RemoteData::Part {
  uint64_t first = 0;
  std::span<std::byte> rest;
  std::string wrong;
  bool begun = false;

  /// The first bytes of an answer.
  void begin(const HttpResponse& response, uint64_t file_size) {
    begun = true;
    if (response.status == 200) {
      if (first > 0) wrong = "the server gives the whole file, not the part that was asked for";
      return;
    }
    const std::string header = response.header("content-range");
    const auto range = content_range(header);
    if (!range || range->first != first || range->size.value_or(file_size) != file_size)
      wrong = "its part is not the one that was asked for (" + header.substr(0, 60) + ")";
  }

  void take(std::span<const std::byte> bytes) {
    const auto taken = bytes.first(std::min(bytes.size(), rest.size()));
    std::copy(taken.begin(), taken.end(), rest.begin());
    rest = rest.subspan(taken.size());
    first += taken.size();
  }
};

void RemoteData::read(uint64_t offset, std::span<std::byte> into) {
  if (offset > file_.size || into.size() > file_.size - offset)
    throw Error(ErrorCode::internal,
                fmt::format("{} bytes at {} of {}", into.size(), offset, file_.size), url_);
  Patience patience(context_);
  Part part{offset, into, {}, false};
  while (!part.rest.empty()) {
    const uint64_t before = part.first;
    const std::string range = fmt::format("bytes={}-{}", before, before + part.rest.size() - 1);
    part.begun = false;
    const auto answer = connection_.get_content(
        url_, range, [&](const HttpResponse& response, std::span<const std::byte> bytes) {
          if (!part.begun) part.begin(response, file_.size);
          if (part.wrong.empty()) part.take(bytes);
          return part.wrong.empty() && !part.rest.empty();
        });
    if (part.rest.empty()) break;
    if (!part.wrong.empty())
      throw Error(ErrorCode::io, part.wrong, url_,
                  "Get the file with burnish hub get --dataset, or look at HF_ENDPOINT");
    const ContentFailure failure = content_failure(answer, url_, name_, context_.settings);
    patience.after_failure(failure.reason, url_, failure.retry_after, part.first - before);
  }
}

}  // namespace burnish
