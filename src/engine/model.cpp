#include "engine/model.h"

namespace burnish {

std::unique_ptr<Model> load_model(const ModelSource& source, const ModelOptions& options) {
  auto model = std::make_unique<Model>();
  model->declaration = declare_model(load_config(source));
  const ModelConfig& config = model->declaration.config;
  model->checkpoint = open_checkpoint(source, model->declaration);
  model->parameters =
      std::make_unique<ModelParameters>(model->declaration, options.dtype, options.trained);
  load_parameters(*model->checkpoint, *model->parameters);
  model->chain =
      make_chain(model->declaration, options.num_positions > 0 ? options.num_positions
                                                               : config.max_position_embeddings);
  return model;
}

}  // namespace burnish
