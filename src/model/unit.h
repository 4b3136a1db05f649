// A model is a chain of units: embedding, blocks, head. A unit is a pure function of its parameters
// and its input; the engine owns the walk along the chain.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/segments.h"
#include "declare/model_config.h"
#include "model/parameters.h"

namespace burnish {

/// Keys and values of one block for the tokens so far (generation).
struct LayerCache {
  at::Tensor k_SKD, v_SKD;  ///< room for S tokens; the first `length` are filled
  int64_t length = 0;
};

/// What a unit gets besides its parameters.
struct UnitInput {
  at::Tensor ids_T;  ///< int64; the embedding reads it
  at::Tensor x_TE;   ///< hidden states; undefined for the embedding
  const Segments* segments = nullptr;
  std::span<const int32_t> labels;  ///< shifted, -100: no target; the head reads it
  double loss_scale = 1.0;          ///< 1 / targets of the whole step
};

/// What surrounds a forward pass.
struct Context {
  std::vector<LayerCache>* caches = nullptr;  ///< one a block, while generating
  bool want_logits = false;                   ///< the head returns logits in x in place of a loss
};

struct UnitOutput {
  at::Tensor
      x;  ///< [T, E]; of the head: the 0-d loss (sum over targets x loss_scale), or logits [T, V]
  int64_t targets = 0,
          correct = 0;  ///< of the head: targets seen, and those whose argmax was right
};

class Unit {
 public:
  virtual ~Unit() = default;
  virtual UnitOutput forward(const UnitParameters& parameters, const UnitInput& input,
                             Context& context) const = 0;
};

using Chain = std::vector<std::unique_ptr<Unit>>;

/// The chain of a declared model for segments of at most `num_positions` tokens. @throws
/// Error(unsupported) for a family without a forward.
Chain make_chain(const ModelDeclaration& declaration, int64_t num_positions);

}  // namespace burnish
