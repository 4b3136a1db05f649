#include "generate/sampler.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "base/error.h"
#include "base/random.h"

namespace burnish {
namespace {

struct Candidate {
  int32_t id;
  double probability;
};

void check(bool holds, const char* name, double value, const char* range) {
  if (!holds || !std::isfinite(value))
    throw Error(ErrorCode::usage, std::string(name) + " is " + std::to_string(value), {},
                std::string("Give ") + range);
}

// Sorted by falling logit; ties by rising id.
std::vector<Candidate> sorted_candidates(std::span<const float> logits, int64_t keep) {
  std::vector<int32_t> order(logits.size());
  std::iota(order.begin(), order.end(), 0);
  const auto before = [&](int32_t a, int32_t b) {
    return logits[a] != logits[b] ? logits[a] > logits[b] : a < b;
  };
  std::partial_sort(order.begin(), order.begin() + keep, order.end(), before);
  std::vector<Candidate> candidates;
  for (int64_t i = 0; i < keep; ++i) candidates.push_back({order[i], logits[order[i]]});
  return candidates;
}

void softmax(std::vector<Candidate>& candidates, double temperature) {
  const double largest = candidates.front().probability;
  double sum = 0;
  for (Candidate& c : candidates) {
    c.probability = std::exp((c.probability - largest) / temperature);
    sum += c.probability;
  }
  for (Candidate& c : candidates) c.probability /= sum;
}

void keep_top_p(std::vector<Candidate>& candidates, double top_p) {
  double before = 0;
  size_t kept = 0;
  while (kept < candidates.size() && before < top_p) before += candidates[kept++].probability;
  candidates.resize(std::max<size_t>(1, kept));
}

void keep_min_p(std::vector<Candidate>& candidates, double min_p) {
  const double least = min_p * candidates.front().probability;
  while (candidates.size() > 1 && candidates.back().probability < least) candidates.pop_back();
}

}  // namespace

void check_sampling(const SamplingOptions& o) {
  check(o.temperature >= 0, "temperature", o.temperature, "0 (greedy) or more");
  check(o.top_p > 0 && o.top_p <= 1, "top-p", o.top_p, "a number in (0, 1]");
  check(o.top_k >= 0, "top-k", static_cast<double>(o.top_k), "0 (all) or more");
  check(o.min_p >= 0 && o.min_p <= 1, "min-p", o.min_p, "a number in [0, 1]");
  check(o.max_tokens > 0, "max-tokens", static_cast<double>(o.max_tokens), "1 or more");
}

int32_t sample_token(std::span<const float> logits, const SamplingOptions& options,
                     uint64_t index) {
  if (options.temperature == 0)
    return static_cast<int32_t>(std::max_element(logits.begin(), logits.end()) - logits.begin());
  const auto all = static_cast<int64_t>(logits.size());
  std::vector<Candidate> candidates =
      sorted_candidates(logits, options.top_k > 0 ? std::min(options.top_k, all) : all);
  softmax(candidates, options.temperature);
  keep_top_p(candidates, options.top_p);
  keep_min_p(candidates, options.min_p);
  double sum = 0;
  for (const Candidate& c : candidates) sum += c.probability;
  constexpr uint64_t kSamplingStream = 0x73616d706c65;  // "sample"
  double left = CounterRandom(options.seed, kSamplingStream).uniform(index) * sum;
  for (const Candidate& c : candidates) {
    left -= c.probability;
    if (left < 0) return c.id;
  }
  return candidates.back().id;
}

}  // namespace burnish
