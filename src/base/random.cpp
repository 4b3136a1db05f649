#include "base/random.h"

#include <numeric>
#include <utility>

namespace burnish {

std::array<uint32_t, 4> philox4x32(uint64_t key, uint64_t counter_high, uint64_t counter_low) {
  constexpr uint64_t kMultiplier0 = 0xD2511F53, kMultiplier1 = 0xCD9E8D57;
  constexpr uint32_t kWeyl0 = 0x9E3779B9, kWeyl1 = 0xBB67AE85;
  auto k0 = static_cast<uint32_t>(key), k1 = static_cast<uint32_t>(key >> 32);
  std::array<uint32_t, 4> c{
      static_cast<uint32_t>(counter_low), static_cast<uint32_t>(counter_low >> 32),
      static_cast<uint32_t>(counter_high), static_cast<uint32_t>(counter_high >> 32)};
  for (int round = 0; round < 10; ++round) {
    const uint64_t product0 = kMultiplier0 * c[0], product1 = kMultiplier1 * c[2];
    c = {static_cast<uint32_t>(product1 >> 32) ^ c[1] ^ k0, static_cast<uint32_t>(product1),
         static_cast<uint32_t>(product0 >> 32) ^ c[3] ^ k1, static_cast<uint32_t>(product0)};
    k0 += kWeyl0;
    k1 += kWeyl1;
  }
  return c;
}

uint64_t CounterRandom::bits(uint64_t index) const {
  const auto words = philox4x32(seed_, stream_, index);
  return uint64_t{words[1]} << 32 | words[0];
}

std::vector<int64_t> permutation(int64_t n, uint64_t seed, uint64_t stream) {
  std::vector<int64_t> order(n);
  std::iota(order.begin(), order.end(), 0);
  const CounterRandom random(seed, stream);
  for (int64_t i = n - 1; i > 0; --i) {
    const auto bound = static_cast<unsigned __int128>(i) + 1;
    const auto j = static_cast<int64_t>(bound * random.bits(static_cast<uint64_t>(i)) >> 64);
    std::swap(order[i], order[j]);
  }
  return order;
}

}  // namespace burnish
