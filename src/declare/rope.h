// Rotary settings of a config.json of either generation.
#pragma once

#include "declare/config_reader.h"
#include "declare/model_config.h"

namespace burnish {

/// transformers' rule: the dict is rope_scaling where that holds anything, else rope_parameters;
/// rope_theta, original_max_position_embeddings from the top level fill it.
/// @throws Error(unsupported) for a kind that is not there, by name.
RopeConfig parse_rope(const nlohmann::ordered_json& config, int64_t max_position_embeddings,
                      const std::string& where);

}  // namespace burnish
