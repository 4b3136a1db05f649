// A model that answers in a conversation: template, cache, sampling, stop.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "engine/model.h"
#include "engine_door.h"
#include "text/load.h"

namespace burnish {

class Generator {
 public:
  /// Both must outlive the generator. @throws Error(model) if there is no chat template.
  Generator(const Model& model, const TextFiles& text);

  /// See Chat::answer. The cache of the last call is used again for the common prefix.
  std::string answer(const nlohmann::ordered_json& messages, const SamplingOptions& options,
                     const std::function<void(const std::string&)>& on_text);

  /// Continues `ids`; stops before a stop token or after max_tokens. Returns the new ids.
  std::vector<int32_t> continue_ids(const std::vector<int32_t>& ids, const SamplingOptions& options,
                                    const std::function<void(int32_t)>& on_token);

  /// Forgets the cache: the weights have changed.
  void forget();

  const std::set<int32_t>& stop_ids() const { return stop_ids_; }

 private:
  std::vector<float> logits_after(const std::vector<int32_t>& ids);
  void make_room(int64_t tokens);

  const Model& model_;
  const TextFiles& text_;
  std::set<int32_t> stop_ids_;
  std::vector<int32_t> cached_ids_;
  std::vector<LayerCache> caches_;
};

}  // namespace burnish
