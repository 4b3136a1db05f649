#include "base/error.h"
#include "model/llama.h"
#include "model/unit.h"

namespace burnish {

Chain make_chain(const ModelDeclaration& declaration, int64_t num_positions) {
  if (declaration.config.model_type == "llama") return make_llama(declaration, num_positions);
  throw Error(ErrorCode::unsupported,
              "no forward for model_type '" + declaration.config.model_type + "'");
}

}  // namespace burnish
