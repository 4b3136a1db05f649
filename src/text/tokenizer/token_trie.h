// Finds the longest of many strings that begins at a place of a text.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "text/tokenizer/pair_table.h"

namespace burnish {

class TokenTrie {
 public:
  struct Match {
    size_t length;
    int32_t id;
  };

  TokenTrie() = default;
  /// @param total_bytes  of all the tokens that will be added
  explicit TokenTrie(size_t total_bytes) : edges_(total_bytes) {}

  /// The token is not empty; one that is there already keeps its id.
  void add(std::string_view token, int32_t id) {
    starts_[static_cast<uint8_t>(token[0])] = true;
    int32_t node = 0;
    for (const char c : token) {
      const auto byte = static_cast<uint8_t>(c);
      const Merge edge = edges_.find(node, byte);
      const int32_t next = edge.exists() ? edge.id : num_nodes_++;
      edges_.set(node, byte, {0, next});
      node = next;
    }
    ids_.resize(static_cast<size_t>(num_nodes_), -1);
    int32_t& there = ids_[static_cast<size_t>(node)];
    if (there < 0) there = id;
  }

  /// The first byte at or after `at` with which a token may begin.
  size_t next_start(std::string_view text, size_t at) const {
    while (at < text.size() && !starts_[static_cast<uint8_t>(text[at])]) ++at;
    return at;
  }

  /// The longest token at `at` whose bytes are not refused by `is_refused(begin, end)`.
  template <class IsRefused>
  std::optional<Match> longest(std::string_view text, size_t at, IsRefused&& is_refused) const {
    std::optional<Match> best;
    int32_t node = 0;
    for (size_t end = at; end < text.size();) {
      const Merge edge = edges_.find(node, static_cast<uint8_t>(text[end]));
      if (!edge.exists()) break;
      node = edge.id;
      ++end;
      const int32_t id = ids_[static_cast<size_t>(node)];
      if (id >= 0 && !is_refused(at, end)) best = Match{end - at, id};
    }
    return best;
  }

 private:
  PairTable edges_;  // (node, byte) -> node
  std::vector<int32_t> ids_;
  std::array<bool, 256> starts_{};
  int32_t num_nodes_ = 1;
};

}  // namespace burnish
