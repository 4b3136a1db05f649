#include "data/inspect.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>
#include <utility>

#include "base/error.h"
#include "data/rows_file.h"

namespace burnish {
namespace {
using Json = nlohmann::ordered_json;

class Inspector {
 public:
  Inspector(const DatasetOptions& options, const PackOptions& pack, const TextFiles& text)
      : options_(options), pack_(pack), text_(text) {
    inspection_.sequence_length = pack.sequence_length;
  }

  void take_file(const std::string& file) {
    const RowsOfFile read = read_rows(file, {options_.format, true, true});
    auto bad = read.bad_lines.begin();
    for (const Conversation& row : read.rows) {
      for (; bad != read.bad_lines.end() && bad->where.line < row.where.line; ++bad) drop(*bad);
      take_row(row);
    }
    for (; bad != read.bad_lines.end(); ++bad) drop(*bad);
  }

  Inspection finish() {
    const DataCounts& counts = inspection_.counts;
    const int64_t length = inspection_.sequence_length;
    inspection_.rows =
        pack_.packing == "none" ? counts.samples : (counts.tokens + length - 1) / length;
    if (inspection_.rows > 0)
      inspection_.fill = static_cast<double>(counts.tokens) /
                         (static_cast<double>(inspection_.rows) * static_cast<double>(length));
    return std::move(inspection_);
  }

 private:
  void drop(const BadLine& line) {
    ++inspection_.counts.bad_lines;
    InspectedSample sample{line.where, {}, {}, {}, line.reason, true};
    inspection_.samples.push_back(std::move(sample));
  }

  void take_row(const Conversation& row) {
    RenderedSample rendered;
    FittedSample fitted;
    try {
      rendered = render_sample(row, text_, options_.render);
      fitted = fit_sample(std::move(rendered.sample), pack_, inspection_.counts);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::data && error.code() != ErrorCode::unsupported) throw;
      drop({row.where, error.fact()});
      return;
    }
    if (fitted.pieces.empty())
      inspection_.samples.push_back(
          {row.where, std::move(rendered.text), {}, {}, fitted.reason, true});
    for (Sample& piece : fitted.pieces) {
      inspection_.samples.push_back({row.where, rendered.text, std::move(piece.ids),
                                     std::move(piece.target), fitted.reason, false});
    }
  }

  const DatasetOptions& options_;
  const PackOptions& pack_;
  const TextFiles& text_;
  Inspection inspection_;
};

// Runs of tokens that are all targets or all not.
struct TokenRun {
  size_t begin = 0, end = 0;
  bool target = false;
};

std::vector<TokenRun> runs_of(const std::vector<uint8_t>& target) {
  std::vector<TokenRun> runs;
  for (size_t t = 0; t < target.size(); ++t) {
    if (runs.empty() || runs.back().target != (target[t] != 0))
      runs.push_back({t, t, target[t] != 0});
    runs.back().end = t + 1;
  }
  return runs;
}

// Control characters of foreign text must not reach the terminal.
std::string printable(const std::string& text) {
  std::string result;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\n' || c == '\t' || (byte >= 0x20 && byte != 0x7F))
      result += c;
    else
      result += fmt::format("\\x{:02x}", byte);
  }
  return result;
}

std::string marked(const std::string& text, bool target, bool colour) {
  if (!colour) return target ? "⟦" + text + "⟧" : text;
  return (target ? "\x1b[1;32m" : "\x1b[2m") + text + "\x1b[0m";
}

std::string body_of(const InspectedSample& sample, const Tokenizer& tokenizer, bool colour) {
  std::string body;
  for (const TokenRun& run : runs_of(sample.target)) {
    const std::span<const int32_t> ids(sample.ids.data() + run.begin, run.end - run.begin);
    body += marked(printable(tokenizer.decode(ids)), run.target, colour);
  }
  return body;
}

double percent(int64_t part, int64_t whole) {
  return whole == 0 ? 0.0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

void write_summary(std::ostream& out, const Inspection& inspection) {
  const DataCounts& counts = inspection.counts;
  out << fmt::format("{} samples, {} tokens, {} of them trained on ({:.1f} %)\n", counts.samples,
                     counts.tokens, counts.targets, percent(counts.targets, counts.tokens));
  out << fmt::format("{} rows of {} tokens an epoch, {:.1f} % filled\n", inspection.rows,
                     inspection.sequence_length, 100.0 * inspection.fill);
  const auto line = [&](int64_t samples, int64_t tokens, const char* what) {
    if (samples > 0) out << fmt::format("{} {} ({} tokens lost)\n", samples, what, tokens);
  };
  line(counts.samples_truncated, counts.tokens_truncated, "truncated");
  line(counts.samples_dropped_overlong, counts.tokens_dropped_overlong, "dropped as overlong");
  line(counts.samples_dropped_without_target, counts.tokens_dropped_without_target,
       "dropped without a target");
  if (counts.samples_split > 0) out << counts.samples_split << " split\n";
  if (counts.bad_lines == 0) return;
  out << counts.bad_lines << " rows cannot be used:\n";
  std::map<std::string, std::pair<int64_t, std::string>> by_reason;
  for (const InspectedSample& sample : inspection.samples) {
    if (!sample.dropped || !sample.text.empty()) continue;
    auto& entry = by_reason[sample.reason];
    if (++entry.first == 1) entry.second = place_of(sample.where);
  }
  for (const auto& [reason, entry] : by_reason)
    out << fmt::format("  {} x {} (first: {})\n", entry.first, printable(reason), entry.second);
}

}  // namespace

Inspection inspect_data(const DatasetOptions& options, const PackOptions& pack,
                        const TextFiles& text) {
  Inspector inspector(options, pack, text);
  for (const std::string& file : options.files) inspector.take_file(file);
  return inspector.finish();
}

void write_inspection_json(std::ostream& out, const Inspection& inspection) {
  for (const InspectedSample& sample : inspection.samples) {
    Json line{{"file", sample.where.file}, {"line", sample.where.line}};
    if (!sample.dropped || !sample.text.empty()) line["text"] = sample.text;
    if (sample.dropped) {
      line["dropped"] = sample.reason;
    } else {
      std::vector<int32_t> labels(sample.ids.size(), kIgnoreLabel);
      for (size_t t = 0; t < labels.size(); ++t)
        if (sample.target[t] != 0) labels[t] = sample.ids[t];
      line["input_ids"] = sample.ids;
      line["labels"] = std::move(labels);
      if (!sample.reason.empty()) line["note"] = sample.reason;
    }
    out << line.dump(-1, ' ', false, Json::error_handler_t::replace) << "\n";
  }
}

void write_inspection_view(std::ostream& out, const Inspection& inspection,
                           const Tokenizer& tokenizer, const InspectionView& view) {
  int64_t shown = 0;
  for (const InspectedSample& sample : inspection.samples) {
    if (shown++ >= view.samples) break;
    out << fmt::format("--- {}{}\n", place_of(sample.where),
                       sample.reason.empty() ? "" : ": " + printable(sample.reason));
    if (sample.dropped)
      out << "(dropped)\n";
    else
      out << body_of(sample, tokenizer, view.colour) << "\n";
  }
  if (shown > 0) out << "---\n";
  write_summary(out, inspection);
}

}  // namespace burnish
