// README.md of an exported model: where it comes from and what was done to it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace burnish {

struct ModelCard {
  std::string name;        ///< heading
  std::string base_model;  ///< recipe's model.source
  std::string base_revision;
  std::string license;  ///< SPDX identifier in lower case, e.g. "apache-2.0"; empty: not known
  struct Data {
    std::string source, sha256;
  };
  std::vector<Data> data;
  std::string recipe_yaml;
  struct Evaluation {
    std::string name;
    double loss_before = 0, loss_after = 0;  ///< NaN: not measured
  };
  std::vector<Evaluation> evaluations;
  double first_loss = 0, final_loss = 0;  ///< of training; NaN: not measured
  int64_t steps = 0, tokens = 0, targets = 0;
  std::map<std::string, std::string> versions;
  std::string date;  ///< UTC
};

/// Markdown with YAML front matter (base_model, library_name, pipeline_tag, license, tags). Any
/// text may stand in the fields: it is quoted for YAML and Markdown.
std::string model_card_text(const ModelCard& card);

}  // namespace burnish
