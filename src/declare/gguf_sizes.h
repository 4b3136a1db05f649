// The sizes of a GGUF file of any architecture.
#pragma once

#include <nlohmann/json.hpp>

#include "format/gguf.h"

namespace burnish {

/// What the metadata tells, by the keys of config.json ("hidden_size"); other kinds of values than
/// an integer (a list with one for each layer) are left out.
nlohmann::ordered_json sizes_of_gguf(const GgufFile& file);

}  // namespace burnish
