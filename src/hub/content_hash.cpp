#include "hub/content_hash.h"

#include <openssl/evp.h>

#include <algorithm>
#include <array>

#include "base/error.h"
#include "base/file.h"

namespace burnish {
namespace {

constexpr size_t kGitDigits = 40, kLfsDigits = 64;
constexpr size_t kPiece = 16 << 20;

}  // namespace

bool is_content_name(std::string_view name) {
  return (name.size() == kGitDigits || name.size() == kLfsDigits) &&
         name.find_first_not_of("0123456789abcdef") == name.npos;
}

struct ContentHash::State {
  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context{EVP_MD_CTX_new(),
                                                                  &EVP_MD_CTX_free};
};

ContentHash::ContentHash(std::string_view name, uint64_t size) : state_(std::make_unique<State>()) {
  const bool git = name.size() == kGitDigits;
  if (EVP_DigestInit_ex(state_->context.get(), git ? EVP_sha1() : EVP_sha256(), nullptr) != 1)
    throw Error(ErrorCode::internal, git ? "OpenSSL offers no SHA-1" : "OpenSSL offers no SHA-256");
  if (!git) return;
  const std::string header = "blob " + std::to_string(size) + '\0';
  update(std::as_bytes(std::span(header)));
}

ContentHash::~ContentHash() = default;
ContentHash::ContentHash(ContentHash&&) noexcept = default;
ContentHash& ContentHash::operator=(ContentHash&&) noexcept = default;

void ContentHash::update(std::span<const std::byte> bytes) {
  EVP_DigestUpdate(state_->context.get(), bytes.data(), bytes.size());
}

std::string ContentHash::hex() {
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

std::string content_name_of_file(const std::filesystem::path& file, std::string_view name,
                                 const std::function<bool()>& go_on) {
  const MappedFile mapped(file);
  ContentHash hash(name, mapped.bytes().size());
  for (auto rest = mapped.bytes(); !rest.empty();) {
    if (!go_on()) throw Error(ErrorCode::interrupted, "stopped", file.string());
    const auto piece = rest.first(std::min(rest.size(), kPiece));
    hash.update(piece);
    mapped.release(piece);
    rest = rest.subspan(piece.size());
  }
  return hash.hex();
}

}  // namespace burnish
