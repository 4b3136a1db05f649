// A row of a table of keys: the key, the source's default, and what becomes of it.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace burnish::foreign {

class Translation;

/// There is no rule by default: a row without one does not compile.
struct Rule {
  enum class Kind {
    mapped,   ///< `map` translates it, often together with others
    idle,     ///< has no effect here, whatever its value
    lacking,  ///< anything but the default is refused: Burnish lacks it, and it changes the
              ///< training
    aside,    ///< the same, but the training stays what it is
  };
  constexpr Rule(Kind rule_kind, void (*rule_map)(Translation&), std::string_view why,
                 std::string_view what_instead)
      : kind(rule_kind), map(rule_map), reason(why), instead(what_instead) {}

  Kind kind;
  void (*map)(Translation&);
  std::string_view reason, instead;
};

constexpr Rule maps(void (*map)(Translation&)) {
  return {Rule::Kind::mapped, map, {}, {}};
}
constexpr Rule idle(std::string_view reason) {
  return {Rule::Kind::idle, nullptr, reason, {}};
}
constexpr Rule lacks(std::string_view reason, std::string_view instead = "leave it out") {
  return {Rule::Kind::lacking, nullptr, reason, instead};
}
constexpr Rule aside(std::string_view reason, std::string_view instead = "leave it out") {
  return {Rule::Kind::aside, nullptr, reason, instead};
}

struct KeyRow {
  std::string_view key;       ///< "fsdp_config.fsdp_version", "datasets[].path"
  std::string_view fallback;  ///< what the source takes where the key is absent, as YAML
  Rule rule;
};

/// What the trainers call the same thing.
struct TrainerKeys {
  std::string_view rows_per_pass = "per_device_train_batch_size";
  std::string_view epochs = "num_train_epochs";
  std::string_view schedule = "lr_scheduler_type";
  std::string_view optimizer = "optim";
  bool eval_steps_decide = false;  ///< eval_steps alone evaluates, at the start too
};

struct Format {
  std::string_view name, title;  ///< "llama-factory", "LLaMA-Factory"
  std::span<const KeyRow> rows;
  TrainerKeys keys = {};

  /// The row of a key, or nullptr.
  const KeyRow* row(std::string_view key) const;
  /// Whether keys stand below this one.
  bool has_below(std::string_view key) const;
  /// The names of the keys of one group; "" is the outermost.
  std::vector<std::string> names_in(std::string_view group) const;
};

const Format& trl_format();
const Format& axolotl_format();
const Format& llama_factory_format();
const Format& accelerate_format();
std::span<const Format* const> all_formats();

}  // namespace burnish::foreign
