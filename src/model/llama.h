// The llama family: pre-norm blocks of grouped-query attention with rotary positions and a SwiGLU
// MLP.
#pragma once

#include "model/unit.h"

namespace burnish {

Chain make_llama(const ModelDeclaration& declaration, int64_t num_positions);

}  // namespace burnish
