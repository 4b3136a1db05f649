// Names on the hub: repositories, revisions, files, and the URLs that are made of them. All of them
// become paths on disk, so what could leave its folder is refused here.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace burnish {

struct Repository {
  enum class Kind { model, dataset };
  Kind kind = Kind::model;
  std::string name;  ///< org/name, or name alone
  bool operator==(const Repository&) const = default;
};

/// A repository and what of it: a branch, a tag, a commit.
struct HubName {
  Repository repository;
  std::string revision = "main";
};

/// `org/name`, `name`, either with `@revision`: letters, digits, `-`, `_`, `.`, without `--` and
/// `..`, 96 characters at most. @throws Error(usage)
HubName parse_hub_name(std::string_view text, Repository::Kind kind = Repository::Kind::model);

/// The same, for org/name alone and without an exception.
bool is_hub_name(std::string_view text);

/// 40 lower-case hex digits.
bool is_commit(std::string_view text);

/// Branches, tags, `refs/pr/1`, commits. @throws Error(usage)
void check_revision(const std::string& revision);

/// A path in a repository as a server names it. Empty: it is fine; else what is wrong with it
/// (absolute, `..`, control characters, too long, ...).
std::string wrong_in_file_path(std::string_view path);

/// "models--org--name": the folder in the cache.
std::string cache_folder_name(const Repository& repository);
/// The way back; nothing for folders that are none.
std::optional<Repository> repository_of_folder(std::string_view folder_name);

/// ENDPOINT/api/models/org/name
std::string api_url(const std::string& endpoint, const Repository& repository);
/// ENDPOINT/org/name, or ENDPOINT/datasets/org/name: what a browser shows.
std::string page_url(const std::string& endpoint, const Repository& repository);
/// PAGE/resolve/COMMIT/PATH
std::string file_url(const std::string& endpoint, const Repository& repository,
                     const std::string& commit, std::string_view path);
/// All but unreserved characters as %XX; slashes stay with `keep_slashes`.
std::string url_quoted(std::string_view text, bool keep_slashes);

}  // namespace burnish
