// The tiny golden models against transformers' numbers (fp32) and an independent fp64 forward
// (scripts/goldens/make_models.py). Tolerances: logits 2e-5, loss 1e-5, gradient norms 1e-3
// relative in fp32; 1e-9 in fp64.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "engine/run_model.h"
#include "format/safetensors.h"

namespace burnish {
namespace {
namespace fs = std::filesystem;

const fs::path kGoldens = fs::path(BURNISH_TEST_DATA) / "golden";

fs::path scratch_file(const std::string& name) {
  return fs::path(testing::TempDir()) / (name + "_" + std::to_string(::getpid()) + ".safetensors");
}

std::vector<double> numbers(const StoredTensor& tensor) {
  std::vector<double> values;
  const auto widen = [&]<class T>(T) {
    const auto* data = reinterpret_cast<const T*>(tensor.bytes.data());
    values.assign(data, data + tensor.bytes.size() / sizeof(T));
  };
  switch (tensor.dtype) {
    case DType::f64:
      widen(double{});
      break;
    case DType::f32:
      widen(float{});
      break;
    case DType::i64:
      widen(int64_t{});
      break;
    case DType::i32:
      widen(int32_t{});
      break;
    default:
      ADD_FAILURE() << tensor.name;
  }
  return values;
}

std::vector<double> numbers(const SafetensorsFile& file, const std::string& name) {
  const StoredTensor* tensor = file.find(name);
  if (tensor == nullptr) {
    ADD_FAILURE() << name << " is missing";
    return {};
  }
  return numbers(*tensor);
}

// "single.input_ids" ... as the input file of `model run`.
fs::path input_of(const SafetensorsFile& golden, const std::string& prefix) {
  std::vector<TensorToWrite> tensors;
  for (const std::string name : {"input_ids", "labels", "attention_mask", "cu_seqlens"}) {
    const StoredTensor* stored = golden.find(prefix + name);
    if (stored != nullptr)
      tensors.push_back({name, stored->dtype, stored->shape,
                         [stored](const auto& sink) { sink(stored->bytes); }});
  }
  const fs::path path = scratch_file("golden_input");
  write_safetensors(path, tensors, {});
  return path;
}

// sum over j of g_j ((37 j mod 101) / 50 - 1): sees transposed and permuted rows
double probe(const std::vector<double>& gradient) {
  double sum = 0;
  for (size_t j = 0; j < gradient.size(); ++j)
    sum += gradient[j] * (static_cast<double>(37 * j % 101) / 50.0 - 1.0);
  return sum;
}

double norm(const std::vector<double>& gradient) {
  double squares = 0;
  for (double g : gradient) squares += g * g;
  return std::sqrt(squares);
}

struct Tolerance {
  double logits, loss, gradient;
};
constexpr Tolerance kFp32{2e-5, 1e-5, 1e-3}, kFp64{1e-9, 1e-9, 1e-9};

class Golden : public testing::TestWithParam<std::string> {
 protected:
  fs::path folder() const { return kGoldens / GetParam(); }

  void check(const std::string& golden_file, const std::string& prefix, DType dtype,
             Tolerance tolerance) {
    const SafetensorsFile inputs(folder() / "golden.safetensors");
    const SafetensorsFile golden(folder() / golden_file);
    const fs::path output = scratch_file("golden_output");
    run_model_file(
        {folder().string(), input_of(inputs, prefix).string(), output.string(), dtype, true});
    const SafetensorsFile ours(output);
    check_logits(inputs, golden, ours, prefix, tolerance.logits);
    EXPECT_NEAR(numbers(ours, "loss")[0], numbers(golden, prefix + "loss")[0], tolerance.loss);
    check_gradients(golden, ours, prefix, tolerance.gradient);
  }

 private:
  static void check_logits(const SafetensorsFile& inputs, const SafetensorsFile& golden,
                           const SafetensorsFile& ours, const std::string& prefix,
                           double tolerance) {
    const auto expected = numbers(golden, prefix + "logits"), actual = numbers(ours, "logits");
    ASSERT_EQ(actual.size(), expected.size());
    const StoredTensor* mask = inputs.find(prefix + "attention_mask");
    const auto kept = mask ? numbers(*mask)
                           : std::vector<double>(numbers(inputs, prefix + "input_ids").size(), 1.0);
    const size_t V = expected.size() / kept.size();
    double worst = 0;
    for (size_t i = 0; i < expected.size(); ++i)
      if (kept[i / V] != 0) worst = std::max(worst, std::abs(actual[i] - expected[i]));
    EXPECT_LE(worst, tolerance) << prefix;
  }

  void check_gradients(const SafetensorsFile& golden, const SafetensorsFile& ours,
                       const std::string& prefix, double tolerance) {
    const auto json = nlohmann::json::parse(std::ifstream(folder() / "golden.json"));
    const auto norms = numbers(golden, prefix + "grad_norm"),
               probes = numbers(golden, prefix + "grad_probe");
    const double largest = *std::max_element(norms.begin(), norms.end());
    for (size_t i = 0; i < norms.size(); ++i) {
      const std::string name = json["grad_rows"][i];
      const auto gradient = numbers(ours, name);
      const double allowed = tolerance * (norms[i] + 1e-4 * largest);
      EXPECT_NEAR(norm(gradient), norms[i], allowed) << prefix << name;
      // a probe sums |g| with weights up to 1: sqrt(n) times the norm bounds it
      EXPECT_NEAR(probe(gradient), probes[i],
                  allowed * std::sqrt(static_cast<double>(gradient.size())))
          << prefix << name;
    }
  }
};

TEST_P(Golden, SingleRow) {
  check("golden.safetensors", "single.", DType::f32, kFp32);
}
TEST_P(Golden, PaddedRows) {
  check("golden.safetensors", "padded.", DType::f32, kFp32);
}
TEST_P(Golden, PackedRow) {
  check("golden.safetensors", "packed.", DType::f32, kFp32);
}
TEST_P(Golden, SingleRowInFp64) {
  check("golden_f64.safetensors", "single.", DType::f64, kFp64);
}
TEST_P(Golden, PackedRowInFp64) {
  check("golden_f64.safetensors", "packed.", DType::f64, kFp64);
}

// The config of transformers 4 gives the same model.
TEST_P(Golden, ConfigOfTheOtherGeneration) {
  const fs::path v4 =
      fs::path(testing::TempDir()) / ("golden_v4_" + GetParam() + std::to_string(::getpid()));
  fs::create_directories(v4);
  fs::copy_file(folder() / "config.v4.json", v4 / "config.json",
                fs::copy_options::overwrite_existing);
  fs::copy_file(folder() / "model.safetensors", v4 / "model.safetensors",
                fs::copy_options::overwrite_existing);
  const SafetensorsFile golden(folder() / "golden.safetensors");
  const fs::path output = scratch_file("golden_v4");
  run_model_file(
      {v4.string(), input_of(golden, "single.").string(), output.string(), DType::f32, false});
  EXPECT_NEAR(numbers(SafetensorsFile(output), "loss")[0], numbers(golden, "single.loss")[0], 1e-5);
}

INSTANTIATE_TEST_SUITE_P(Tiny, Golden, testing::Values("llama", "smollm2"),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace burnish
