#include "format/utf8.h"

#include <gtest/gtest.h>

namespace burnish {
namespace {

/// `text` with '?' for each U+FFFD.
std::string marked(const std::string& bytes) {
  std::string text = with_replacement_characters(bytes);
  for (size_t at; (at = text.find("\uFFFD")) != std::string::npos;) text.replace(at, 3, "?");
  return text;
}

// Unicode 15, section 3.9, tables 3-8 to 3-11.
TEST(Utf8, ReplacesMaximalIllFormedParts) {
  EXPECT_EQ(marked("\xC0\xAF\xE0\x80\xBF\xF0\x81\x82\x41"), "????????A");
  EXPECT_EQ(marked("\xED\xA0\x80\xED\xBF\xBF\xED\xAF\x41"), "????????A");
  EXPECT_EQ(marked("\xF4\x91\x92\x93\xFF\x41\x80\xBF\x42"), "?????A??B");
  EXPECT_EQ(marked("\xE1\x80\xE2\xF0\x91\x92\xF1\xBF\x41"), "????A");
}

TEST(Utf8, FindsTheFirstInvalidByte) {
  const std::string good = "plain ASCII of some length, \u00E9 \u20AC \U0001F600 \U0010FFFF";
  EXPECT_TRUE(is_utf8(""));
  EXPECT_EQ(first_invalid_utf8(good), good.size());
  EXPECT_EQ(with_replacement_characters(good), good);
  for (const char* bad : {"\x80", "\xC1\xBF", "\xE0\x9F\xBF", "\xED\xA0\x80", "\xF0\x8F\xBF\xBF",
                          "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xFF", "\xE2\x82"}) {
    EXPECT_EQ(first_invalid_utf8(good + bad + good), good.size());
    EXPECT_EQ(first_invalid_utf8(good + bad), good.size()) << "cut at the end of the text";
  }
}

}  // namespace
}  // namespace burnish
