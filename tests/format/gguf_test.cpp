// Whole files made by the gguf package (scripts/goldens/make_gguf.py), and lying ones made here.
#include "format/gguf.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <rapidcheck/gtest.h>
#include <map>

#include "format/bytes_helper.h"

namespace burnish {
namespace {
using namespace testing_bytes;
using ::testing::AllOf;
using ::testing::HasSubstr;

const std::filesystem::path kData = std::filesystem::path(BURNISH_TEST_DATA) / "format";
constexpr uint32_t kU32 = 4, kF32 = 6, kBool = 7, kText = 8, kArray = 9, kU64 = 10;

std::string failure_with(std::string_view bytes) {
  const auto path = write_bytes(scratch("gguf") / "lying.gguf", bytes);
  return failure_of([&] { GgufFile file(path); });
}

std::string failure_with(const GgufParts& parts) {
  return failure_with(parts.bytes());
}

TEST(Gguf, ReadsEveryKindOfMetadata) {
  const GgufFile file(kData / "metadata.gguf");
  EXPECT_EQ(file.need<int64_t>("u8"), 255);
  EXPECT_EQ(file.need<int64_t>("i8"), -128);
  EXPECT_EQ(file.need<int64_t>("u16"), 65535);
  EXPECT_EQ(file.need<int64_t>("i16"), -32768);
  EXPECT_EQ(file.need<int64_t>("u32"), 4294967295);
  EXPECT_EQ(file.need<int64_t>("i32"), INT32_MIN);
  EXPECT_EQ(file.need<int64_t>("u64"), INT64_MAX);
  EXPECT_EQ(file.need<int64_t>("i64"), INT64_MIN);
  EXPECT_EQ(file.need<double>("f32"), static_cast<double>(0.1F));
  EXPECT_EQ(file.need<double>("f64"), 0.1);
  EXPECT_TRUE(file.need<bool>("yes"));
  EXPECT_FALSE(file.need<bool>("no"));
  EXPECT_EQ(file.need<std::string>("text"), "Grüße \U0001F525\n");
  EXPECT_EQ(file.need<std::vector<int64_t>>("integers"), (std::vector<int64_t>{1, -2, 3}));
  EXPECT_EQ(file.need<std::vector<double>>("numbers"), (std::vector<double>{0.5, -0.25}));
  EXPECT_EQ(file.need<std::vector<bool>>("booleans"), (std::vector<bool>{true, false}));
  EXPECT_EQ(file.need<std::vector<std::string>>("texts"), (std::vector<std::string>{"a", "", "ü"}));
}

TEST(Gguf, HonoursTheAlignmentKey) {
  const GgufFile file(kData / "metadata.gguf");
  EXPECT_EQ(file.need<int64_t>("general.alignment"), 64);
  const GgufTensor& two = file.tensors().at("two");
  EXPECT_EQ(two.shape, std::vector<int64_t>{2});
  EXPECT_EQ((two.bytes.data() - file.file().bytes().data()) % 64, 0);
  std::vector<float> values(2);
  dequantize(two, 0, values);
  EXPECT_THAT(values, ::testing::ElementsAre(2.0F, 3.0F));
}

TEST(Gguf, NamesKeysThatAreMissingOrOfAnotherType) {
  const GgufFile file(kData / "metadata.gguf");
  EXPECT_EQ(file.get<int64_t>("nothing"), nullptr);
  EXPECT_THAT(failure_of([&] { file.need<int64_t>("nothing"); }),
              AllOf(HasSubstr("model: "), HasSubstr("key nothing: the key is missing")));
  EXPECT_THAT(failure_of([&] { file.get<int64_t>("text"); }),
              HasSubstr("key text: an integer is needed here, not a text"));
  EXPECT_THAT(failure_of([&] { file.get<std::vector<bool>>("u8"); }),
              HasSubstr("a list of booleans is needed here, not an integer"));
}

TEST(Gguf, RefusesOtherVersionsByName) {
  GgufParts parts;
  EXPECT_EQ(failure_with(parts), "no error");
  parts.version = 2;
  EXPECT_EQ(failure_with(parts), "no error");
  parts.version = 1;
  EXPECT_THAT(failure_with(parts), AllOf(HasSubstr("unsupported: "), HasSubstr("GGUF version 1")));
  parts.version = 4;
  EXPECT_THAT(failure_with(parts), HasSubstr("GGUF version 4"));
  parts.version = 0x03000000;
  EXPECT_THAT(failure_with(parts), HasSubstr("big-endian"));
  parts.magic = "GGML";
  EXPECT_THAT(failure_with(parts), HasSubstr("no GGUF file"));
  EXPECT_THAT(failure_with(""), HasSubstr("no GGUF file"));
}

TEST(Gguf, TrustsNoCount) {
  GgufParts parts;
  parts.num_keys = UINT64_MAX;
  EXPECT_THAT(failure_with(parts), HasSubstr("claims 18446744073709551615 keys"));
  parts.num_keys = 0;
  parts.num_tensors = uint64_t{1} << 40;
  EXPECT_THAT(failure_with(parts), HasSubstr("claims 1099511627776 tensors"));
  parts = GgufParts().key("list", kArray, packed(kU64) + packed(uint64_t{1} << 61));
  EXPECT_THAT(failure_with(parts),
              AllOf(HasSubstr("key list"), HasSubstr("claims 2305843009213693952 array items")));
  parts = GgufParts().key("list", kArray, packed(kText) + packed(uint64_t{1} << 61));
  EXPECT_THAT(failure_with(parts), HasSubstr("array items"));
}

TEST(Gguf, TrustsNoLength) {
  EXPECT_THAT(failure_with(GgufParts().key("k", kText, packed(UINT64_MAX) + "text")),
              AllOf(HasSubstr("key k"), HasSubstr("the file ends at byte")));
  GgufParts parts;
  parts.keys = packed(uint64_t{1000}) + "name";
  parts.num_keys = 1;
  parts.keys.resize(64, 'x');
  EXPECT_THAT(failure_with(parts), AllOf(HasSubstr("key 1 of 1"), HasSubstr("the file ends")));
}

TEST(Gguf, RefusesValuesThatAreNone) {
  EXPECT_THAT(failure_with(GgufParts().key("k", 13, "12345678")), HasSubstr("value type 13"));
  EXPECT_THAT(failure_with(GgufParts().key("k", kBool, "\x02")), HasSubstr("a boolean is 2"));
  EXPECT_THAT(failure_with(GgufParts().key("k", kU64, packed(UINT64_MAX))), HasSubstr("int64"));
  EXPECT_THAT(failure_with(GgufParts().key("k", kArray, packed(kArray) + packed(uint64_t{0}))),
              HasSubstr("arrays of arrays"));
  EXPECT_THAT(
      failure_with(GgufParts().key("k", kArray, packed(uint32_t{99}) + packed(uint64_t{0}))),
      HasSubstr("value type 99"));
  EXPECT_THAT(failure_with(GgufParts().key("\xC0\x80", kU32, "1234")), HasSubstr("UTF-8"));
  EXPECT_THAT(failure_with(GgufParts().key("", kU32, "1234")), HasSubstr("a name of 0 bytes"));
  EXPECT_THAT(failure_with(GgufParts().key("k", kU32, "1234").key("k", kU32, "1234")),
              HasSubstr("key k: the key stands there twice"));
}

TEST(Gguf, RefusesAlignmentsThatAreNone) {
  for (const uint32_t alignment : {0u, 1u, 4u, 24u, 0x80000000u})
    EXPECT_THAT(failure_with(GgufParts().key("general.alignment", kU32, packed(alignment))),
                AllOf(HasSubstr("general.alignment"), HasSubstr("no power of two")))
        << alignment;
  EXPECT_THAT(failure_with(GgufParts().key("general.alignment", kF32, packed(32.0F))),
              HasSubstr("no integer"));
}

GgufParts with_tensor(const std::vector<uint64_t>& dims, uint32_t type, uint64_t offset,
                      size_t data) {
  GgufParts parts;
  parts.tensor("w", dims, type, offset).data.assign(data, '\0');
  return parts;
}

TEST(Gguf, RefusesTensorsThatDoNotFitTheFile) {
  EXPECT_EQ(failure_with(with_tensor({4, 2}, 0, 0, 32)), "no error");
  EXPECT_THAT(
      failure_with(with_tensor({4, 2}, 0, 0, 31)),
      AllOf(HasSubstr("model: "), HasSubstr("tensor w"), HasSubstr("reach beyond the file")));
  EXPECT_THAT(failure_with(with_tensor({8}, 0, 32, 32)), HasSubstr("reach beyond"));
  EXPECT_THAT(failure_with(with_tensor({8}, 0, UINT64_MAX - 31, 32)), HasSubstr("reach beyond"));
  EXPECT_THAT(failure_with(with_tensor({8}, 0, 16, 64)), HasSubstr("no multiple of the alignment"));
  EXPECT_THAT(failure_with(with_tensor({uint64_t{1} << 32, uint64_t{1} << 32}, 0, 0, 32)),
              HasSubstr("2^63"));
  EXPECT_THAT(failure_with(with_tensor({uint64_t{1} << 62}, 0, 0, 32)), HasSubstr("2^63"));
  EXPECT_THAT(failure_with(with_tensor({UINT64_MAX}, 0, 0, 32)), HasSubstr("a dimension is"));
  EXPECT_THAT(failure_with(with_tensor({1, 1, 1, 1, 1}, 0, 0, 32)), HasSubstr("5 dimensions"));
  EXPECT_THAT(failure_with(with_tensor({33}, 3, 0, 64)), HasSubstr("no multiple of the 32"));
}

TEST(Gguf, RefusesTypesByName) {
  const std::map<uint32_t, std::string> unread = {
      {9, "Q8_1"},   {15, "Q8_K"},  {16, "IQ2_XXS"}, {17, "IQ2_XS"}, {18, "IQ3_XXS"}, {19, "IQ1_S"},
      {21, "IQ3_S"}, {22, "IQ2_S"}, {24, "I8"},      {28, "F64"},    {29, "IQ1_M"},   {34, "TQ1_0"},
      {35, "TQ2_0"}, {39, "MXFP4"}, {40, "NVFP4"},   {41, "Q1_0"}};
  for (const auto& [type, name] : unread)
    EXPECT_THAT(failure_with(with_tensor({256}, type, 0, 2048)),
                AllOf(HasSubstr("unsupported: "), HasSubstr("tensor w"),
                      HasSubstr("of type " + name + " cannot")));
  EXPECT_THAT(failure_with(with_tensor({256}, 77, 0, 256)),
              AllOf(HasSubstr("model: "), HasSubstr("tensor type 77")));
  for (const uint32_t never : {4u, 5u, 31u, 36u, 42u})
    EXPECT_THAT(failure_with(with_tensor({256}, never, 0, 2048)), HasSubstr("unknown tensor type"));
  EXPECT_EQ(gguf_type_name(3), "Q4_1");
  EXPECT_EQ(gguf_type_name(4), "type 4");
  EXPECT_EQ(gguf_type_name(77), "type 77");
  EXPECT_EQ(gguf_type_name(41), "Q1_0");
}

// Bytes of a block as in ggml, and the elements in it.
TEST(Gguf, HoldsShapesAgainstWholeBlocks) {
  struct Format {
    uint32_t type;
    uint64_t elements, bytes;
  };
  for (const Format& format :
       {Format{2, 32, 18}, Format{3, 32, 20}, Format{6, 32, 22}, Format{7, 32, 24},
        Format{8, 32, 34}, Format{10, 256, 84}, Format{11, 256, 110}, Format{12, 256, 144},
        Format{13, 256, 176}, Format{14, 256, 210}, Format{20, 32, 18}, Format{23, 256, 136}}) {
    const auto with_shape = [&](const std::vector<uint64_t>& dims, size_t bytes) {
      return failure_with(with_tensor(dims, format.type, 0, bytes));
    };
    const std::string name = gguf_type_name(format.type);
    EXPECT_EQ(with_shape({2 * format.elements, 3}, 6 * format.bytes), "no error") << name;
    EXPECT_THAT(with_shape({2 * format.elements, 3}, 6 * format.bytes - 1),
                AllOf(HasSubstr("model: "), HasSubstr("reach beyond the file")))
        << name;
    // one element more or less; whole blocks that no row holds
    for (const auto& dims : {std::vector<uint64_t>{format.elements + 1},
                             {format.elements - 1},
                             {format.elements / 2, 2},
                             {1, format.elements}})
      EXPECT_THAT(with_shape(dims, 2 * format.bytes),
                  AllOf(HasSubstr("model: "), HasSubstr("tensor w"),
                        HasSubstr("no multiple of the"), HasSubstr("in a block of " + name)))
          << name;
    EXPECT_THAT(with_shape({uint64_t{1} << 62, 2}, 64), HasSubstr("2^63")) << name;
  }
}

TEST(Gguf, RefusesOverlapsAndRepeatedTensors) {
  GgufParts parts;
  parts.tensor("a", {16}, 0, 0).tensor("b", {8}, 0, 32).data.assign(64, '\0');
  EXPECT_THAT(failure_with(parts), HasSubstr("tensor b: it overlaps tensor a"));
  parts = GgufParts();
  parts.tensor("a", {8}, 0, 0).tensor("a", {8}, 0, 32).data.assign(64, '\0');
  EXPECT_THAT(failure_with(parts), HasSubstr("tensor a: the tensor stands there twice"));
}

TEST(Gguf, EveryTruncationIsRefused) {
  std::string whole = GgufParts()
                          .key("k", kText, gguf_text("v"))
                          .key("l", kArray, packed(kU32) + packed(uint64_t{2}) + "12345678")
                          .tensor("w", {4, 2}, 0, 0)
                          .bytes() +
                      std::string(32, 'x');
  ASSERT_EQ(failure_with(whole), "no error");
  for (size_t size = 0; size < whole.size(); ++size)
    EXPECT_THAT(failure_with(std::string_view(whole).substr(0, size)), HasSubstr("model: "))
        << size;
}

RC_GTEST_PROP(Gguf, AChangedFileIsReadOrRefused, ()) {
  std::string bytes = GgufParts()
                          .key("k", kText, gguf_text("v"))
                          .key("l", kArray, packed(kU32) + packed(uint64_t{2}) + "12345678")
                          .tensor("w", {32, 2}, 3, 0)
                          .bytes() +
                      std::string(40, 'x');
  for (int i = *rc::gen::inRange(1, 5); i > 0; --i)
    bytes[*rc::gen::inRange<size_t>(0, bytes.size())] = *rc::gen::arbitrary<char>();
  const std::string failure = failure_with(bytes);
  RC_ASSERT(failure == "no error" || failure.find("lying.gguf") != std::string::npos);
}

}  // namespace
}  // namespace burnish
