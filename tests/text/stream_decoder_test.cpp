#include "text/tokenizer/stream_decoder.h"

#include <gtest/gtest.h>

#include <random>

#include "format/utf8.h"
#include "text/tokenizer_helper.h"

namespace burnish {
namespace {

std::vector<std::string> pieces_of(const Tokenizer& tokenizer, const std::vector<int32_t>& ids) {
  StreamDecoder stream(tokenizer);
  std::vector<std::string> pieces;
  for (const int32_t id : ids) pieces.push_back(stream.push(id));
  pieces.push_back(stream.finish());
  return pieces;
}

std::string joined(const std::vector<std::string>& pieces) {
  std::string all;
  for (const std::string& piece : pieces) all += piece;
  return all;
}

TEST(StreamDecoder, AddsUpToTheWholeWhateverTheIds) {
  const Tokenizer tokenizer = tok_bpe();
  std::mt19937 random(5);
  for (int round = 0; round < 300; ++round) {
    std::vector<int32_t> ids(1 + random() % 40);
    for (int32_t& id : ids) id = static_cast<int32_t>(random() % tokenizer.size());
    const auto pieces = pieces_of(tokenizer, ids);
    EXPECT_EQ(joined(pieces), tokenizer.decode(ids, true));
    for (const std::string& piece : pieces) EXPECT_TRUE(is_utf8(piece));
  }
}

TEST(StreamDecoder, HoldsBackACharacterThatIsNotWhole) {
  const Tokenizer tokenizer = tok_bpe();
  const std::vector<int32_t> ids = tokenizer.encode("a\U0001F642b").ids;
  ASSERT_GT(ids.size(), 3U) << "the emoji is one token: this shows nothing";
  const auto pieces = pieces_of(tokenizer, ids);
  EXPECT_EQ(pieces.front(), "a");
  EXPECT_EQ(pieces[1], "");
  EXPECT_EQ(pieces.back(), "");
  EXPECT_EQ(joined(pieces), "a\U0001F642b");
}

TEST(StreamDecoder, EndsACutCharacterWithAReplacement) {
  const Tokenizer tokenizer = tok_bpe();
  std::vector<int32_t> ids = tokenizer.encode("a\U0001F642").ids;
  ids.pop_back();
  EXPECT_EQ(joined(pieces_of(tokenizer, ids)), tokenizer.decode(ids, true));
  EXPECT_TRUE(joined(pieces_of(tokenizer, ids)).ends_with("\uFFFD"));
}

}  // namespace
}  // namespace burnish
