#include "format/tensorboard.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <limits>

#include "base/error.h"

namespace burnish {
namespace {
namespace fs = std::filesystem;

class TensorBoard : public testing::Test {
 protected:
  TensorBoard() {
    std::string name = (fs::temp_directory_path() / "burnish-XXXXXX").string();
    folder_ = mkdtemp(name.data());
  }
  ~TensorBoard() override { fs::remove_all(folder_); }

  // The one event file of the folder.
  fs::path file() const {
    std::vector<fs::path> files(fs::directory_iterator(folder_), fs::directory_iterator{});
    EXPECT_EQ(files.size(), 1U);
    return files.at(0);
  }

  fs::path folder_;
};

// RFC 3720, B.4.
TEST_F(TensorBoard, Crc32cGivesThePublishedValues) {
  EXPECT_EQ(tensorboard::crc32c("123456789"), 0xE3069283U);
  EXPECT_EQ(tensorboard::crc32c(std::string(32, '\0')), 0x8A9136AAU);
  EXPECT_EQ(tensorboard::crc32c(std::string(32, '\xFF')), 0x62A8AB43U);
  EXPECT_EQ(tensorboard::crc32c(""), 0U);
}

// golden.tfevents: scripts/goldens/make_tensorboard.py
TEST_F(TensorBoard, BytesAreThoseOfTensorBoardsOwnWriter) {
  using namespace tensorboard;
  const double infinity = std::numeric_limits<double>::infinity();
  const std::vector<std::string> events{
      version_event(1750000000.25),
      scalars_event(1750000001.5, 0, {{"evaluation/held_out", 2.66}}),
      scalars_event(1750000002.0, 1,
                    {{"train/loss", 2.5}, {"train/learning_rate", 1e-5}, {"zero", 0.0}}),
      scalars_event(1750000003.0, 127, {{"größe/日本", infinity}}),
      scalars_event(1750000004.0, 128, {{std::string(200, 't'), -1.25}}),
      scalars_event(1750000005.0, (int64_t{1} << 40) + 3, {{"train/loss", 3.4e38}}),
      scalars_event(1750000006.0, -1, {}),
      restart_event(1750000007.0, 129),
      scalars_event(1750000008.0, 129, {{"", 1.0}}),
  };
  std::string ours;
  for (const std::string& event : events) ours += record(event);
  const fs::path golden = fs::path(BURNISH_TEST_DATA) / "format/tensorboard/golden.tfevents";
  EXPECT_EQ(ours, read_text_file(golden));
}

TEST_F(TensorBoard, AFileIsAVersionEventAndThenWhatWasWritten) {
  {
    TensorBoardWriter writer(folder_);
    writer.scalars(1, 10.0, {{"loss", 2.0}});
    writer.scalars(2, 11.0, {{"loss", 1.0}, {"rate", 0.5}});
  }
  EXPECT_TRUE(file().filename().string().starts_with("events.out.tfevents."));
  EXPECT_TRUE(file().filename().string().ends_with(".burnish"));
  const std::string text = read_text_file(file());
  using namespace tensorboard;
  const std::string tail = record(scalars_event(10.0, 1, {{"loss", 2.0}})) +
                           record(scalars_event(11.0, 2, {{"loss", 1.0}, {"rate", 0.5}}));
  ASSERT_EQ(text.size(), record(version_event(1.0)).size() + tail.size());
  EXPECT_TRUE(text.ends_with(tail));
  EXPECT_NE(text.find("brain.Event:2"), std::string::npos);
}

TEST_F(TensorBoard, AResumedRunSaysFromWhereItGoesOn) {
  TensorBoardWriter writer(folder_, 7);
  const std::string text = read_text_file(file());
  const size_t version = tensorboard::record(tensorboard::version_event(1.0)).size();
  EXPECT_EQ(text.size(), version + tensorboard::record(tensorboard::restart_event(1.0, 7)).size());
}

TEST_F(TensorBoard, AFileInTheWayOfTheFolderIsAnError) {
  write_text_file(folder_ / "taken", "x");
  try {
    TensorBoardWriter writer(folder_ / "taken");
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::io);
    EXPECT_NE(error.where().find("taken"), std::string::npos);
  }
}

}  // namespace
}  // namespace burnish
