#include "report/html_sections.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "measure/progress_line.h"
#include "report/chart.h"
#include "report/html_text.h"

namespace burnish {
namespace {

using Json = nlohmann::ordered_json;
using Pairs = std::vector<std::pair<std::string, std::string>>;

constexpr size_t kLongList = 16;
constexpr int kDeepest = 8;
constexpr size_t kSetsInTiles = 2;

std::optional<double> number_of(const Json& object, const char* key) {
  if (!object.is_object() || !object.contains(key) || !object[key].is_number()) return std::nullopt;
  return object[key].get<double>();
}

std::string tile(std::string_view name, std::string_view value, std::string_view note = {}) {
  return fmt::format("<div class=\"tile\"><span>{}</span><b>{}</b><small>{}</small></div>\n",
                     html_escaped(name), html_escaped(value), html_escaped(note));
}

std::string loss_text(double loss) {
  return std::isfinite(loss) ? fmt::format("{:.3f}", loss) : readable_number(loss);
}

std::string change_note(double before, double after) {
  if (!std::isfinite(before) || !std::isfinite(after) || before == 0) return {};
  return fmt::format("{:+.1f} %", 100 * (after - before) / before);
}

// The first and last line of each name, in order of appearance.
struct BeforeAfter {
  const EvaluationLine* before;
  const EvaluationLine* after;
};
std::vector<BeforeAfter> by_set(const Metrics& metrics) {
  std::vector<BeforeAfter> sets;
  for (const EvaluationLine& line : metrics.evaluations) {
    const auto same = [&](const BeforeAfter& set) { return set.before->name == line.name; };
    const auto set = std::find_if(sets.begin(), sets.end(), same);
    if (set == sets.end()) {
      sets.push_back({&line, &line});
    } else {
      set->after = &line;
    }
  }
  return sets;
}

struct Pace {
  double step_s = 0, tokens_per_s = 0;
};
// Over the steps after the first, as in step_clock.h.
std::optional<Pace> pace_of(const std::vector<StepLine>& steps) {
  double seconds = 0, tokens = 0;
  for (size_t i = 1; i < steps.size(); ++i) {
    seconds += steps[i].step_s;
    tokens += static_cast<double>(steps[i].tokens);
  }
  if (!(seconds > 0)) return std::nullopt;
  return Pace{seconds / static_cast<double>(steps.size() - 1), tokens / seconds};
}

template <typename Value>
ChartSeries series_of(const std::vector<StepLine>& steps, std::string name, Value value) {
  ChartSeries series{std::move(name), {}};
  for (const StepLine& line : steps) series.points.push_back({line.step, value(line)});
  return series;
}

std::vector<ChartSeries> evaluation_series(const Metrics& metrics) {
  std::vector<ChartSeries> all;
  for (const BeforeAfter& set : by_set(metrics)) {
    ChartSeries& series = all.emplace_back(ChartSeries{set.before->name, {}});
    for (const EvaluationLine& line : metrics.evaluations) {
      if (line.name == series.name) series.points.push_back({line.step, line.loss});
    }
  }
  return all;
}

std::string answer_html(const AnswerLine& answer) {
  return fmt::format(
      "<div><small>after step {}</small><div class=\"answer\" dir=\"auto\">{}</div></div>\n",
      answer.step, html_escaped(answer.answer));
}

std::string scalar_text(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_float()) return readable_number(value.get<double>());
  if (value.is_null()) return "not known";
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string list_text(const Json& list) {
  if (list.size() > kLongList) return fmt::format("{} values", list.size());
  std::string text;
  for (const Json& value : list) {
    if (value.is_structured()) return fmt::format("{} entries", list.size());
    text += (text.empty() ? "" : ", ") + scalar_text(value);
  }
  return text;
}

void flatten(const Json& value, const std::string& key, int depth, Pairs& rows) {
  if (value.is_object() && depth < kDeepest) {
    for (const auto& [name, inner] : value.items()) {
      flatten(inner, key.empty() ? name : key + "." + name, depth + 1, rows);
    }
  } else if (value.is_array()) {
    rows.emplace_back(key, list_text(value));
  } else if (!value.is_object()) {
    rows.emplace_back(key, scalar_text(value));
  }
}

}  // namespace

std::string tiles_html(const Metrics& metrics, const Json& summary) {
  std::string html;
  std::vector<BeforeAfter> sets = by_set(metrics);
  if (sets.size() > kSetsInTiles) sets.resize(kSetsInTiles);
  for (const auto& [before, after] : sets) {
    html += before == after ? tile("loss on " + after->name, loss_text(after->loss))
                            : tile("loss on " + after->name,
                                   loss_text(before->loss) + " → " + loss_text(after->loss),
                                   change_note(before->loss, after->loss));
  }
  if (!metrics.steps.empty()) {
    const StepLine& last = metrics.steps.back();
    html += tile("training loss", loss_text(last.loss), fmt::format("at step {}", last.step));
  }
  if (const auto pace = pace_of(metrics.steps)) {
    html += tile("tokens/s", readable_number(pace->tokens_per_s),
                 readable_number(pace->step_s) + " s/step");
  }
  double peak_mib = number_of(summary, "peak_rss_mib").value_or(0);
  for (const StepLine& line : metrics.steps) {
    if (line.rss_mib > peak_mib) peak_mib = line.rss_mib;
  }
  if (peak_mib > 0) html += tile("peak memory", memory_text(peak_mib), "resident");
  if (const auto startup_s = number_of(summary, "startup_s")) {
    html += tile("to the first step", fmt::format("{:.2f} s", *startup_s), "from process start");
  }
  return html.empty() ? html : "<div class=\"tiles\">\n" + html + "</div>\n";
}

std::string charts_html(const Metrics& metrics) {
  const auto& steps = metrics.steps;
  std::string html;
  if (!steps.empty()) {
    html += chart_svg(
        {"Training loss", "", {series_of(steps, "loss", [](auto& l) { return l.loss; })}});
  }
  if (!metrics.evaluations.empty()) {
    html += chart_svg({"Evaluation loss", "", evaluation_series(metrics)});
  }
  if (!steps.empty()) {
    const auto rate = [](auto& l) { return l.learning_rate; };
    const auto norm = [](auto& l) { return l.gradient_norm; };
    const auto pace = [](auto& l) { return static_cast<double>(l.tokens) / l.step_s; };
    html += chart_svg({"Gradient norm", "", {series_of(steps, "norm", norm)}});
    html += chart_svg({"Learning rate", "", {series_of(steps, "rate", rate)}});
    html += chart_svg({"Speed", "tokens/s", {series_of(steps, "speed", pace)}});
  }
  return html.empty() ? html : "<div class=\"charts\">\n" + html + "</div>\n";
}

std::string answers_html(const Metrics& metrics) {
  std::vector<std::pair<const AnswerLine*, const AnswerLine*>> prompts;
  for (const AnswerLine& line : metrics.answers) {
    const auto same = [&](const auto& pair) { return pair.first->prompt == line.prompt; };
    const auto found = std::find_if(prompts.begin(), prompts.end(), same);
    if (found == prompts.end()) {
      prompts.emplace_back(&line, &line);
    } else {
      found->second = &line;
    }
  }
  std::string html;
  for (const auto& [before, after] : prompts) {
    html += fmt::format("<div class=\"card\"><h3 dir=\"auto\">{}</h3><div class=\"pair\">\n",
                        html_escaped(before->prompt));
    html += answer_html(*before);
    if (after != before) html += answer_html(*after);
    html += "</div></div>\n";
  }
  return html;
}

std::string evaluations_html(const Metrics& metrics) {
  Pairs rows;
  for (const auto& [before, after] : by_set(metrics)) {
    const auto text = [](const EvaluationLine& line) {
      return fmt::format("loss {}, accuracy {}", readable_number(line.loss),
                         std::isfinite(line.accuracy) ? fmt::format("{:.1f} %", 100 * line.accuracy)
                                                      : "not finite");
    };
    rows.emplace_back(fmt::format("{}, step {}", before->name, before->step), text(*before));
    if (after == before) continue;
    rows.emplace_back(fmt::format("{}, step {}", after->name, after->step), text(*after));
  }
  return html_pairs(rows);
}

std::string data_html(const Metrics& metrics, const Json& summary) {
  int64_t tokens = 0, targets = 0, padding = 0, skipped = 0;
  for (const StepLine& line : metrics.steps) {
    tokens += line.tokens;
    targets += line.targets;
    padding += line.padding_tokens;
    skipped += line.skipped ? 1 : 0;
  }
  Pairs rows;
  if (!metrics.steps.empty()) {
    const auto share = [](int64_t part, int64_t whole) {
      const double percent =
          whole > 0 ? 100 * static_cast<double>(part) / static_cast<double>(whole) : 0.0;
      return fmt::format("{} ({:.1f} %)", readable_number(static_cast<double>(part)), percent);
    };
    rows.emplace_back("steps", readable_number(static_cast<double>(metrics.steps.size())));
    rows.emplace_back("epochs", readable_number(metrics.steps.back().epoch));
    rows.emplace_back("tokens", readable_number(static_cast<double>(tokens)));
    rows.emplace_back("targets (trained on)", share(targets, tokens));
    rows.emplace_back("padding", share(padding, tokens + padding));
    if (skipped > 0)
      rows.emplace_back("steps skipped", readable_number(static_cast<double>(skipped)));
  }
  if (summary.is_object() && summary.contains("data")) flatten(summary["data"], "", 0, rows);
  return html_pairs(rows);
}

std::string json_table_html(const Json& object) {
  Pairs rows;
  if (object.is_object()) flatten(object, "", 0, rows);
  return html_pairs(rows);
}

}  // namespace burnish
