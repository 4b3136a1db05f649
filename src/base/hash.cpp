#include "base/hash.h"

#include <openssl/evp.h>

#include <algorithm>
#include <array>

#include "base/error.h"
#include "base/file.h"

namespace burnish {

namespace {

constexpr size_t kPieceBytes = 16 << 20;

}  // namespace

struct Hash::State {
  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context{EVP_MD_CTX_new(),
                                                                  &EVP_MD_CTX_free};
};

Hash::Hash(HashKind kind) : state_(std::make_unique<State>()) {
  const bool sha1 = kind == HashKind::sha1;
  if (EVP_DigestInit_ex(state_->context.get(), sha1 ? EVP_sha1() : EVP_sha256(), nullptr) != 1)
    throw Error(ErrorCode::internal,
                sha1 ? "OpenSSL offers no SHA-1" : "OpenSSL offers no SHA-256");
}

Hash::~Hash() = default;
Hash::Hash(Hash&&) noexcept = default;
Hash& Hash::operator=(Hash&&) noexcept = default;

void Hash::update(std::span<const std::byte> bytes) {
  EVP_DigestUpdate(state_->context.get(), bytes.data(), bytes.size());
}

void Hash::update(std::string_view text) {
  update(std::as_bytes(std::span(text)));
}

std::string Hash::hex() {
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

uint64_t update_from_file(Hash& hash, const std::filesystem::path& path,
                          const std::function<bool()>& go_on) {
  const MappedFile file(path);
  for (auto rest = file.bytes(); !rest.empty();) {
    if (!go_on()) throw Error(ErrorCode::interrupted, "stopped", path.string());
    const auto piece = rest.first(std::min(rest.size(), kPieceBytes));
    hash.update(piece);
    file.release(piece);
    rest = rest.subspan(piece.size());
  }
  return file.bytes().size();
}

std::string sha256_of(std::string_view text) {
  Hash hash(HashKind::sha256);
  hash.update(text);
  return hash.hex();
}

std::string sha256_of_file(const std::filesystem::path& path) {
  const MappedFile file(path);
  Hash hash(HashKind::sha256);
  hash.update(file.bytes());
  return hash.hex();
}

}  // namespace burnish
