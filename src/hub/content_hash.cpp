#include "hub/content_hash.h"

#include "base/error.h"

namespace burnish {

bool is_content_name(std::string_view name) {
  return (name.size() == hex_digits(kGitHash) || name.size() == hex_digits(kLfsHash)) &&
         name.find_first_not_of("0123456789abcdef") == name.npos;
}

Hash begin_content_hash(std::string_view name, uint64_t size) {
  if (name.size() != hex_digits(kGitHash)) return Hash(kLfsHash);
  Hash hash(kGitHash);
  hash.update("blob " + std::to_string(size) + '\0');
  return hash;
}

std::string content_name_of_file(const std::filesystem::path& file, std::string_view name,
                                 const std::function<bool()>& go_on) {
  std::error_code error;
  const uintmax_t size = std::filesystem::file_size(file, error);
  if (error) throw Error(ErrorCode::io, error.message(), file.string());
  Hash hash = begin_content_hash(name, size);
  update_from_file(hash, file, go_on);
  return hash.hex();
}

}  // namespace burnish
