#include "measure/metrics_file.h"

#include <cmath>
#include <functional>
#include <limits>
#include <string_view>
#include <utility>

#include "base/error.h"

namespace burnish {
namespace fs = std::filesystem;
namespace {

using Json = nlohmann::ordered_json;

// JSON has no NaN and no infinity: both are null.
Json finite_or_null(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json json_of(const StepLine& line) {
  Json json{{"kind", "step"},
            {"step", line.step},
            {"epoch", finite_or_null(line.epoch)},
            {"loss", finite_or_null(line.loss)},
            {"learning_rate", finite_or_null(line.learning_rate)},
            {"gradient_norm", finite_or_null(line.gradient_norm)},
            {"tokens", line.tokens},
            {"targets", line.targets},
            {"padding_tokens", line.padding_tokens},
            {"row_ids", line.row_ids},
            {"step_s", finite_or_null(line.step_s)},
            {"cpu_s", finite_or_null(line.cpu_s)},
            {"data_wait_s", finite_or_null(line.data_wait_s)},
            {"rss_mib", finite_or_null(line.rss_mib)},
            {"time_s", finite_or_null(line.time_s)},
            {"skipped", line.skipped}};
  if (line.spike) json["spike"] = true;
  if (line.loss_scale) json["loss_scale"] = *line.loss_scale;
  return json;
}

Json json_of(const EvaluationLine& line) {
  return {{"kind", "evaluation"},
          {"step", line.step},
          {"name", line.name},
          {"loss", finite_or_null(line.loss)},
          {"accuracy", finite_or_null(line.accuracy)},
          {"targets", line.targets}};
}

Json json_of(const AnswerLine& line) {
  return {
      {"kind", "answer"}, {"step", line.step}, {"prompt", line.prompt}, {"answer", line.answer}};
}

[[noreturn]] void refuse(const std::string& what) {
  throw Error(ErrorCode::data, what, {}, "Lines of metrics.jsonl are written by burnish train");
}

const Json& at(const Json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end()) refuse(std::string("no key '") + key + "'");
  return *found;
}

void read(const Json& value, const char* key, int64_t& into) {
  if (!value.is_number_integer()) refuse(std::string("'") + key + "' is no integer");
  into = value.get<int64_t>();
}

void read(const Json& value, const char* key, double& into) {
  if (value.is_null()) {
    into = std::numeric_limits<double>::quiet_NaN();
  } else if (value.is_number()) {
    into = value.get<double>();
  } else {
    refuse(std::string("'") + key + "' is no number");
  }
}

void read(const Json& value, const char* key, bool& into) {
  if (!value.is_boolean()) refuse(std::string("'") + key + "' is neither true nor false");
  into = value.get<bool>();
}

void read(const Json& value, const char* key, std::string& into) {
  if (!value.is_string()) refuse(std::string("'") + key + "' is no text");
  into = value.get<std::string>();
}

void read(const Json& value, const char* key, std::vector<int64_t>& into) {
  if (!value.is_array()) refuse(std::string("'") + key + "' is no list");
  for (const Json& element : value) read(element, key, into.emplace_back());
}

template <typename T>
void take(const Json& object, const char* key, T& into) {
  read(at(object, key), key, into);
}

StepLine step_of(const Json& object) {
  StepLine line;
  take(object, "step", line.step);
  take(object, "epoch", line.epoch);
  take(object, "loss", line.loss);
  take(object, "learning_rate", line.learning_rate);
  take(object, "gradient_norm", line.gradient_norm);
  take(object, "tokens", line.tokens);
  take(object, "targets", line.targets);
  take(object, "padding_tokens", line.padding_tokens);
  take(object, "row_ids", line.row_ids);
  take(object, "step_s", line.step_s);
  take(object, "cpu_s", line.cpu_s);
  take(object, "data_wait_s", line.data_wait_s);
  take(object, "rss_mib", line.rss_mib);
  take(object, "time_s", line.time_s);
  take(object, "skipped", line.skipped);
  if (object.contains("spike")) take(object, "spike", line.spike);
  if (object.contains("loss_scale")) take(object, "loss_scale", line.loss_scale.emplace());
  return line;
}

EvaluationLine evaluation_of(const Json& object) {
  EvaluationLine line;
  take(object, "step", line.step);
  take(object, "name", line.name);
  take(object, "loss", line.loss);
  take(object, "accuracy", line.accuracy);
  take(object, "targets", line.targets);
  return line;
}

AnswerLine answer_of(const Json& object) {
  AnswerLine line;
  take(object, "step", line.step);
  take(object, "prompt", line.prompt);
  take(object, "answer", line.answer);
  return line;
}

int64_t step_number(const MetricLine& line) {
  return std::visit([](const auto& any) { return any.step; }, line);
}

void add(Metrics& metrics, StepLine line) {
  const auto not_before = [&](const auto& earlier) { return earlier.step >= line.step; };
  if (!metrics.steps.empty() && not_before(metrics.steps.back())) {
    std::erase_if(metrics.steps, not_before);
    std::erase_if(metrics.evaluations, not_before);
    std::erase_if(metrics.answers, not_before);
  }
  metrics.steps.push_back(std::move(line));
}

void add(Metrics& metrics, EvaluationLine line) {
  std::erase_if(metrics.evaluations, [&](const EvaluationLine& earlier) {
    return earlier.step == line.step && earlier.name == line.name;
  });
  metrics.evaluations.push_back(std::move(line));
}

void add(Metrics& metrics, AnswerLine line) {
  std::erase_if(metrics.answers, [&](const AnswerLine& earlier) {
    return earlier.step == line.step && earlier.prompt == line.prompt;
  });
  metrics.answers.push_back(std::move(line));
}

// Calls `each` with every whole line. A last line without its line end, or that is no JSON, was cut
// off by the end of the process. Returns whether there was one.
bool for_each_line(const fs::path& file,
                   const std::function<void(std::string_view, const MetricLine&)>& each) {
  const MappedFile mapped(file);
  std::string_view rest = mapped.text();
  for (int64_t number = 1; !rest.empty(); ++number) {
    const size_t end = rest.find('\n');
    if (end == std::string_view::npos) return true;
    const std::string_view text = rest.substr(0, end);
    rest.remove_prefix(end + 1);
    const std::string where = file.string() + ":" + std::to_string(number);
    const Json object = Json::parse(text, nullptr, false);
    if (object.is_discarded()) {
      if (rest.empty()) return true;
      throw Error(ErrorCode::data, "not a line of JSON", where,
                  "Remove the line; the others stay good");
    }
    try {
      each(text, metric_line_from_json(object));
    } catch (const Error& error) {
      if (!error.where().empty()) throw;
      throw Error(error.code(), error.fact(), where, error.advice());
    }
  }
  return false;
}

}  // namespace

nlohmann::ordered_json to_json(const MetricLine& line) {
  return std::visit([](const auto& any) { return json_of(any); }, line);
}

MetricLine metric_line_from_json(const nlohmann::ordered_json& object) {
  if (!object.is_object()) refuse("not an object");
  std::string kind;
  take(object, "kind", kind);
  if (kind == "step") return step_of(object);
  if (kind == "evaluation") return evaluation_of(object);
  if (kind == "answer") return answer_of(object);
  refuse("unknown kind '" + kind + "'");
}

Metrics read_metrics(const fs::path& file) {
  Metrics metrics;
  metrics.cut = for_each_line(file, [&](std::string_view, const MetricLine& line) {
    std::visit([&](const auto& any) { add(metrics, any); }, line);
  });
  return metrics;
}

void trim_metrics(const fs::path& file, int64_t step) {
  if (!fs::exists(file)) return;
  std::string kept;
  for_each_line(file, [&](std::string_view text, const MetricLine& line) {
    if (step_number(line) <= step) kept.append(text).append("\n");
  });
  write_text_file(file, kept);
}

std::string json_line(const MetricLine& line) {
  return to_json(line).dump(-1, ' ', false, Json::error_handler_t::replace);
}

void MetricsWriter::write(const MetricLine& line) {
  file_.write(json_line(line) + "\n");
}

}  // namespace burnish
