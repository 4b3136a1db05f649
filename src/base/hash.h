// SHA-256 and SHA-1 (FIPS 180-4), through OpenSSL.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace burnish {

enum class HashKind { sha1, sha256 };

/// The length of Hash::hex(): 40 or 64.
constexpr size_t hex_digits(HashKind kind) {
  return kind == HashKind::sha1 ? 40 : 64;
}

class Hash {
 public:
  explicit Hash(HashKind kind);
  ~Hash();
  Hash(Hash&&) noexcept;
  Hash& operator=(Hash&&) noexcept;

  void update(std::span<const std::byte> bytes);
  void update(std::string_view text);

  /// Lower-case hex digits. Ends the computation: call it once.
  std::string hex();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Takes in a file of any size: its pages leave memory again. `go_on` is asked every 16 MiB.
/// @return its bytes
/// @throws Error(io), and Error(interrupted) once `go_on` is false.
uint64_t update_from_file(Hash& hash, const std::filesystem::path& path,
                          const std::function<bool()>& go_on);

std::string sha256_of(std::string_view text);

/// @throws Error(io) where the file cannot be read.
std::string sha256_of_file(const std::filesystem::path& path);

}  // namespace burnish
