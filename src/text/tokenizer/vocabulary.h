// Tokens by id and ids by token.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace burnish {

/// Tokens and their ids as a file has them.
using VocabularyEntries = std::vector<std::pair<std::string, int64_t>>;

class Vocabulary {
 public:
  Vocabulary() = default;
  /// The entries of model.vocab. @throws Error(model): a negative id, one far above the number of
  /// entries, a token with two ids, two tokens of one id.
  Vocabulary(VocabularyEntries entries, const std::string& file);

  std::optional<int32_t> find(std::string_view token) const;
  /// nullptr for an id that no token has.
  const std::string* token(int32_t id) const;
  int32_t end_id() const { return static_cast<int32_t>(tokens_.size()); }  ///< largest id + 1
  size_t num_tokens() const { return num_tokens_; }

  /// Appends or fills in a token that is not there yet.
  void add(std::string token, int32_t id);

 private:
  void reserve(size_t num_tokens);
  void enter(int32_t id);

  std::vector<std::string> tokens_;
  std::vector<bool> taken_;
  std::vector<int32_t> slots_;  // open addressing; -1: free
  size_t num_tokens_ = 0;
};

}  // namespace burnish
