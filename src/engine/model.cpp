#include "engine/model.h"

namespace burnish {
namespace {

void make_room_for(const std::vector<int32_t>& new_token_ids, ModelDeclaration& declaration) {
  if (new_token_ids.empty() || new_token_ids.back() < declaration.config.vocab_size) return;
  ModelConfig config = declaration.config;
  set_vocab_size(config, new_token_ids.back() + 1);
  declaration = declare_model(config);
}

}  // namespace

std::unique_ptr<Model> load_model(const ModelSource& source, const ModelOptions& options) {
  auto model = std::make_unique<Model>();
  model->declaration = declare_model(load_config(source));
  const ModelConfig& config = model->declaration.config;
  model->checkpoint = open_checkpoint(source, model->declaration);
  make_room_for(options.new_token_ids, model->declaration);
  model->parameters =
      std::make_unique<ModelParameters>(model->declaration, options.dtypes, options.trained);
  load_parameters(*model->checkpoint, *model->parameters);
  if (!options.new_token_ids.empty())
    set_new_rows(*model->parameters, options.new_token_ids.front());
  model->chain =
      make_chain(model->declaration, options.num_positions > 0 ? options.num_positions
                                                               : config.max_position_embeddings);
  return model;
}

}  // namespace burnish
