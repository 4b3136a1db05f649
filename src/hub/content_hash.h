// The hash that names a file on the hub: SHA-256 of its bytes where it is stored by LFS, else git's
// blob SHA-1, over "blob SIZE\0" and the bytes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "base/hash.h"

namespace burnish {

constexpr HashKind kGitHash = HashKind::sha1, kLfsHash = HashKind::sha256;

/// Lower-case hex digits, as many as git's hash or LFS's has.
bool is_content_name(std::string_view name);

/// The hash that begins the content of a file; its bytes come next.
/// @param name  decides the kind by its length
/// @param size  of the whole content, which git's hash begins with
Hash begin_content_hash(std::string_view name, uint64_t size);

/// The name that the content of `file` should have, by the kind of `name`. `go_on` as for
/// update_from_file. @throws Error(io), Error(interrupted)
std::string content_name_of_file(const std::filesystem::path& file, std::string_view name,
                                 const std::function<bool()>& go_on);

}  // namespace burnish
