#include "db/sketches.h"

#include <random>

#include <gtest/gtest.h>

namespace qdedup::db {
namespace {

using Entries = std::vector<SketchEntry>;

Entries round_trip(const Entries& entries) {
  Entries decoded = {{99, std::nullopt}};  // to be replaced
  EXPECT_TRUE(decode_sketches(encode_sketches(entries), decoded).ok());
  return decoded;
}

TEST(SketchRun, KeepsNothing) { EXPECT_EQ(round_trip({}), Entries()); }

TEST(SketchRun, KeepsTheLeastAndTheGreatest) {
  constexpr QuestionSketch full{~std::uint64_t{0}, ~std::uint64_t{0}, ~std::uint32_t{0}, 255};
  const Entries entries = {{min_question_id, full}, {2, std::nullopt}, {max_question_id, QuestionSketch{}}};
  EXPECT_EQ(round_trip(entries), entries);
}

TEST(SketchRun, KeepsWhatIsRandom) {
  std::mt19937_64 random(1);
  for (int run = 0; run < 200; ++run) {
    Entries entries;
    QuestionId id = 0;
    for (std::size_t size = random() % 50; size > 0; --size) {
      id += 1 + static_cast<QuestionId>(random() >> (20 + random() % 44));
      const QuestionSketch sketch{random(), random(), static_cast<std::uint32_t>(random()),
                                  static_cast<std::uint8_t>(random())};
      entries.push_back({id, random() % 4 == 0 ? std::nullopt : std::optional(sketch)});
    }
    ASSERT_EQ(round_trip(entries), entries);
  }
}

TEST(SketchRun, RefusesEachByteThatIsChangedOrCutOff) {
  const std::string run = encode_sketches(Entries{{7, QuestionSketch{1, 2, 3, 4}}, {300, std::nullopt}});
  Entries decoded;
  for (std::size_t i = 0; i < run.size(); ++i) {
    std::string damaged = run;
    damaged[i] = static_cast<char>(damaged[i] ^ 1);
    EXPECT_FALSE(decode_sketches(damaged, decoded).ok()) << i;
    EXPECT_FALSE(decode_sketches(run.substr(0, i), decoded).ok()) << i;
  }
  EXPECT_FALSE(decode_sketches(run + "x", decoded).ok());
}

}  // namespace
}  // namespace qdedup::db
