#include "base/hash.h"

#include <openssl/evp.h>

#include <array>

#include "base/error.h"
#include "base/file.h"

namespace burnish {

struct Sha256::State {
  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context{EVP_MD_CTX_new(),
                                                                  &EVP_MD_CTX_free};
};

Sha256::Sha256() : state_(std::make_unique<State>()) {
  if (EVP_DigestInit_ex(state_->context.get(), EVP_sha256(), nullptr) != 1)
    throw Error(ErrorCode::internal, "OpenSSL offers no SHA-256");
}

Sha256::~Sha256() = default;
Sha256::Sha256(Sha256&&) noexcept = default;
Sha256& Sha256::operator=(Sha256&&) noexcept = default;

void Sha256::update(std::span<const std::byte> bytes) {
  EVP_DigestUpdate(state_->context.get(), bytes.data(), bytes.size());
}

void Sha256::update(std::string_view text) {
  update(std::as_bytes(std::span(text)));
}

std::string Sha256::hex() {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int size = 0;
  EVP_DigestFinal_ex(state_->context.get(), digest.data(), &size);
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (unsigned int i = 0; i < size; ++i) {
    text += kDigits[digest[i] >> 4];
    text += kDigits[digest[i] & 15];
  }
  return text;
}

std::string sha256_of(std::string_view text) {
  Sha256 hash;
  hash.update(text);
  return hash.hex();
}

std::string sha256_of_file(const std::filesystem::path& path) {
  const MappedFile file(path);
  Sha256 hash;
  hash.update(file.bytes());
  return hash.hex();
}

}  // namespace burnish
