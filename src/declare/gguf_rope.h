// Rotary scaling in GGUF: settings in the metadata, or a table of divisors (rope_freqs.weight).
#pragma once

#include <nlohmann/json.hpp>

#include "format/gguf.h"

namespace burnish {

/// The rope dict of a config.json: {"rope_theta", "rope_type", ...}.
/// @param head_dim  elements of a head
/// @throws Error(unsupported) for a scaling that is no llama3 scaling, by name.
nlohmann::ordered_json rope_of_gguf(const GgufFile& file, int64_t head_dim);

}  // namespace burnish
