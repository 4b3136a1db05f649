#include "train/training_data.h"

#include "recipe/data_options.h"

namespace burnish {
namespace {

EvaluationSet load_evaluation(const std::string& name, const Recipe& recipe,
                              const DataSource& source, const TextFiles& text) {
  Dataset dataset = load_dataset(dataset_options(recipe.data, {source}), text);
  const PackOptions pack = pack_options(recipe.data, false);
  RowStream stream(fit_samples(std::move(dataset.samples), pack, dataset.counts), pack);
  std::vector<Row> rows;
  for (int64_t left = stream.rows_per_epoch(0); left > 0; --left) rows.push_back(stream.next());
  BatchOptions options = batch_options(recipe);
  options.global_batch_rows = static_cast<int64_t>(rows.size());
  return {name, make_step(std::move(rows), options), dataset.sha256};
}

}  // namespace

BatchOptions batch_options(const Recipe& recipe) {
  return {recipe.train.global_batch_rows, recipe.train.micro_batch_rows,
          recipe.train.max_tokens_per_rank};
}

TrainingData load_training_data(const Recipe& recipe, const TextFiles& text) {
  Dataset dataset = load_dataset(dataset_options(recipe.data, recipe.data.train), text);
  const PackOptions pack = pack_options(recipe.data, true);
  DataCounts counts = dataset.counts;
  std::vector<Sample> samples = fit_samples(std::move(dataset.samples), pack, counts);
  TrainingData data{RowStream(std::move(samples), pack), {}, counts, dataset.sha256};
  for (const auto& [name, source] : recipe.data.evaluation)
    data.evaluation.push_back(load_evaluation(name, recipe, source, text));
  return data;
}

}  // namespace burnish
