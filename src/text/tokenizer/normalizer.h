// The stage that rewrites a text before it is cut.
#pragma once

#include <memory>

#include "text/tokenizer/aligned_text.h"
#include "text/tokenizer/json_value.h"
#include "text/tokenizer/regex.h"

namespace burnish {

class Normalizer {
 public:
  virtual ~Normalizer() = default;
  virtual void apply(AlignedText& text, RegexScratch& scratch) const = 0;
};

/// From the value of `normalizer`; nullptr for null.
/// @throws Error(model), Error(unsupported) naming file and key
std::unique_ptr<Normalizer> make_normalizer(const JsonValue& json);

}  // namespace burnish
