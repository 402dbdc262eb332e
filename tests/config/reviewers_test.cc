#include "config/reviewers.h"

#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "tests/support/temporary_folder.h"

namespace qdedup::config {
namespace {

using testing::HasSubstr;

Reviewer reviewer(const std::string& name, const std::string& key) { return {name, *hash_of(key)}; }

TEST(ReviewerKey, IsFiveGroupsThatNobodyMisreads) {
  std::set<std::string> keys;
  for (int i = 0; i < 100; ++i) {
    const std::string key = new_key();
    EXPECT_THAT(key, testing::MatchesRegex("[0-9a-hjkmnp-tv-z]{5}(-[0-9a-hjkmnp-tv-z]{5}){4}"));
    keys.insert(key);
  }
  EXPECT_EQ(keys.size(), 100U);
}

TEST(ReviewerName, HasNoBlanksAtItsEnds) {
  EXPECT_TRUE(may_be_reviewer("王 老师"));
  for (const char* name : {" ann", "ann ", "ann\u00a0", "\u3000ann", "\u2003", ""})
    EXPECT_FALSE(may_be_reviewer(name)) << name;
}

TEST(ReviewerKey, IsKnownAsItMayBeTyped) {
  const std::string key = "k7m2p-9xq4d-00000-zzzzz-abcde";
  const Reviewer ann = reviewer("ann", key);
  for (const char* typed : {"k7m2p-9xq4d-00000-zzzzz-abcde", "K7M2P-9XQ4D-00000-ZZZZZ-ABCDE",
                            "k7m2p9xq4d00000zzzzzabcde", " k7m2p 9xq4d 00000 zzzzz abcde\t"}) {
    EXPECT_TRUE(is_key_of(typed, &ann)) << typed;
  }
}

TEST(ReviewerKey, IsNoOther) {
  const Reviewer ann = reviewer("ann", "k7m2p-9xq4d-00000-zzzzz-abcde");
  for (const char* typed : {"", "-", "k7m2p-9xq4d-00000-zzzzz-abcdf", "k7m2p-9xq4d-00000-zzzzz-abcd",
                            "k7m2p-9xq4d-00000-zzzzz-abcdee", "k7m2p-9xq4d-00000-zzzzz-abcdu",
                            "k7m2p-9xq4d-00000-zzzzz-abcd\xC3\xA9", "k7m2p\n9xq4d00000zzzzzabcde"}) {
    EXPECT_FALSE(is_key_of(typed, &ann)) << typed;
  }
  EXPECT_FALSE(is_key_of(ann.hash, &ann));
  EXPECT_FALSE(is_key_of(std::string(1U << 20U, 'a'), &ann));
  EXPECT_FALSE(is_key_of("k7m2p-9xq4d-00000-zzzzz-abcde", nullptr));
}

TEST(ReviewerKey, HasAnotherHashEachTime) {
  const std::string key = new_key();
  EXPECT_NE(*hash_of(key), *hash_of(key));
  EXPECT_FALSE(hash_of("no key").ok());
}

TEST(Reviewers, AreReadAsTheyAreWritten) {
  const std::vector<Reviewer> reviewers = {reviewer("ann", new_key()), reviewer("王老师", new_key()),
                                           reviewer("a:b c", new_key())};
  const auto read = parse_reviewers(text_of(reviewers), "reviewers");
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(*read, reviewers);
  EXPECT_EQ(*find_reviewer(*read, "a:b c"), reviewers[2]);
  EXPECT_EQ(find_reviewer(*read, "Ann"), nullptr);
  EXPECT_TRUE(parse_reviewers("", "reviewers")->empty());
}

TEST(Reviewers, AreALineEach) {
  const std::string hash = *hash_of(new_key());
  const std::string first = "ann:" + hash + "\n";
  for (const std::string& line :
       {std::string(), std::string("bob"), std::string("bob:"), ":" + hash, "bob:" + hash + " ",
        " bob:" + hash, "bob :" + hash, "bob:" + hash.substr(1), "bob:" + hash + "a",
        "bob:$5$" + hash.substr(3), "b\tob:" + hash, "bob:$y$j9T$" + hash.substr(7), "b\xFFob:" + hash,
        "bob:" + hash + "\r", std::string("# bob")}) {
    const auto read = parse_reviewers(first + line + "\n", "reviewers");
    ASSERT_FALSE(read.ok()) << line;
    EXPECT_EQ(read.error().code, ErrorCode::config);
    EXPECT_THAT(read.error().message, HasSubstr("reviewers: line 2: ")) << line;
  }
  EXPECT_THAT(parse_reviewers(first + first, "reviewers").error().message,
              HasSubstr("line 2: ann is there a second time"));
}

TEST(Reviewers, AreInAFileThatOthersMayNotUse) {
  const TemporaryFolder folder;
  const std::string path = folder.write("reviewers", text_of({reviewer("ann", new_key())}));
  for (const mode_t mode : {0600U, 0640U, 0400U, 0440U}) {
    ASSERT_EQ(::chmod(path.c_str(), mode), 0);
    EXPECT_TRUE(read_reviewers(path).ok()) << mode;
  }
  for (const mode_t mode : {0644U, 0660U, 0641U, 0602U, 0610U}) {
    ASSERT_EQ(::chmod(path.c_str(), mode), 0);
    EXPECT_THAT(read_reviewers(path).error().message, HasSubstr("0640")) << mode;
  }
  EXPECT_EQ(read_reviewers(folder / "missing").error().code, ErrorCode::no_input);
}

TEST(Reviewers, AreNotMoreThanTheFileMayHold) {
  const TemporaryFolder folder;
  const std::string path = folder.write("reviewers", std::string((1U << 20U) + 1, 'a'));
  ASSERT_EQ(::chmod(path.c_str(), 0600), 0);
  EXPECT_THAT(read_reviewers(path).error().message, HasSubstr("is longer than 1048576 bytes"));
}

}  // namespace
}  // namespace qdedup::config
