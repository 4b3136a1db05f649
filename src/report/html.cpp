#include "report/html.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "measure/progress_line.h"
#include "report/html_sections.h"
#include "report/html_text.h"
#include "report/page_style.h"

namespace burnish {
namespace fs = std::filesystem;
namespace {

using Json = nlohmann::ordered_json;

std::string card(const std::string& body) {
  return body.empty() ? body : "<div class=\"card\">" + body + "</div>\n";
}

// "8 steps in 1:52 min (14 s/step), final loss 1.55"
std::string lead(const Metrics& metrics) {
  if (metrics.steps.empty()) return "No step was finished.";
  double seconds = 0;
  for (const StepLine& line : metrics.steps) seconds += line.step_s;
  const auto steps = static_cast<double>(metrics.steps.size());
  std::string text =
      fmt::format("{} step{} in {} ({} s/step), final loss {}", metrics.steps.size(),
                  metrics.steps.size() == 1 ? "" : "s", duration_text(seconds),
                  readable_number(seconds / steps), readable_number(metrics.steps.back().loss));
  if (metrics.cut) text += ". The last line of metrics.jsonl was cut off: the process was killed";
  return text + ".";
}

// The summary without its lists and the data's counts, which stand elsewhere on the page.
Json figures_of(const Json& summary) {
  Json figures = Json::object();
  for (const auto& [key, value] : summary.items()) {
    if (key != "data" && !value.is_array()) figures[key] = value;
  }
  return figures;
}

std::string recipe_html(const std::string& yaml) {
  return yaml.empty() ? yaml : card("<pre>" + html_escaped(yaml) + "</pre>");
}

Json read_json(const fs::path& file) {
  if (!fs::exists(file)) return nullptr;
  Json json = Json::parse(read_text_file(file), nullptr, false);
  if (!json.is_object()) {
    throw Error(ErrorCode::data, "not a JSON object", file.string(),
                "Move it away to make the report without it");
  }
  return json;
}

}  // namespace

std::string html_report(const ReportInput& input) {
  const Metrics& metrics = input.metrics;
  std::string html = fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" "
      "content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
      "<title>{0}</title>\n<style>{1}</style>\n</head>\n<body><main>\n<h1>{0}</h1>\n"
      "<p class=\"lead\">{2}</p>\n",
      html_escaped(input.title), kPageStyle, lead(metrics));
  html += tiles_html(metrics, input.summary);
  html += html_section("Curves", charts_html(metrics));
  html += html_section("Answers before and after", answers_html(metrics));
  html += "<div class=\"columns\">\n";
  html += html_section("Evaluations", card(evaluations_html(metrics)));
  html += html_section("Data", card(data_html(metrics, input.summary)));
  html += html_section("Throughput and result", card(json_table_html(figures_of(input.summary))));
  html += html_section("Environment", card(json_table_html(input.environment)));
  html += "</div>\n" + html_section("Settings", recipe_html(input.recipe_yaml));
  return html + fmt::format("<footer>Made by Burnish on {}.</footer>\n</main></body>\n</html>\n",
                            utc_now());
}

void write_report(const fs::path& run_folder) {
  ReportInput input;
  input.title = fs::absolute(run_folder / "").lexically_normal().parent_path().filename().string();
  input.recipe_yaml = read_text_file(run_folder / "recipe.yaml");
  const fs::path metrics = run_folder / "metrics.jsonl";
  if (fs::exists(metrics)) input.metrics = read_metrics(metrics);
  input.environment = read_json(run_folder / "environment.json");
  input.summary = read_json(run_folder / "summary.json");
  write_text_file(run_folder / "report.html", html_report(input));
}

}  // namespace burnish
