// Index and shards; the checkpoint's own view of the same variants is in tests/declare.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "format/bytes_helper.h"
#include "format/safetensors.h"

namespace burnish {
namespace {
namespace fs = std::filesystem;
using namespace testing_bytes;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string one_tensor(const std::string& name, char value) {
  return safetensors_bytes("{\"" + name + R"(":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}})",
                           std::string(1, value));
}

// A folder with tensor a in 1.safetensors, b in 2.safetensors, and this index.
fs::path folder_with(const std::string& index) {
  static int count = 0;
  const fs::path folder = scratch("shards" + std::to_string(count++));
  write_bytes(folder / "1.safetensors", one_tensor("a", 'a'));
  write_bytes(folder / "2.safetensors", one_tensor("b", 'b'));
  write_bytes(folder / "model.safetensors.index.json", index);
  return folder;
}

std::string failure_with_index(const std::string& index) {
  const fs::path folder = folder_with(index);
  return failure_of([&] { SafetensorsFolder opened(folder); });
}

TEST(SafetensorsFolder, ReadsShardsAsTheIndexSays) {
  const SafetensorsFolder folder(folder_with(
      R"({"metadata":{"total_size":2},"weight_map":{"a":"1.safetensors","b":"2.safetensors"}})"));
  ASSERT_EQ(folder.tensors().size(), 2u);
  EXPECT_EQ(folder.tensors().at("b").bytes[0], std::byte{'b'});
  EXPECT_THAT(folder.warnings(), IsEmpty());
}

TEST(SafetensorsFolder, ReadsASingleFile) {
  const fs::path folder = scratch("single");
  write_bytes(folder / "model.safetensors", one_tensor("w", 'w'));
  EXPECT_EQ(SafetensorsFolder(folder).tensors().at("w").bytes[0], std::byte{'w'});
}

TEST(SafetensorsFolder, SaysThatThereAreNoWeights) {
  const fs::path folder = scratch("nothing");
  EXPECT_THAT(failure_of([&] { SafetensorsFolder opened(folder); }),
              AllOf(HasSubstr("model: "), HasSubstr("neither model.safetensors nor")));
}

TEST(SafetensorsFolder, NamesAMissingShard) {
  EXPECT_THAT(failure_with_index(R"({"weight_map":{"a":"1.safetensors","c":"3.safetensors"}})"),
              AllOf(HasSubstr("model: "), HasSubstr("3.safetensors is missing")));
}

TEST(SafetensorsFolder, NamesATensorThatItsShardLacks) {
  EXPECT_THAT(failure_with_index(R"({"weight_map":{"a":"1.safetensors","b":"1.safetensors"}})"),
              HasSubstr("tensor b is not in the shard 1.safetensors that the index names, "
                        "nor in any other"));
  EXPECT_THAT(failure_with_index(R"({"weight_map":{"a":"2.safetensors","b":"2.safetensors",)"
                                 R"("c":"1.safetensors"}})"),
              HasSubstr("tensor a is not in the shard 2.safetensors that the index names, but in "
                        "1.safetensors"));
}

TEST(SafetensorsFolder, ShardsArePlainNames) {
  for (const char* name : {"../1.safetensors", "/etc/passwd", "sub/1.safetensors", "..", ".", "",
                           "a\\\\b", "1.safetensors\\u0000"})
    EXPECT_THAT(failure_with_index(std::string(R"({"weight_map":{"a":")") + name + "\"}}"),
                AllOf(HasSubstr("weight_map a"), HasSubstr("no plain file name")))
        << name;
  EXPECT_THAT(failure_with_index(R"({"weight_map":{"a":7}})"), HasSubstr("7, not a file name"));
}

TEST(SafetensorsFolder, RefusesAnIndexThatIsNone) {
  EXPECT_THAT(failure_with_index("{}"), HasSubstr("no weight_map"));
  EXPECT_THAT(failure_with_index(R"({"weight_map":{}})"), HasSubstr("no weight_map"));
  EXPECT_THAT(failure_with_index("not json"), HasSubstr("not valid JSON"));
}

TEST(SafetensorsFolder, WarnsOfWhatTheIndexDoesNotCover) {
  const fs::path folder =
      folder_with(R"({"metadata":{"total_size":9},"weight_map":{"a":"1.safetensors"}})");
  write_bytes(folder / "model.safetensors", one_tensor("a", 'z'));
  write_bytes(folder / "1.safetensors",
              safetensors_bytes(R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},)"
                                R"("x":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}})",
                                "ax"));
  const SafetensorsFolder opened(folder);
  EXPECT_EQ(opened.tensors().at("a").bytes[0], std::byte{'a'});
  EXPECT_THAT(opened.warnings(),
              ElementsAre(HasSubstr("model.safetensors is left aside"),
                          HasSubstr("tensor x of 1.safetensors is left aside"),
                          HasSubstr("says total_size 9, the tensors have 1 bytes")));
}

}  // namespace
}  // namespace burnish
