#include "text/tokenizer/vocabulary.h"

#include <algorithm>
#include <bit>

#include "base/error.h"
#include "text/tokenizer/hashing.h"

namespace burnish {
namespace {

// Ids may have gaps, but nobody's vocabulary is mostly gap.
int64_t highest_id(size_t num_entries) {
  return static_cast<int64_t>(num_entries) * 4 + 100'000;
}

}  // namespace

Vocabulary::Vocabulary(VocabularyEntries entries, const std::string& file) {
  const auto refuse = [&](const std::string& token, const std::string& what) {
    throw Error(ErrorCode::model, what, file + ": key 'model.vocab[\"" + token + "\"]'");
  };
  int64_t end = 0;
  for (const auto& [token, id] : entries) {
    if (id < 0 || id > highest_id(entries.size()))
      refuse(token, "the id " + std::to_string(id) + " is out of range for " +
                        std::to_string(entries.size()) + " tokens");
    end = std::max(end, id + 1);
  }
  tokens_.resize(static_cast<size_t>(end));
  taken_.resize(static_cast<size_t>(end));
  reserve(entries.size());
  for (auto& [token, id] : entries) {
    if (const auto earlier = find(token)) {
      if (*earlier == id) continue;
      refuse(token, "the token stands there twice, with ids " + std::to_string(*earlier) + " and " +
                        std::to_string(id));
    }
    if (taken_[static_cast<size_t>(id)])
      refuse(token, "the id " + std::to_string(id) + " belongs to \"" +
                        tokens_[static_cast<size_t>(id)] + "\" too");
    add(std::move(token), static_cast<int32_t>(id));
  }
}

std::optional<int32_t> Vocabulary::find(std::string_view token) const {
  if (slots_.empty()) return std::nullopt;
  const size_t mask = slots_.size() - 1;
  for (size_t slot = hash_of(token) & mask; slots_[slot] >= 0; slot = (slot + 1) & mask)
    if (tokens_[static_cast<size_t>(slots_[slot])] == token) return slots_[slot];
  return std::nullopt;
}

const std::string* Vocabulary::token(int32_t id) const {
  const auto index = static_cast<size_t>(id);
  return id >= 0 && index < tokens_.size() && taken_[index] ? &tokens_[index] : nullptr;
}

void Vocabulary::add(std::string token, int32_t id) {
  const auto index = static_cast<size_t>(id);
  if (index >= tokens_.size()) {
    tokens_.resize(index + 1);
    taken_.resize(index + 1);
  }
  tokens_[index] = std::move(token);
  taken_[index] = true;
  ++num_tokens_;
  reserve(num_tokens_);
  enter(id);
}

void Vocabulary::reserve(size_t num_tokens) {
  if (num_tokens * 2 <= slots_.size()) return;
  slots_.assign(std::bit_ceil(num_tokens * 2 + 16), -1);
  for (size_t id = 0; id < tokens_.size(); ++id)
    if (taken_[id]) enter(static_cast<int32_t>(id));
}

// A token may be entered twice: reserve() may have entered it already.
void Vocabulary::enter(int32_t id) {
  const size_t mask = slots_.size() - 1;
  size_t slot = hash_of(tokens_[static_cast<size_t>(id)]) & mask;
  while (slots_[slot] >= 0 && slots_[slot] != id) slot = (slot + 1) & mask;
  slots_[slot] = id;
}

}  // namespace burnish
