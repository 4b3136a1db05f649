// Any bytes: SafetensorsFile hands out tensors that lie within the file, or throws Error.
#include <cstdlib>

#include "check_error.h"
#include "format/safetensors.h"
#include "input_file.h"

namespace {

// Reads every byte that a tensor claims, so that a view out of the file is seen.
void read_all(const burnish::SafetensorsFile& file) {
  unsigned sum = 0;
  for (const burnish::StoredTensor& tensor : file.tensors()) {
    size_t elements = 1;
    for (const int64_t dim : tensor.shape) elements *= static_cast<size_t>(dim);
    if (elements * burnish::size_of(tensor.dtype) != tensor.bytes.size()) std::abort();
    const auto whole = file.file().bytes();
    if (tensor.bytes.data() < whole.data() ||
        tensor.bytes.data() + tensor.bytes.size() > whole.data() + whole.size())
      std::abort();
    for (const std::byte byte : tensor.bytes) sum += static_cast<unsigned>(byte);
  }
  static volatile unsigned sink;
  sink = sum;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const burnish::fuzz::InputFile input(data, size);
  try {
    read_all(burnish::SafetensorsFile(input.path()));
  } catch (const burnish::Error& error) {
    burnish::fuzz::check(error);
  }
  return 0;
}
