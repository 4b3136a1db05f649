// SHA-256 (FIPS 180-4), through OpenSSL.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace burnish {

class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(Sha256&&) noexcept;
  Sha256& operator=(Sha256&&) noexcept;

  void update(std::span<const std::byte> bytes);
  void update(std::string_view text);

  /// 64 lower-case hex digits. Ends the computation: call it once.
  std::string hex();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

std::string sha256_of(std::string_view text);

/// @throws Error(io) where the file cannot be read.
std::string sha256_of_file(const std::filesystem::path& path);

}  // namespace burnish
