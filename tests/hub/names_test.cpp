#include "hub/names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "format/bytes_helper.h"

namespace burnish {
namespace {
using ::testing::HasSubstr;
using testing_bytes::failure_of;

TEST(HubNames, RepositoryAndRevision) {
  const HubName name = parse_hub_name("HuggingFaceTB/SmolLM2-135M@v1.0");
  EXPECT_EQ(name.repository.name, "HuggingFaceTB/SmolLM2-135M");
  EXPECT_EQ(name.revision, "v1.0");
  EXPECT_EQ(parse_hub_name("gpt2").revision, "main");
  EXPECT_EQ(parse_hub_name("a/b@refs/pr/1").revision, "refs/pr/1");
  EXPECT_TRUE(is_hub_name("a/b"));
  EXPECT_FALSE(is_hub_name("gpt2"));  // a path, more likely
}

TEST(HubNames, RefusesWhatIsNone) {
  for (const char* text :
       {"",         "/",          "a/",         "/a",      "a/b/c",    "../b",       "a/..",
        "a--b/c",   "-a/b",       "a/b.",       "a/b.git", "a b/c",    "a/b@",       "a/b@../x",
        "a/b@/x",   "a/b@x//y",   "a/b@-x",     "a/b@.x",  "a/b@x/.y", "a/b@x.lock", "a/b@x y",
        "a/b@x%2f", "a/b@main@x", "\xc3\xa4/b", "a/b@x\n"})
    EXPECT_THAT(failure_of([&] { parse_hub_name(text); }), HasSubstr("usage: ")) << text;
  EXPECT_THAT(failure_of([] { parse_hub_name(std::string(97, 'a')); }), HasSubstr("usage: "));
}

TEST(HubNames, PathsThatLeaveTheirFolderAreWrong) {
  for (const char* path : {"a", "a/b.json", ".gitattributes", "a b/ä.txt", "..a", "a..b/c"})
    EXPECT_EQ(wrong_in_file_path(path), "") << path;
  for (const char* path : {"", "/etc/passwd", "../x", "a/../../x", "a/..", ".", "./a", "a//b", "a/",
                           "a\nb", "a\x7f", "a\\b", "\xff", "a\x1b[2J"})
    EXPECT_NE(wrong_in_file_path(path), "") << path;
  EXPECT_NE(wrong_in_file_path(std::string_view("a\0b", 3)), "");
  EXPECT_NE(wrong_in_file_path(std::string(251, 'a')), "");
  EXPECT_NE(wrong_in_file_path(std::string(2000, 'a')), "");
}

TEST(HubNames, FoldersOfTheCacheAndBack) {
  for (const Repository& repository : {Repository{Repository::Kind::model, "org/name"},
                                       Repository{Repository::Kind::model, "gpt2"},
                                       Repository{Repository::Kind::dataset, "a_b/c.d-e"}})
    EXPECT_EQ(repository_of_folder(cache_folder_name(repository)), repository);
  EXPECT_EQ(cache_folder_name({Repository::Kind::dataset, "org/name"}), "datasets--org--name");
  for (const char* folder : {"", ".locks", "models", "models--", "spaces--a--b", "models--../x"})
    EXPECT_FALSE(repository_of_folder(folder)) << folder;
}

TEST(HubNames, UrlsAreQuoted) {
  EXPECT_EQ(file_url("https://h", {Repository::Kind::dataset, "o/n"}, "c", "a b/ä?#%.txt"),
            "https://h/datasets/o/n/resolve/c/a%20b/%C3%A4%3F%23%25.txt");
  EXPECT_EQ(url_quoted("refs/pr/1", false), "refs%2Fpr%2F1");
}

}  // namespace
}  // namespace burnish
