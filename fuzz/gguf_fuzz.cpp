// Any bytes: GgufFile hands out tensors that lie within the file and can be dequantized, or throws
// Error; what the overview makes of its metadata (declaration, vocabulary, template) likewise.
#include <cstdlib>
#include <vector>

#include "base/error.h"
#include "declare/model_overview.h"
#include "format/gguf.h"
#include "input_file.h"

namespace {

void read_all(const burnish::GgufFile& file) {
  for (const auto& [name, tensor] : file.tensors()) {
    const auto whole = file.file().bytes();
    if (tensor.bytes.data() < whole.data() ||
        tensor.bytes.data() + tensor.bytes.size() > whole.data() + whole.size())
      std::abort();
    std::vector<float> values(static_cast<size_t>(tensor.num_elements()));
    burnish::dequantize(tensor, 0, values);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const burnish::fuzz::InputFile input(data, size);
  try {
    read_all(burnish::GgufFile(input.path()));
    burnish::overview_of({burnish::ModelSource::Kind::gguf, input.path()});
  } catch (const burnish::Error& error) {
    if (error.code() == burnish::ErrorCode::internal) std::abort();
  }
  return 0;
}
