#include "hub/listing.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>

#include "base/error.h"
#include "base/file.h"
#include "format/json.h"
#include "hub/content_hash.h"

namespace burnish {
namespace fs = std::filesystem;
namespace {

using Json = nlohmann::json;

constexpr size_t kLongestAnswer = 32 << 20;  // a page of 1,000 files is some 300 KB
constexpr size_t kMostFiles = 200'000;
constexpr int kMostPages = 1000;
constexpr uint64_t kLargestFile = uint64_t{1} << 44;
constexpr size_t kGitDigits = hex_digits(kGitHash), kLfsDigits = hex_digits(kLfsHash);
constexpr int kFormatVersion = 1;

[[noreturn]] void refuse(const std::string& what, const std::string& where) {
  throw Error(ErrorCode::model, what, where,
              "Nothing of it was fetched: it is not what a hub answers");
}

const Json* value_at(const Json& object, const char* key) {
  const auto found = object.is_object() ? object.find(key) : object.end();
  return found == object.end() || found->is_null() ? nullptr : &*found;
}

std::string hash_at(const Json& object, const char* key, size_t digits, const std::string& where) {
  const Json* value = value_at(object, key);
  const std::string text = value != nullptr && value->is_string() ? value->get<std::string>() : "";
  if (text.size() != digits || !is_content_name(text))
    refuse(fmt::format("`{}` must be {} hex digits, not {}", key, digits,
                       value == nullptr ? "missing" : value_text(*value)),
           where);
  return text;
}

uint64_t size_at(const Json& object, const std::string& where) {
  const Json* value = value_at(object, "size");
  if (value == nullptr || !value->is_number_unsigned() || value->get<uint64_t>() > kLargestFile)
    refuse("`size` must be a number of bytes up to 16 TiB, not " +
               (value == nullptr ? "missing" : value_text(*value)),
           where);
  return value->get<uint64_t>();
}

void check_path(const Json& path, const std::string& where) {
  const std::string wrong =
      path.is_string() ? wrong_in_file_path(path.get<std::string>()) : "it is no text";
  if (!wrong.empty())
    refuse("the list names a file " + value_text(path) + " and cannot be trusted: " + wrong, where);
}

RemoteFile file_of_answer(const Json& entry, const std::string& where) {
  RemoteFile file;
  const Json* path = value_at(entry, "path");
  check_path(path == nullptr ? Json() : *path, where);
  file.path = path->get<std::string>();
  file.size = size_at(entry, where);
  file.git_sha1 = hash_at(entry, "oid", kGitDigits, where);
  if (const Json* lfs = value_at(entry, "lfs")) {
    file.sha256 = hash_at(*lfs, "oid", kLfsDigits, where);
    file.size = size_at(*lfs, where);
  }
  return file;
}

// <URL>; rel="next"
std::string next_page(const HttpResponse& response) {
  const std::string link = response.header("link");
  for (size_t begin = link.find('<'); begin != link.npos; begin = link.find('<', begin + 1)) {
    const size_t end = link.find('>', begin);
    if (end == link.npos) break;
    const size_t next = std::min(link.find('<', end), link.size());
    if (link.substr(end, next - end).find("rel=\"next\"") != link.npos)
      return link.substr(begin + 1, end - begin - 1);
  }
  return {};
}

}  // namespace

std::string commit_of_revision(HubConnection& connection, const HubName& name, int tries) {
  const std::string& endpoint = connection.context().settings.endpoint;
  const std::string url = api_url(endpoint, name.repository) + "/revision/" +
                          url_quoted(name.revision, false) + "?expand=sha";
  const auto answer = connection.read(url, kLongestAnswer, name, tries);
  return hash_at(parse_json_object(answer.body, url, RepeatedKeys::last_wins), "sha", kGitDigits,
                 url);
}

std::vector<RemoteFile> list_files(HubConnection& connection, const HubName& name,
                                   const std::string& commit) {
  const std::string& endpoint = connection.context().settings.endpoint;
  std::string url = api_url(endpoint, name.repository) + "/tree/" + commit + "?recursive=true";
  std::vector<RemoteFile> files;
  std::set<std::string> seen;
  for (int page = 0; !url.empty(); ++page) {
    const auto answer = connection.read(url, kLongestAnswer, name);
    // the answer is a list; the parser that looks at depth and keys takes objects
    const Json whole = parse_json_object("{\"files\":" + answer.body + "\n}", url);
    const Json* entries = value_at(whole, "files");
    if (entries == nullptr || !entries->is_array() || whole.size() != 1)
      refuse("a list of files is needed", url);
    for (const Json& entry : *entries) {
      const Json* type = value_at(entry, "type");
      if (type == nullptr || *type != "file") continue;  // folders
      files.push_back(file_of_answer(entry, url));
      if (!seen.insert(files.back().path).second)
        refuse("the list names " + files.back().path + " twice", url);
    }
    if (files.size() > kMostFiles || page >= kMostPages)
      refuse(fmt::format("the list is longer than {} files", kMostFiles), url);
    url = next_page(answer.response);
  }
  return files;
}

std::optional<std::vector<RemoteFile>> cached_list(const RepositoryCache& cache,
                                                   const std::string& commit) {
  const fs::path file = cache.tree(commit);
  std::error_code error;
  if (!fs::is_regular_file(file, error)) return std::nullopt;
  try {
    const Json tree = parse_json_object(read_text_file(file), file.string());
    const Json* version = value_at(tree, "format_version");
    const Json* entries = value_at(tree, "files");
    if (version == nullptr || *version != kFormatVersion || entries == nullptr) return std::nullopt;
    std::vector<RemoteFile> files;
    for (const auto& [path, entry] : entries->items()) {
      check_path(path, file.string());
      RemoteFile remote{path,
                        size_at(entry, file.string()),
                        hash_at(entry, "blob_id", kGitDigits, file.string()),
                        {}};
      if (value_at(entry, "lfs_sha256") != nullptr)
        remote.sha256 = hash_at(entry, "lfs_sha256", kLfsDigits, file.string());
      files.push_back(std::move(remote));
    }
    return files;
  } catch (const Error&) {  // of another tool, or cut: it is asked for again
    return std::nullopt;
  }
}

void keep_list(const RepositoryCache& cache, const std::string& commit,
               const std::vector<RemoteFile>& files) {
  Json entries = Json::object();
  for (const RemoteFile& file : files) {
    Json entry = {{"size", file.size}, {"blob_id", file.git_sha1}};
    if (!file.sha256.empty()) {
      entry["lfs_sha256"] = file.sha256;
      entry["lfs_size"] = file.size;
    }
    entries[file.path] = std::move(entry);
  }
  const Json tree = {{"format_version", kFormatVersion}, {"files", std::move(entries)}};
  make_folder(cache.tree(commit).parent_path());
  write_text_file(cache.tree(commit), tree.dump(1) + "\n");
}

}  // namespace burnish
