// Bit by bit against gguf.dequantize (scripts/goldens/make_gguf.py, make_gguf_blocks.py).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <thread>

#include "format/bytes_helper.h"
#include "format/gguf.h"
#include "format/half.h"
#include "format/safetensors.h"

namespace burnish {
namespace {
using namespace testing_bytes;
using ::testing::HasSubstr;

const std::filesystem::path kData = std::filesystem::path(BURNISH_TEST_DATA) / "format";

std::vector<float> all_of(const GgufTensor& tensor) {
  std::vector<float> values(static_cast<size_t>(tensor.num_elements()));
  dequantize(tensor, 0, values);
  return values;
}

void expect_equal(const std::string& name, size_t num_tensors) {
  const GgufFile file(kData / (name + ".gguf"));
  const SafetensorsFile expected(kData / (name + ".safetensors"));
  ASSERT_EQ(file.tensors().size(), num_tensors);
  for (const auto& [name, tensor] : file.tensors()) {
    const StoredTensor* wanted = expected.find(name);
    ASSERT_NE(wanted, nullptr) << name;
    EXPECT_EQ(tensor.shape, wanted->shape) << name;
    const std::vector<float> values = all_of(tensor);
    ASSERT_EQ(values.size() * sizeof(float), wanted->bytes.size()) << name;
    for (size_t i = 0; i < values.size(); ++i) {
      uint32_t bits;
      std::memcpy(&bits, wanted->bytes.data() + i * sizeof bits, sizeof bits);
      ASSERT_EQ(std::bit_cast<uint32_t>(values[i]), bits) << name << ", element " << i;
    }
  }
}

TEST(Dequantize, EqualsTheGgufPackageBitByBit) {
  expect_equal("quants", 10);
}

// Every block format, with scales that are zero, negative, subnormal and as large as they get.
TEST(Dequantize, RandomBlocksEqualTheGgufPackageBitByBit) {
  expect_equal("blocks", 12);
}

TEST(Dequantize, RangesFromSeveralThreadsMakeTheWhole) {
  const GgufFile file(kData / "quants.gguf");
  const GgufFile blocks(kData / "blocks.gguf");
  const auto expect_whole = [](const GgufTensor& tensor) {
    const auto size = static_cast<size_t>(tensor.shape.back());  // a row for each thread
    std::vector<float> parts(static_cast<size_t>(tensor.num_elements()));
    std::vector<std::thread> threads;
    for (size_t first = 0; first < parts.size(); first += size)
      threads.emplace_back([&, first] {
        dequantize(tensor, static_cast<int64_t>(first), std::span(parts).subspan(first, size));
      });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(parts, all_of(tensor)) << tensor.name;
  };
  for (const char* name : {"values.Q4_1", "values.Q8_0", "values.BF16"})
    expect_whole(file.tensors().at(name));
  for (const auto& [name, tensor] : blocks.tensors()) expect_whole(tensor);
}

TEST(Dequantize, TakesWholeBlocksWithinTheTensor) {
  const GgufFile file(kData / "quants.gguf");
  const GgufTensor& tensor = file.tensors().at("values.Q4_0");
  std::vector<float> out(32);
  EXPECT_THAT(failure_of([&] { dequantize(tensor, 16, out); }), HasSubstr("internal: "));
  EXPECT_THAT(failure_of([&] { dequantize(tensor, -32, out); }), HasSubstr("internal: "));
  EXPECT_THAT(failure_of([&] { dequantize(tensor, tensor.num_elements(), out); }),
              HasSubstr("no whole blocks"));
  EXPECT_THAT(failure_of([&] { dequantize(tensor, 0, std::span(out).first(31)); }),
              HasSubstr("no whole blocks"));
  const GgufFile blocks(kData / "blocks.gguf");
  EXPECT_THAT(failure_of([&] { dequantize(blocks.tensors().at("Q4_K"), 0, out); }),
              HasSubstr("no whole blocks"));
}

TEST(Half, EveryBinary16IsExact) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const uint32_t exponent = bits >> 10 & 31, fraction = bits & 1023;
    const float value = float_of_f16(static_cast<uint16_t>(bits));
    if (exponent == 31 && fraction != 0) {
      EXPECT_TRUE(std::isnan(value));
      continue;
    }
    const double magnitude = exponent == 31 ? HUGE_VAL
                             : exponent == 0
                                 ? std::ldexp(fraction, -24)
                                 : std::ldexp(1024 + fraction, static_cast<int>(exponent) - 25);
    EXPECT_EQ(value, bits & 0x8000 ? -magnitude : magnitude);
    EXPECT_EQ(std::signbit(value), (bits & 0x8000) != 0);
  }
}

}  // namespace
}  // namespace burnish
