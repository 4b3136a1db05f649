// The stage that turns tokens back into text.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "text/tokenizer/json_value.h"

namespace burnish {

/// A step works on a list of strings: one for each token at first, later perhaps fewer.
class Decoder {
 public:
  virtual ~Decoder() = default;
  virtual void apply(std::vector<std::string>& parts) const = 0;
};

/// From the value of `decoder`; for null, tokens are joined with spaces.
/// @throws Error(model), Error(unsupported) naming file and key
std::unique_ptr<Decoder> make_decoder(const JsonValue& json);

}  // namespace burnish
