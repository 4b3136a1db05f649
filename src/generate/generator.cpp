// S room for tokens in the cache, K key-value heads, D head dimension, T new tokens.
#include "generate/generator.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>

#include <algorithm>
#include <ctime>

#include "base/error.h"
#include "base/interrupt.h"
#include "engine/walk.h"
#include "generate/sampler.h"
#include "text/tokenizer/stream_decoder.h"

namespace burnish {
namespace {

// The token that the template writes right behind an assistant's text.
std::optional<int32_t> end_of_turn(const TextFiles& text) {
  RenderInput input;
  input.messages = {{{"role", "user"}, {"content", "x"}},
                    {{"role", "assistant"}, {"content", "y"}}};
  input.special_tokens = template_special_tokens(text.tokenizer);
  const Rendered rendered = text.chat_template->render(input);
  size_t end = std::string::npos;
  for (const OriginRun& run : rendered.origins)
    if (run.origin == Origin{1, Part::content}) end = run.span.end;
  if (end == std::string::npos) return std::nullopt;
  const Encoding tail = text.tokenizer.encode(std::string_view(rendered.text).substr(end));
  if (tail.ids.empty() || !text.tokenizer.is_special(tail.ids.front())) return std::nullopt;
  return tail.ids.front();
}

}  // namespace

Generator::Generator(const Model& model, const TextFiles& text) : model_(model), text_(text) {
  const ModelConfig& config = model.declaration.config;
  stop_ids_.insert(config.eos_token_ids.begin(), config.eos_token_ids.end());
  if (const auto eos = text.tokenizer.special_tokens().eos_id) stop_ids_.insert(*eos);
  if (!text.chat_template)
    throw Error(ErrorCode::model, "the model has no chat template", {},
                "Put a chat_template.jinja beside its tokenizer.json");
  if (const auto id = end_of_turn(text)) stop_ids_.insert(*id);
  caches_.resize(config.num_layers);
}

void Generator::forget() {
  cached_ids_.clear();
  for (LayerCache& cache : caches_) cache.length = 0;
}

void Generator::make_room(int64_t tokens) {
  const ModelConfig& config = model_.declaration.config;
  const int64_t there = caches_.front().k_SKD.defined() ? caches_.front().k_SKD.size(0) : 0;
  if (tokens <= there) return;
  const int64_t room = std::min(config.max_position_embeddings, std::max(tokens, 2 * there + 256));
  const auto options = model_.parameters->all().front().value.options().requires_grad(false);
  for (LayerCache& cache : caches_) {
    const auto grow = [&](at::Tensor& old_SKD) {
      at::Tensor grown_SKD = at::empty({room, config.num_kv_heads, config.head_dim}, options);
      if (old_SKD.defined()) grown_SKD.narrow(0, 0, there).copy_(old_SKD);
      old_SKD = grown_SKD;
    };
    grow(cache.k_SKD);
    grow(cache.v_SKD);
  }
}

std::vector<float> Generator::logits_after(const std::vector<int32_t>& ids) {
  const auto mismatch =
      std::mismatch(ids.begin(), ids.end(), cached_ids_.begin(), cached_ids_.end());
  // at least one token must be computed: its logits are wanted
  const auto kept =
      std::min<int64_t>(mismatch.first - ids.begin(), static_cast<int64_t>(ids.size()) - 1);
  for (LayerCache& cache : caches_) cache.length = kept;
  make_room(static_cast<int64_t>(ids.size()));
  std::vector<int64_t> fresh(ids.begin() + kept, ids.end());
  const auto T = static_cast<int64_t>(fresh.size());
  const at::Tensor ids_T = at::from_blob(fresh.data(), {T}, at::kLong);
  const at::Tensor logits_V =
      forward_logits(model_, ids_T, Segments({0, static_cast<int32_t>(T)}), &caches_, true)
          .to(at::kFloat)
          .flatten();
  cached_ids_ = ids;
  const float* data = logits_V.const_data_ptr<float>();
  // rows beyond the vocabulary are padding of the embedding: never an answer
  const int64_t known = std::min<int64_t>(logits_V.numel(), text_.tokenizer.size());
  return {data, data + known};
}

std::vector<int32_t> Generator::continue_ids(const std::vector<int32_t>& ids,
                                             const SamplingOptions& options,
                                             const std::function<void(int32_t)>& on_token) {
  check_sampling(options);
  const auto context = static_cast<size_t>(model_.declaration.config.max_position_embeddings);
  if (ids.empty()) throw Error(ErrorCode::data, "there is no text to continue");
  if (ids.size() >= context)
    throw Error(ErrorCode::data,
                "the conversation has " + std::to_string(ids.size()) + " tokens, the model reads " +
                    std::to_string(context),
                {}, "Start a new conversation");
  std::vector<int32_t> all = ids, made;
  while (static_cast<int64_t>(made.size()) < options.max_tokens && all.size() < context) {
    if (interrupted() != 0) break;
    const int32_t id = sample_token(logits_after(all), options, made.size());
    if (stop_ids_.contains(id)) break;
    all.push_back(id);
    made.push_back(id);
    if (on_token) on_token(id);
  }
  return made;
}

std::string Generator::answer(const nlohmann::ordered_json& messages,
                              const SamplingOptions& options,
                              const std::function<void(const std::string&)>& on_text) {
  RenderInput input;
  input.messages = messages;
  input.add_generation_prompt = true;
  input.special_tokens = template_special_tokens(text_.tokenizer);
  input.now = std::time(nullptr);
  const Rendered rendered = text_.chat_template->render(input);
  // what a user types is text, never a control token
  std::vector<ByteSpan> plain;
  for (const OriginRun& run : rendered.origins)
    if (run.origin.message >= 0 && run.origin.part != Part::role) plain.push_back(run.span);
  const Encoding prompt = text_.tokenizer.encode(rendered.text, {.plain = plain});
  StreamDecoder stream(text_.tokenizer);
  std::string answer;
  const auto say = [&](const std::string& piece) {
    answer += piece;
    if (on_text && !piece.empty()) on_text(piece);
  };
  continue_ids(prompt.ids, options, [&](int32_t id) { say(stream.push(id)); });
  say(stream.finish());
  return answer;
}

}  // namespace burnish
