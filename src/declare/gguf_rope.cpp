#include "declare/gguf_rope.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/error.h"

namespace burnish {
namespace {
using json = nlohmann::ordered_json;

constexpr const char* kTable = "rope_freqs.weight";

// Converters wrote Llama 3's scaling as divisors of the frequencies, in double, rounded to float32:
// what is told apart here differs by far more than that.
constexpr double kRounding = 2e-6;

struct Llama3Scaling {
  double factor, low, high, original;

  double divisor(double frequency) const {
    const double wave = 2 * std::numbers::pi / frequency;
    if (wave < original / high) return 1;
    if (wave > original / low) return factor;
    const double smooth = (original / wave - low) / (high - low);
    return 1 / ((1 - smooth) / factor + smooth);
  }
};

bool makes(const Llama3Scaling& scaling, double theta, const std::vector<float>& table) {
  const auto pairs = static_cast<double>(table.size());
  for (size_t j = 0; j < table.size(); ++j) {
    const double frequency = std::pow(theta, -static_cast<double>(j) / pairs);
    const double expected = scaling.divisor(frequency);
    if (!(std::abs(table[j] - expected) <= kRounding * expected)) return false;
  }
  return true;
}

json llama3_dict(const Llama3Scaling& scaling) {
  return {{"factor", scaling.factor},
          {"high_freq_factor", scaling.high},
          {"low_freq_factor", scaling.low},
          {"original_max_position_embeddings", static_cast<int64_t>(scaling.original)}};
}

[[noreturn]] void refuse_table(const GgufFile& file, const std::string& what) {
  throw Error(ErrorCode::unsupported, what, file.path().string() + ", tensor " + kTable,
              "Take the model as a folder with config.json and safetensors");
}

// The settings that make exactly this table. Llama 3 has used low 1, high 4 alone; the original
// length is tried over the powers of two.
json scaling_of_table(const GgufFile& file, const GgufTensor& tensor, double theta,
                      int64_t head_dim) {
  if (tensor.shape != std::vector<int64_t>{head_dim / 2} || tensor.type != GgufType::F32)
    refuse_table(file, "this table of rotary divisors is not one F32 for each pair of " +
                           std::to_string(head_dim) + " dimensions");
  std::vector<float> table(static_cast<size_t>(head_dim / 2));
  dequantize(tensor, 0, table);
  if (std::all_of(table.begin(), table.end(), [](float divisor) { return divisor == 1; }))
    return json::object();
  const double factor = *std::max_element(table.begin(), table.end());
  for (double original = 16; original <= 1 << 24; original *= 2) {
    const Llama3Scaling scaling{factor, 1, 4, original};
    if (makes(scaling, theta, table)) return llama3_dict(scaling);
  }
  refuse_table(file, "this table of rotary divisors is no llama3 scaling");
}

void refuse_other_scaling(const GgufFile& file) {
  const std::string prefix = "llama.rope.scaling.";
  const auto* type = file.get<std::string>(prefix + "type");
  if (type != nullptr && *type != "none")
    throw Error(ErrorCode::unsupported, "rotary scaling of type '" + *type + "' is not known",
                file.path().string() + ", key " + prefix + "type");
  for (const std::string& key : {prefix + "factor", std::string("llama.rope.scale_linear")}) {
    const auto* factor = file.get<double>(key);
    if (factor != nullptr && *factor != 1 && *factor != 0)
      throw Error(ErrorCode::unsupported, "linear rotary scaling cannot be run yet",
                  file.path().string() + ", key " + key);
  }
}

}  // namespace

json rope_of_gguf(const GgufFile& file, int64_t head_dim) {
  refuse_other_scaling(file);
  const auto* base = file.get<double>("llama.rope.freq_base");
  const double theta = base == nullptr ? 10000.0 : *base;
  const auto table = file.tensors().find(kTable);
  json rope = table == file.tensors().end()
                  ? json::object()
                  : scaling_of_table(file, table->second, theta, head_dim);
  const bool scaled = !rope.empty();
  rope["rope_theta"] = theta;
  rope["rope_type"] = scaled ? "llama3" : "default";
  return rope;
}

}  // namespace burnish
