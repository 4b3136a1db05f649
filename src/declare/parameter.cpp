#include "declare/parameter.h"

namespace burnish {

int64_t ParameterDeclaration::num_elements() const {
  int64_t product = 1;
  for (const int64_t dim : shape) product *= dim;
  return product;
}

}  // namespace burnish
