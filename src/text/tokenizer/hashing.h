// Hashes of short byte strings and of pairs of ids, for the flat tables of this folder.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace burnish {

inline uint64_t mix(uint64_t a, uint64_t b) {
  const auto product = static_cast<unsigned __int128>(a) * b;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

inline uint64_t hash_of(std::string_view bytes) {
  constexpr uint64_t kOdd1 = 0x9E3779B97F4A7C15, kOdd2 = 0xD6E8FEB86659FD93;
  uint64_t hash = bytes.size() * kOdd1;
  const char* at = bytes.data();
  size_t left = bytes.size();
  for (uint64_t word; left >= 8; at += 8, left -= 8) {
    std::memcpy(&word, at, 8);
    hash = mix(hash ^ word, kOdd2);
  }
  uint64_t rest = 0;
  if (left > 0) std::memcpy(&rest, at, left);
  return mix(hash ^ rest, kOdd1 ^ kOdd2);
}

}  // namespace burnish
