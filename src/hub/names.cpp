#include "hub/names.h"

#include <algorithm>
#include <cctype>

#include "base/error.h"
#include "format/utf8.h"

namespace burnish {
namespace {

constexpr size_t kLongestName = 96, kLongestRevision = 200;
constexpr size_t kLongestPath = 1024, kLongestPart = 250;
constexpr std::string_view kModels = "models", kDatasets = "datasets", kSeparator = "--";

bool is_alphanumeric(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0;
}

bool is_name_character(char c) {
  return is_alphanumeric(c) || c == '-' || c == '_' || c == '.';
}

bool is_name_part(std::string_view part) {
  return !part.empty() && std::all_of(part.begin(), part.end(), is_name_character) &&
         part.front() != '-' && part.front() != '.' && part.back() != '-' && part.back() != '.';
}

bool is_repository_name(std::string_view name) {
  if (name.size() > kLongestName || name.find("--") != name.npos || name.find("..") != name.npos ||
      name.ends_with(".git"))
    return false;
  const size_t slash = name.find('/');
  if (slash == name.npos) return is_name_part(name);
  return is_name_part(name.substr(0, slash)) && is_name_part(name.substr(slash + 1));
}

// As git: no part that is empty or begins with a dot, nothing that a shell or a URL would read.
bool is_revision(std::string_view text) {
  if (text.empty() || text.size() > kLongestRevision || text.find("..") != text.npos ||
      text.front() == '-')
    return false;
  char before = '/';
  for (const char c : text) {
    const bool plain = is_alphanumeric(c) || std::string_view("-_./+").find(c) != std::string::npos;
    if (!plain || (before == '/' && (c == '/' || c == '.'))) return false;
    before = c;
  }
  return before != '/' && before != '.' && !text.ends_with(".lock");
}

std::string_view plural(Repository::Kind kind) {
  return kind == Repository::Kind::model ? kModels : kDatasets;
}

}  // namespace

HubName parse_hub_name(std::string_view text, Repository::Kind kind) {
  const size_t at = text.find('@');
  HubName name{{kind, std::string(text.substr(0, at))}};
  if (!is_repository_name(name.repository.name))
    throw Error(ErrorCode::usage, "this is no name of the hub", std::string(text.substr(0, 200)),
                "Write org/name or org/name@revision");
  if (at != text.npos) {
    name.revision = text.substr(at + 1);
    check_revision(name.revision);
  }
  return name;
}

bool is_hub_name(std::string_view text) {
  const size_t at = text.find('@');
  const std::string_view name = text.substr(0, at);
  return name.find('/') != name.npos && is_repository_name(name) &&
         (at == text.npos || is_revision(text.substr(at + 1)));
}

bool is_commit(std::string_view text) {
  return text.size() == 40 && text.find_first_not_of("0123456789abcdef") == text.npos;
}

void check_revision(const std::string& revision) {
  if (!is_revision(revision))
    throw Error(ErrorCode::usage, "`" + revision.substr(0, 200) + "` is no revision", "revision",
                "Name a branch, a tag or a commit: main, v1.0, refs/pr/1");
}

std::string wrong_in_file_path(std::string_view path) {
  if (path.empty()) return "it is empty";
  if (path.size() > kLongestPath) return "it is longer than 1,024 bytes";
  if (!is_utf8(path)) return "it is not UTF-8";
  const auto control = [](unsigned char c) { return c < ' ' || c == 0x7F || c == '\\'; };
  if (std::any_of(path.begin(), path.end(), control))
    return "it holds a control character or a backslash";
  for (size_t begin = 0; begin <= path.size();) {
    const size_t end = std::min(path.find('/', begin), path.size());
    const std::string_view part = path.substr(begin, end - begin);
    if (part.empty()) return path.front() == '/' ? "it is absolute" : "a part of it is empty";
    if (part == "." || part == "..") return "it leaves its folder";
    if (part.size() > kLongestPart) return "a part of it is longer than 250 bytes";
    begin = end + 1;
  }
  return {};
}

std::string cache_folder_name(const Repository& repository) {
  std::string name = std::string(plural(repository.kind)) + "--" + repository.name;
  const size_t slash = name.find('/');
  if (slash != name.npos) name.replace(slash, 1, kSeparator);
  return name;
}

std::optional<Repository> repository_of_folder(std::string_view folder_name) {
  for (const auto kind : {Repository::Kind::model, Repository::Kind::dataset}) {
    const std::string prefix = std::string(plural(kind)) + "--";
    if (!folder_name.starts_with(prefix)) continue;
    std::string name(folder_name.substr(prefix.size()));
    const size_t separator = name.find(kSeparator);
    if (separator != name.npos) name.replace(separator, kSeparator.size(), "/");
    if (is_repository_name(name)) return Repository{kind, name};
  }
  return std::nullopt;
}

std::string api_url(const std::string& endpoint, const Repository& repository) {
  return endpoint + "/api/" + std::string(plural(repository.kind)) + "/" + repository.name;
}

std::string page_url(const std::string& endpoint, const Repository& repository) {
  const bool dataset = repository.kind == Repository::Kind::dataset;
  return endpoint + (dataset ? "/datasets/" : "/") + repository.name;
}

std::string file_url(const std::string& endpoint, const Repository& repository,
                     const std::string& commit, std::string_view path) {
  return page_url(endpoint, repository) + "/resolve/" + commit + "/" + url_quoted(path, true);
}

std::string url_quoted(std::string_view text, bool keep_slashes) {
  static constexpr char kDigits[] = "0123456789ABCDEF";
  std::string quoted;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = (byte < 0x80 && is_alphanumeric(c)) ||
                       std::string_view("-_.~").find(c) != std::string_view::npos ||
                       (keep_slashes && c == '/');
    if (plain) {
      quoted += c;
    } else {
      quoted += '%';
      quoted += kDigits[byte >> 4];
      quoted += kDigits[byte & 15];
    }
  }
  return quoted;
}

}  // namespace burnish
