#include <algorithm>
#include <charconv>
#include <set>

#include "recipe/checks.h"
#include "recipe/schema.h"

namespace burnish {
namespace {

/// A key, and why its value changes nothing in this recipe (empty: it does change something).
struct Idle {
  std::string path, reason;
};

std::string when(bool idle, const std::string& reason) {
  return idle ? reason : std::string();
}

bool all_text(const DataRecipe& data) {
  return std::all_of(data.train.begin(), data.train.end(),
                     [](const DataSource& source) { return source.format == "text"; });
}

std::vector<Idle> idle_data(const Recipe& recipe) {
  const DataRecipe& data = recipe.data;
  const std::string plain = when(all_text(data), "rows of plain text are always trained on whole");
  const bool mask_without_turns = data.mask == "all" || data.mask == "generation";
  return {
      {"data.mask", plain},
      {"data.content_tokens", when(all_text(data), "there are no messages")},
      {"model.template", when(all_text(data) && recipe.evaluation.prompts.empty(),
                              "there are no messages to render")},
      {"data.mask_trailing_newline",
       when(mask_without_turns, "data.mask is " + data.mask + ", which decides that by itself")},
      {"data.mask_trailing_newline", plain},
  };
}

std::vector<Idle> idle_schedule(const Recipe& recipe) {
  const ScheduleRecipe& schedule = recipe.optimizer.schedule;
  const std::optional<int64_t> steps = recipe.train.end.steps;
  const bool warms_up = schedule.warmup_steps || schedule.warmup_fraction > 0;
  const std::string trains_nothing =
      when(recipe.optimizer.learning_rate == 0, "optimizer.learning_rate is 0");
  return {
      {"optimizer.schedule.min_learning_rate",
       when(schedule.name == "constant", "a constant schedule never falls to it")},
      {"optimizer.schedule.first_step", when(!warms_up, "there is no warm-up")},
      {"optimizer.learning_rate",
       when(schedule.warmup_steps && steps && *schedule.warmup_steps > *steps,
            "the warm-up is longer than the run, so that this rate is never reached")},
      {"optimizer.weight_decay", recipe.optimizer.groups.empty() ? trains_nothing : std::string()},
  };
}

std::vector<Idle> idle_evaluation(const Recipe& recipe) {
  const EvaluationRecipe& evaluation = recipe.evaluation;
  const std::string nothing = when(recipe.data.evaluation.empty() && evaluation.prompts.empty(),
                                   "data.evaluation and evaluation.prompts are empty");
  return {
      {"evaluation.every_steps", nothing},
      {"evaluation.at_start", nothing},
      {"evaluation.prompt_tokens", when(evaluation.prompts.empty(), "evaluation.prompts is empty")},
      {"evaluation.stop_after_evaluations_without_gain",
       when(evaluation.every_steps == 0,
            "evaluation.every_steps is 0, so that nothing is evaluated on the way")},
  };
}

std::vector<Idle> idle_rest(const Recipe& recipe) {
  return {
      {"checkpoint.keep", when(recipe.checkpoint.every_steps == 0,
                               "checkpoint.every_steps is 0, so that only an interrupt saves one")},
      {"precision.loss_scale", when(recipe.precision.weights != "fp16",
                                    "precision.weights is not fp16, whose gradients it keeps "
                                    "from vanishing")},
  };
}

/// Groups and patterns that an earlier one leaves nothing to.
std::vector<Idle> idle_patterns(const Recipe& recipe) {
  std::vector<Idle> idle;
  std::set<std::string> seen;
  for (size_t i = 0; i < recipe.optimizer.groups.size(); ++i) {
    const ParameterGroup& group = recipe.optimizer.groups[i];
    const std::string path = "optimizer.groups." + std::to_string(i);
    if (seen.count(group.pattern) + seen.count("*") > 0)
      idle.push_back({path, "an earlier group takes the same parameters"});
    else if (!group.learning_rate && !group.weight_decay)
      idle.push_back({path, "it sets neither learning_rate nor weight_decay"});
    seen.insert(group.pattern);
  }
  return idle;
}

/// The value at "a.b.0.c" in a written recipe, or nullptr.
const Json* find_value(const Json& value, const std::string& path) {
  const Json* at = &value;
  for (size_t begin = 0; begin <= path.size();) {
    const size_t end = std::min(path.find('.', begin), path.size());
    const std::string name = path.substr(begin, end - begin);
    size_t index = 0;
    std::from_chars(name.data(), name.data() + name.size(), index);
    if (at->is_object() && at->contains(name)) {
      at = &at->at(name);
    } else if (at->is_array() && index < at->size()) {
      at = &at->at(index);
    } else {
      return nullptr;
    }
    begin = end + 1;
  }
  return at;
}

bool differs_from_default(const std::string& path, const Json& written, const Json& defaults) {
  const Json* value = find_value(written, path);
  const Json* before = find_value(defaults, path);
  return before == nullptr || (value != nullptr && *value != *before);
}

/// A held-out set that is trained on says nothing about new data.
std::vector<std::string> evaluation_on_training_data(const Recipe& recipe, const YamlNode& root) {
  std::vector<std::string> warnings;
  for (const auto& [name, set] : recipe.data.evaluation)
    for (const DataSource& source : recipe.data.train)
      if (source.source == set.source) {
        const std::string path = "data.evaluation." + name;
        const YamlNode* node = find_node(root, path);
        warnings.push_back((node != nullptr ? node->place : root.place) + ": " + path +
                           " is the file that is trained on: its loss says nothing about new data");
        break;
      }
  return warnings;
}

}  // namespace

const YamlNode* find_node(const YamlNode& root, const std::string& path) {
  const YamlNode* at = &root;
  while (at != nullptr && at->path != path) {
    const YamlNode* next = nullptr;
    for (const YamlNode& item : at->items)
      if (path == item.path || path.rfind(item.path + ".", 0) == 0) next = &item;
    at = next;
  }
  return at;
}

std::vector<std::string> settings_without_effect(const Recipe& recipe, const YamlNode& root) {
  const Json written = recipe_codec().write(recipe), defaults = recipe_codec().write(Recipe{});
  std::vector<std::string> warnings;
  for (const auto& table : {idle_data(recipe), idle_schedule(recipe), idle_evaluation(recipe),
                            idle_rest(recipe), idle_patterns(recipe)})
    for (const Idle& idle : table) {
      const YamlNode* node = find_node(root, idle.path);
      if (idle.reason.empty() || node == nullptr) continue;
      if (differs_from_default(idle.path, written, defaults))
        warnings.push_back(node->place + ": " + idle.path + " has no effect: " + idle.reason);
    }
  for (std::string& warning : evaluation_on_training_data(recipe, root))
    warnings.push_back(std::move(warning));
  return warnings;
}

}  // namespace burnish
