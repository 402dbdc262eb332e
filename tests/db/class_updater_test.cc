#include "db/class_updater.h"

#include <vector>

#include <gtest/gtest.h>

namespace qdedup::db {
namespace {

TEST(ClassRank, TheLargestIsJoinedThenTheOldestThenTheSmallest) {
  constexpr std::int64_t none = ClassRank().since;
  const struct {
    const char* why;
    std::vector<ClassRank> classes;
    QuestionId joined;
  } cases[] = {
      {"the only one", {{7, 0, none}}, 7},
      {"the largest", {{1, 1, 1}, {7, 3, 9}, {5, 2, 1}}, 7},
      {"before the oldest and the smallest", {{1, 1, 1}, {2, 2, 9}}, 2},
      {"the oldest of the largest", {{1, 2, 5}, {3, 2, 4}, {2, 1, 1}}, 3},
      {"the smallest of the oldest", {{9, 2, 4}, {3, 2, 4}, {5, 2, 4}}, 3},
      {"any with members before one that has none", {{1, 0, none}, {9, 1, 8}}, 9},
      {"the one that arrived first, with members or without", {{1, 2, 1, 8}, {3, 2, 4, 7}}, 3},
      {"the one without members that arrived first", {{1, 0, none, 8}, {3, 0, none, 7}}, 3},
      {"one that is not known to have arrived", {{1, 1, 1, 5}, {9, 1, 4}}, 9},
      {"the smallest of those without members", {{4, 0, none}, {2, 0, none}}, 2},
      {"of one class twice the first", {{4, 1, 1}, {4, 1, 1}}, 4},
  };
  for (const auto& each : cases) {
    EXPECT_EQ(class_to_join(each.classes).representative, each.joined) << each.why;
  }
}

TEST(ClassRank, OfEqualOnesTheFirstIsAnswered) {
  const std::vector<ClassRank> classes = {{9, 1, 1}, {4, 2, 1}, {4, 2, 1}};
  EXPECT_EQ(&class_to_join(classes), &classes[1]);
}

}  // namespace
}  // namespace qdedup::db
