#include "format/safetensors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <rapidcheck/gtest.h>

#include "base/hash.h"
#include "format/bytes_helper.h"
#include "format/utf8.h"

namespace burnish {
namespace {
using namespace testing_bytes;
using ::testing::AllOf;
using ::testing::HasSubstr;

std::string failure_with(std::string_view bytes) {
  const auto path = write_bytes(scratch("safetensors") / "lying.safetensors", bytes);
  return failure_of([&] { SafetensorsFile file(path); });
}

std::string failure_with_header(std::string_view header, std::string_view data = {}) {
  return failure_with(safetensors_bytes(header, data));
}

TEST(Safetensors, ReadsTensorsInFileOrderAndMetadata) {
  const std::string header =
      R"({"__metadata__":{"format":"pt"},"b":{"dtype":"U8","shape":[2],"data_offsets":[4,6]},)"
      R"("empty":{"dtype":"F32","shape":[0,3],"data_offsets":[4,4]},)"
      R"("a":{"dtype":"F32","shape":[],"data_offsets":[0,4]}}   )";
  const auto path = write_bytes(scratch("safetensors") / "good.safetensors",
                                safetensors_bytes(header, packed(1.5F) + "xy"));
  const SafetensorsFile file(path);
  ASSERT_EQ(file.tensors().size(), 3u);
  EXPECT_EQ(file.tensors()[0].name, "a");
  EXPECT_EQ(file.tensors()[1].name, "empty");
  EXPECT_EQ(file.tensors()[2].name, "b");
  EXPECT_EQ(file.metadata().at("format"), "pt");
  ASSERT_NE(file.find("b"), nullptr);
  EXPECT_EQ(file.find("b")->bytes[1], std::byte{'y'});
  EXPECT_EQ(file.find("b")->shape, std::vector<int64_t>{2});
  EXPECT_EQ(file.find("c"), nullptr);
}

TEST(Safetensors, RefusesALengthThatTheFileDoesNotHave) {
  EXPECT_THAT(failure_with("short"), HasSubstr("5 bytes, too few"));
  EXPECT_THAT(failure_with(""), HasSubstr("0 bytes, too few"));
  EXPECT_THAT(failure_with(packed<uint64_t>(100) + "{}"),
              AllOf(HasSubstr("model: "), HasSubstr("lying.safetensors"),
                    HasSubstr("claims 100 bytes, but only 2 follow")));
  EXPECT_THAT(failure_with(packed<uint64_t>(UINT64_MAX) + "{}"),
              HasSubstr("no safetensors header is longer than"));
}

TEST(Safetensors, RefusesAHeaderThatIsNoJsonObject) {
  EXPECT_THAT(failure_with_header(""), HasSubstr("not valid JSON"));
  EXPECT_THAT(failure_with_header("[1]"), HasSubstr("object is needed, not array"));
  EXPECT_THAT(failure_with_header("{\"a\":"), HasSubstr("not valid JSON"));
  EXPECT_THAT(failure_with_header("{\"\xFF\":{}}"), HasSubstr("UTF-8"));
  EXPECT_TRUE(is_utf8(failure_with_header("{\"a\": tr\u4F60}")));  // cut within a character
  EXPECT_THAT(failure_with_header("{\"a\":" + std::string(100'000, '[')), HasSubstr("nested"));
  EXPECT_THAT(failure_with_header(R"({"a":7})"),
              HasSubstr("tensor a: its entry is no JSON object"));
  EXPECT_THAT(failure_with_header(R"({"__metadata__":{"x":1}})"), HasSubstr("__metadata__ x"));
}

TEST(Safetensors, RefusesNamesAndKeysThatStandThereTwice) {
  const std::string entry = R"({"dtype":"U8","shape":[1],"data_offsets":[0,1]})";
  EXPECT_THAT(failure_with_header("{\"a\":" + entry + ",\"a\":" + entry + "}", "x"),
              HasSubstr("\"a\" stands there twice"));
  EXPECT_THAT(failure_with_header(
                  R"({"a":{"dtype":"U8","dtype":"I8","shape":[1],"data_offsets":[0,1]}})", "x"),
              HasSubstr("\"dtype\" stands there twice"));
}

TEST(Safetensors, RefusesUnknownDTypes) {
  EXPECT_THAT(
      failure_with_header(R"({"a":{"dtype":"F33","shape":[1],"data_offsets":[0,4]}})", "1234"),
      AllOf(HasSubstr("model: "), HasSubstr("tensor a: unknown dtype \"F33\"")));
  EXPECT_THAT(
      failure_with_header(R"({"a":{"dtype":"F8_E4M3","shape":[1],"data_offsets":[0,1]}})", "1"),
      AllOf(HasSubstr("unsupported: "), HasSubstr("F8_E4M3")));
  EXPECT_THAT(failure_with_header(R"({"a":{"shape":[1],"data_offsets":[0,1]}})", "1"),
              HasSubstr("no dtype"));
}

std::string failure_with_entry(const std::string& dtype, const std::string& shape,
                               const std::string& offsets, std::string_view data) {
  return failure_with_header("{\"w\":{\"dtype\":\"" + dtype + "\",\"shape\":" + shape +
                                 ",\"data_offsets\":" + offsets + "}}",
                             data);
}

TEST(Safetensors, RefusesShapesThatDoNotFitTheBytes) {
  EXPECT_THAT(failure_with_entry("F32", "[2]", "[0,4]", "1234"),
              HasSubstr("tensor w: shape [2] of F32 takes 8 bytes, its offsets hold 4"));
  EXPECT_THAT(failure_with_entry("F32", "[4294967296,4294967296]", "[0,4]", "1234"),
              HasSubstr("more than 2^63"));
  EXPECT_THAT(failure_with_entry("F32", "[4611686018427387904]", "[0,0]", ""),
              HasSubstr("more than 2^63"));
  EXPECT_THAT(failure_with_entry("F32", "[4294967296,4294967296,0]", "[0,0]", ""),
              HasSubstr("more than 2^63"));
  EXPECT_THAT(failure_with_entry("F32", "[-1]", "[0,4]", "1234"), HasSubstr("shape holds -1"));
  EXPECT_THAT(failure_with_entry("F32", "[1.0]", "[0,4]", "1234"), HasSubstr("shape holds 1.0"));
  EXPECT_THAT(failure_with_entry("F32", "[18446744073709551615]", "[0,4]", "1234"),
              HasSubstr("which is no size"));
  EXPECT_THAT(failure_with_entry("F32", "{}", "[0,4]", "1234"), HasSubstr("no list shape"));
}

TEST(Safetensors, RefusesOffsetsOutsideTheFile) {
  EXPECT_THAT(failure_with_entry("U8", "[5]", "[0,5]", "1234"),
              HasSubstr("ends at byte 5 of the data, which has 4 bytes"));
  EXPECT_THAT(failure_with_entry("U8", "[1]", "[9223372036854775806,9223372036854775807]", "1234"),
              HasSubstr("ends at byte 9223372036854775807"));
  EXPECT_THAT(failure_with_entry("U8", "[1]", "[3,2]", "1234"), HasSubstr("no begin and end"));
  EXPECT_THAT(failure_with_entry("U8", "[1]", "[1]", "1234"), HasSubstr("no begin and end"));
  EXPECT_THAT(failure_with_entry("U8", "[1]", "[-1,0]", "1234"),
              HasSubstr("data_offsets holds -1"));
}

TEST(Safetensors, RefusesOverlapsHolesAndTrailingBytes) {
  const auto two = [](const char* first, const char* second, std::string_view data) {
    return failure_with_header(std::string(R"({"a":{"dtype":"U8","shape":[2],"data_offsets":)") +
                                   first + R"(},"b":{"dtype":"U8","shape":[2],"data_offsets":)" +
                                   second + "}}",
                               data);
  };
  EXPECT_EQ(two("[0,2]", "[2,4]", "1234"), "no error");
  EXPECT_EQ(two("[2,4]", "[0,2]", "1234"), "no error");
  EXPECT_THAT(two("[0,2]", "[1,3]", "123"), HasSubstr("tensor b: it overlaps"));
  EXPECT_THAT(two("[0,2]", "[0,2]", "12"), HasSubstr("overlaps"));
  EXPECT_THAT(two("[0,2]", "[3,5]", "12345"), HasSubstr("1 bytes before it belong to no tensor"));
  EXPECT_THAT(two("[1,3]", "[3,5]", "12345"), HasSubstr("tensor a: the 1 bytes before it"));
  EXPECT_THAT(two("[0,2]", "[2,4]", "12345"), HasSubstr("last 1 bytes of the file"));
  EXPECT_THAT(failure_with_header("{}", "x"), HasSubstr("last 1 bytes"));
  EXPECT_EQ(failure_with_header("{}"), "no error");
}

TEST(Safetensors, EveryTruncationIsRefused) {
  const std::string whole =
      safetensors_bytes(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})", "12345678");
  for (size_t size = 0; size < whole.size(); ++size)
    EXPECT_THAT(failure_with(std::string_view(whole).substr(0, size)), HasSubstr("model: "))
        << size;
}

RC_GTEST_PROP(Safetensors, AChangedFileIsReadOrRefused, ()) {
  std::string bytes = safetensors_bytes(
      R"({"__metadata__":{"k":"v"},"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})",
      "12345678");
  for (int i = *rc::gen::inRange(1, 5); i > 0; --i)
    bytes[*rc::gen::inRange<size_t>(0, bytes.size())] = *rc::gen::arbitrary<char>();
  const std::string failure = failure_with(bytes);
  RC_ASSERT(failure == "no error" || failure.find("lying.safetensors") != std::string::npos);
}

TensorToWrite tensor_of(std::string name, DType dtype, std::vector<int64_t> shape,
                        std::string bytes) {
  return {std::move(name), dtype, std::move(shape), [bytes](const auto& sink) {
            const auto all = std::as_bytes(std::span(bytes));
            sink(all.first(all.size() / 2));
            sink(all.subspan(all.size() / 2));
          }};
}

TEST(SafetensorsWriter, WhatIsWrittenIsReadAndHashed) {
  const auto path = scratch("safetensors") / "written.safetensors";
  const std::string hash = write_safetensors(path,
                                             {tensor_of("x", DType::bf16, {3}, "abcdef"),
                                              tensor_of("ü.weight", DType::f32, {1, 2}, "12345678"),
                                              tensor_of("none", DType::f32, {0}, "")},
                                             {{"format", "pt"}});
  EXPECT_EQ(hash, sha256_of_file(path));
  const SafetensorsFile file(path);
  ASSERT_EQ(file.tensors().size(), 3u);
  EXPECT_EQ(file.metadata().at("format"), "pt");
  const StoredTensor* wide = file.find("ü.weight");
  ASSERT_NE(wide, nullptr);
  EXPECT_EQ(wide->shape, (std::vector<int64_t>{1, 2}));
  EXPECT_EQ(std::memcmp(wide->bytes.data(), "12345678", 8), 0);
  EXPECT_EQ(std::memcmp(file.find("x")->bytes.data(), "abcdef", 6), 0);
  // wide elements come first, so that all stand at multiples of their size
  for (const StoredTensor& tensor : file.tensors())
    EXPECT_EQ((tensor.bytes.data() - file.file().bytes().data()) %
                  static_cast<ptrdiff_t>(size_of(tensor.dtype)),
              0);
}

TEST(SafetensorsWriter, AWrongNumberOfBytesLeavesNoFile) {
  const auto path = scratch("safetensors") / "short.safetensors";
  EXPECT_THAT(
      failure_of([&] { write_safetensors(path, {tensor_of("x", DType::f32, {2}, "123")}, {}); }),
      AllOf(HasSubstr("internal: tensor x"), HasSubstr("3 bytes"), HasSubstr("of 8")));
  EXPECT_FALSE(std::filesystem::exists(path));
  EXPECT_THAT(failure_of([&] {
                write_safetensors(
                    path,
                    {tensor_of("x", DType::u8, {1}, "1"), tensor_of("x", DType::u8, {1}, "2")}, {});
              }),
              HasSubstr("two tensors of one name"));
}

}  // namespace
}  // namespace burnish
