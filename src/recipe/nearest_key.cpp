#include "recipe/nearest_key.h"

#include <algorithm>
#include <map>

#include "base/error.h"
#include "recipe/schema.h"
#include "recipe/utf8_check.h"

namespace burnish {
namespace {

/// Names that other trainers use, and what they are called here.
const std::map<std::string, std::string>& foreign_names() {
  static const std::map<std::string, std::string> names = {
      {"adam_beta1", "optimizer.betas"},
      {"adam_beta2", "optimizer.betas"},
      {"adam_epsilon", "optimizer.epsilon"},
      {"batch_size", "train.global_batch_rows"},
      {"beta1", "optimizer.betas"},
      {"beta2", "optimizer.betas"},
      {"bf16", "precision.compute"},
      {"chat_template", "model.template"},
      {"eps", "optimizer.epsilon"},
      {"eval_steps", "evaluation.every_steps"},
      {"fp16", "precision.compute"},
      {"gradient_accumulation_steps", "train.global_batch_rows"},
      {"gradient_checkpointing", "memory.recompute"},
      {"learning_rate_schedule", "optimizer.schedule.name"},
      {"logging_steps", "log.every_steps"},
      {"lr", "optimizer.learning_rate"},
      {"lr_scheduler_type", "optimizer.schedule.name"},
      {"max_grad_norm", "optimizer.clip_norm"},
      {"max_length", "data.sequence_length"},
      {"max_seq_len", "data.sequence_length"},
      {"max_seq_length", "data.sequence_length"},
      {"max_steps", "train.end.steps"},
      {"micro_batch_size", "train.micro_batch_rows"},
      {"min_lr", "optimizer.schedule.min_learning_rate"},
      {"model_name_or_path", "model.source"},
      {"num_epochs", "train.end.epochs"},
      {"num_train_epochs", "train.end.epochs"},
      {"output_dir", "output"},
      {"path", "model.source"},
      {"per_device_train_batch_size", "train.micro_batch_rows"},
      {"report_to", "log.trackers"},
      {"save_steps", "checkpoint.every_steps"},
      {"save_total_limit", "checkpoint.keep"},
      {"seq_len", "data.sequence_length"},
      {"warmup_ratio", "optimizer.schedule.warmup"},
      {"warmup_steps", "optimizer.schedule.warmup"},
      {"wd", "optimizer.weight_decay"},
  };
  return names;
}

/// Damerau's distance between neighbours (optimal string alignment).
size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<size_t> before(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) above[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t replace = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, replace});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before.swap(above);
    above.swap(row);
  }
  return above[b.size()];
}

std::string last_part(const std::string& path) {
  return path.substr(path.rfind('.') + 1);
}

/// The full path of a key of this name in another group.
std::optional<std::string> same_name_elsewhere(const std::string& name) {
  for (const KeyDescription& key : recipe_codec().keys)
    if (last_part(key.path) == name) return key.path;
  return std::nullopt;
}

std::string parent_of(const YamlNode& member) {
  const size_t own = member.key.size();
  return member.path.size() > own ? member.path.substr(0, member.path.size() - own) : "";
}

std::string advice_for(const YamlNode& member, const std::vector<std::string>& siblings) {
  if (member.key == "<<") return "YAML merge keys are not used in recipes: write the keys out";
  const auto foreign = foreign_names().find(member.key);
  if (foreign != foreign_names().end()) return "here this is `" + foreign->second + "`";
  if (const auto near = nearest(member.key, siblings))
    return "did you mean `" + parent_of(member) + *near + "`?";
  if (const auto elsewhere = same_name_elsewhere(member.key))
    return "did you mean `" + *elsewhere + "`?";
  std::string all;
  for (const std::string& name : siblings) all += (all.empty() ? "" : ", ") + name;
  return "the keys here are: " + all;
}

}  // namespace

std::optional<std::string> nearest(const std::string& typed,
                                   const std::vector<std::string>& words) {
  if (typed.size() > 100) return std::nullopt;
  const std::string* best = nullptr;
  size_t best_distance = std::max<size_t>(1, typed.size() / 3) + 1;
  for (const std::string& word : words) {
    const size_t distance = edit_distance(typed, word);
    if (distance < best_distance) {
      best = &word;
      best_distance = distance;
    }
  }
  if (best != nullptr) return *best;
  for (const std::string& word : words)  // a beginning: "learning" for "learning_rate"
    if (typed.size() >= 3 && word.rfind(typed, 0) == 0) return word;
  return std::nullopt;
}

void refuse_unknown_key(const YamlNode& member, const std::vector<std::string>& siblings) {
  std::string shown = member.path.substr(0, 200);
  shown.resize(utf8_prefix(shown));
  throw Error(ErrorCode::recipe, "there is no key `" + shown + "`", member.key_place,
              advice_for(member, siblings));
}

}  // namespace burnish
