#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <random>
#include <tuple>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "page/replies.h"
#include "tests/page/reviewed_state.h"

namespace qdedup::page {
namespace {

using Ids = std::vector<std::pair<QuestionId, QuestionId>>;  // keeper, question

nlohmann::json queue(Reading& reading, const Parameters& parameters) {
  return json_of(queue_reply(reading, parameters));
}

Ids ids_of(const nlohmann::json& page) {
  Ids ids;
  for (const auto& group : page["groups"]) {
    for (const auto& member : group["members"]) {
      ids.emplace_back(std::stoll(group["keeper"]["id"].get<std::string>()),
                       std::stoll(member["id"].get<std::string>()));
    }
  }
  return ids;
}

TEST(Queue, ShowsTheRiskiestFirst) {
  ReviewedState state;
  state.list({{5, 2, "safe", "", 1, 10, 20},
              {9, 2, "doubtful", "unit", 1, 10, 10'000},
              {10, 2, "safe", "", 1, 10, 20},
              {12, 7, "doubtful", "unit", 1, 10, 5000}});
  Reading reading = state.reading();
  const nlohmann::json page = queue(reading, {});
  EXPECT_EQ(ids_of(page), (Ids{{2, 9}, {7, 12}, {2, 5}, {2, 10}}));
  EXPECT_EQ(page["groups"].size(), 3U);
  EXPECT_EQ(page["groups"][0]["members"][0]["risk"], "1.0000");
  EXPECT_EQ(page["groups"][0]["members"][0]["place"], "10000-2-9");
  EXPECT_EQ(page["groups"][2]["members"][0]["risk"], "0.0020");
  EXPECT_EQ(ids_of(queue(reading, {{"risk", "0.5"}})), (Ids{{7, 12}, {2, 5}, {2, 10}}));
  EXPECT_EQ(json_of(facets_reply(reading, {{"risk", "0.5"}}))["total"], 3);
}

TEST(LargeQueue, EndsAPageWhereItsTextsAreMany) {
  ReviewedState state;
  std::vector<ReviewedState::Listed> listed;
  constexpr int members = 150;
  for (int id = 2; id < 2 + members; ++id) listed.push_back({id, 1});
  state.list(listed);
  for (int id = 2; id < 2 + members; ++id) state.change_text(id, std::string(60'000, 'a'));
  Reading reading = state.reading();
  Parameters parameters = {{"order", "keeper"}, {"limit", "200"}, {"after", ""}};
  std::vector<std::size_t> pages;
  for (nlohmann::json next = ""; !next.is_null();) {
    const nlohmann::json page = queue(reading, parameters);
    pages.push_back(ids_of(page).size());
    next = page["next"];
    if (!next.is_null()) parameters.back().second = next.get<std::string>();
  }
  EXPECT_EQ(pages, (std::vector<std::size_t>{70, 70, 10}));
}

TEST(Queue, ShowsTheKeeperOnceAndItsMembers) {
  ReviewedState state;
  state.list({{5, 2, "doubtful", "unit", 1, 15, 5000}, {9, 2}, {12, 7}});
  Reading reading = state.reading();
  const nlohmann::json page = queue(reading, {{"order", "keeper"}});
  EXPECT_EQ(ids_of(page), (Ids{{2, 5}, {2, 9}, {7, 12}}));
  ASSERT_EQ(page["groups"].size(), 2U);
  EXPECT_EQ(page["groups"][0]["keeper"]["text"], "问题2");
  const nlohmann::json& member = page["groups"][0]["members"][0];
  EXPECT_EQ(member["confidence"], "doubtful");
  EXPECT_EQ(member["similarity"], "93.33");
  EXPECT_EQ(member["standing"], "holds");
  EXPECT_EQ(member["status"], "pending");
  EXPECT_TRUE(page["next"].is_null());
}

TEST(Queue, TellsThatATextChangedOrIsGone) {
  ReviewedState state;
  state.list({{5, 2}, {9, 2}});
  state.change_text(9, "另一个问题");
  Reading reading = state.reading();
  const nlohmann::json members = queue(reading, {})["groups"][0]["members"];
  EXPECT_EQ(members[0]["standing"], "holds");
  EXPECT_EQ(members[1]["standing"], "text-changed");
}

// Pages of any size, one after the other, in each order, against sorted lists.
TEST(LargeQueue, GoesThroughAllPagesWithoutAGapOrARepeat) {
  std::mt19937 random(7);
  std::vector<ReviewedState::Listed> listed;
  for (QuestionId question = 10; question < 130; ++question) {
    const auto keeper = static_cast<QuestionId>(1 + random() % 5);
    const bool safe = random() % 2 == 0;
    const int risk = std::array{0, 100, 5000, 10'000}.at(random() % 4);
    listed.push_back({question, keeper, safe ? "safe" : "doubtful", safe ? "" : "unit", random() % 3,
                      10 + random() % 3, risk});
  }
  const auto size = [&listed](QuestionId keeper) {
    return std::ranges::count(listed, keeper, &ReviewedState::Listed::keeper);
  };
  using Key = std::function<std::int64_t(const ReviewedState::Listed&)>;  // what comes first has the smallest
  const std::map<std::string, Key> keys = {
      {"risk", [](const auto& each) { return -each.risk; }},
      {"keeper", [](const auto& /*each*/) { return 0; }},
      {"similarity",
       [](const auto& each) { return -static_cast<std::int64_t>(each.distance * 10'000 / each.length); }},
      {"size", [&size](const auto& each) { return -size(each.keeper); }},
      {"length", [](const auto& each) { return static_cast<std::int64_t>(each.length); }}};
  ReviewedState state;
  state.list(listed);
  Reading reading = state.reading();
  for (const auto& [order, key] : keys) {
    std::vector<std::tuple<std::int64_t, QuestionId, QuestionId>> sorted;
    for (const auto& each : listed) {
      if (each.confidence == "doubtful") sorted.emplace_back(key(each), each.keeper, each.question);
    }
    std::ranges::sort(sorted);
    Ids expected;
    for (const auto& [first, keeper, question] : sorted) expected.emplace_back(keeper, question);
    std::map<QuestionId, nlohmann::json> places;
    for (const int limit : {1, 7, 59, 200}) {
      Ids seen;
      std::string after;
      do {
        const nlohmann::json page = queue(reading, {{"confidence", "doubtful"},
                                                    {"order", order},
                                                    {"limit", std::to_string(limit)},
                                                    {"after", after}});
        const Ids ids = ids_of(page);
        EXPECT_LE(ids.size(), static_cast<std::size_t>(limit));
        for (const auto& group : page["groups"]) {
          for (const auto& member : group["members"])
            places[std::stoll(member["id"].get<std::string>())] = member["place"];
        }
        seen.insert(seen.end(), ids.begin(), ids.end());
        after = page["next"].is_null() ? "" : page["next"].get<std::string>();
      } while (!after.empty());
      EXPECT_EQ(seen, expected) << order << ' ' << limit;
    }
    for (const auto& [question, place] : places) {
      const nlohmann::json there =
          queue(reading, {{"confidence", "doubtful"}, {"order", order}, {"at", place}});
      const std::size_t begin = there["before"];
      EXPECT_EQ(ids_of(there).at(there["at"]), expected.at(begin + there["at"].get<std::size_t>()));
      EXPECT_EQ(ids_of(there).at(there["at"]).second, question);
    }
  }
}

TEST(Queue, BeginsWithTheGroupOfAPlaceThoughTheDeletionIsDecided) {
  ReviewedState state;
  state.list({{5, 2}, {9, 2}, {12, 2}, {13, 7}});
  Reading reading = state.reading();
  const nlohmann::json page = queue(reading, {{"order", "keeper"}, {"at", "0-2-10"}});
  EXPECT_EQ(ids_of(page), (Ids{{2, 5}, {2, 9}, {2, 12}, {7, 13}}));
  EXPECT_EQ(page["before"], 0);
  EXPECT_EQ(page["at"], 2);
  EXPECT_EQ(queue(reading, {{"order", "keeper"}, {"at", "0-7-99"}})["before"], 3);
}

TEST(Queue, CountsFacetsAsTheFilterSelects) {
  ReviewedState state;
  state.list(
      {{5, 2, "doubtful", "polarity:多/少", 2, 10}, {9, 2, "safe", "", 0, 10}, {12, 7, "safe", "", 0, 0}});
  Reading reading = state.reading();
  const nlohmann::json facets = json_of(facets_reply(reading, {{"similarity", "100-100"}}));
  EXPECT_EQ(facets["total"], 2);
  EXPECT_EQ(ids_of(queue(reading, {{"similarity", "100-100"}})), (Ids{{2, 9}, {7, 12}}));
  EXPECT_EQ(ids_of(queue(reading, {{"similarity", "80-84"}})), (Ids{{2, 5}}));
  EXPECT_EQ(facets["similarity"], nlohmann::json::parse("[[80,1],[100,2]]"));
  EXPECT_EQ(json_of(facets_reply(reading, {{"question", "2"}}))["total"], 2);
}

TEST(Queue, RefusesAFilterThatMakesNoSense) {
  ReviewedState state;
  Reading reading = state.reading();
  EXPECT_EQ(queue_reply(reading, {{"status", "open"}}).status, 400U);
  EXPECT_EQ(queue_reply(reading, {{"limit", "201"}}).status, 400U);
  EXPECT_EQ(queue_reply(reading, {{"after", "x"}}).status, 400U);
  EXPECT_EQ(queue_reply(reading, {{"order", "id"}}).status, 400U);
  EXPECT_EQ(queue_reply(reading, {{"risk", "1.5"}}).status, 400U);
}

nlohmann::json search(Reading& reading, const Parameters& parameters) {
  return json_of(search_reply(reading, parameters));
}

TEST(Search, FindsAnIdOnEitherSideInEveryStatus) {
  ReviewedState state;
  state.list({{5, 2}, {9, 2}, {12, 5}});
  must(state.writer().write([](db::Store& store) {
    const auto row = must(db::Deletions(store).find_newest(9));
    return db::Decisions(store).take(
        std::vector<db::DecisionRequest>{
            {.deletion_id = row->id, .decision = db::Decision::reject, .note = ""}},
        by("ann"), db::OnRefusal::leave_out, false);
  }));
  Reading reading = state.reading();
  const nlohmann::json found = search(reading, {{"text", " 2 "}});
  ASSERT_EQ(found["pairs"].size(), 2U);
  EXPECT_EQ(found["pairs"][0]["status"], "rejected");
  EXPECT_EQ(found["pairs"][1]["id"], "5");
  EXPECT_TRUE(found["next"].is_null());
  EXPECT_EQ(search(reading, {{"text", "5"}})["pairs"].size(), 2U);
  EXPECT_EQ(search(reading, {{"text", "77"}})["pairs"].size(), 0U);
}

TEST(Search, GoesOnThroughAllOfAnId) {
  ReviewedState state;
  std::vector<ReviewedState::Listed> listed;
  for (QuestionId question = 10; question < 530; ++question) listed.push_back({question, 2});
  state.list(listed);
  Reading reading = state.reading();
  const nlohmann::json first = search(reading, {{"text", "2"}});
  EXPECT_EQ(first["pairs"].size(), 500U);
  const nlohmann::json second = search(reading, {{"text", "2"}, {"before", first["next"].dump()}});
  ASSERT_EQ(second["pairs"].size(), 20U);
  EXPECT_NE(second["pairs"][0]["id"], first["pairs"][499]["id"]);
  EXPECT_TRUE(second["next"].is_null());
}

TEST(LargeQueue, HasPagesOfLimitedSizeHoweverMuchThereIsToDraw) {
  ReviewedState state;
  state.list_formulas(10);
  Reading reading = state.reading();
  reading.draws = true;
  const Reply first = queue_reply(reading, {{"limit", "60"}});
  EXPECT_LT(first.json.size(), 10U << 20U);
  Ids all = ids_of(json_of(first));
  EXPECT_LT(all.size(), 10U);
  for (nlohmann::json next = json_of(first)["next"]; !next.is_null();) {
    const nlohmann::json page = queue(reading, {{"limit", "60"}, {"after", next.get<std::string>()}});
    const Ids more = ids_of(page);
    all.insert(all.end(), more.begin(), more.end());
    next = page["next"];
  }
  EXPECT_EQ(all.size(), 10U);
  EXPECT_LT(json_of(preview_batch(reading, {}))["riskiest"].size(), 10U);
}

TEST(Search, FindsWordsOfEitherTextAndGoesOn) {
  ReviewedState state;
  std::vector<ReviewedState::Listed> listed;
  for (QuestionId question = 10; question < 60; ++question) listed.push_back({question, 2});
  state.list(listed);
  state.change_text(33, "小明 有5个苹果");
  Reading reading = state.reading();
  const nlohmann::json one = search(reading, {{"text", "苹果\u3000小明"}});
  ASSERT_EQ(one["pairs"].size(), 1U);
  EXPECT_EQ(one["pairs"][0]["id"], "33");
  EXPECT_EQ(one["pairs"][0]["keeper"], "2");
  EXPECT_EQ(one["looked"], 50);
  EXPECT_TRUE(one["next"].is_null());
  std::size_t all = 0;
  std::string before;
  do {
    const nlohmann::json page = search(reading, {{"text", "问题2"}, {"before", before}});
    EXPECT_LE(page["pairs"].size(), 20U);
    all += page["pairs"].size();
    before = page["next"].is_null() ? "" : page["next"].dump();
  } while (!before.empty());
  EXPECT_EQ(all, 50U);
  EXPECT_EQ(search_reply(reading, {{"text", " "}}).status, 400U);
}

TEST(Mine, CountsWhatOneDecidedOneByOneSince) {
  ReviewedState state;
  state.list({{5, 2}, {9, 2}, {12, 2}, {13, 7}});
  const auto decide = [&state](QuestionId question, db::Decision decision, const db::Decider& decider,
                               bool one_by_one = true) {
    must(state.writer().write([&](db::Store& store) {
      const auto row = must(db::Deletions(store).find_newest(question));
      return db::Decisions(store).take(
          std::vector<db::DecisionRequest>{
              {.deletion_id = row->id,
               .decision = decision,
               .note = "",
               .looked_at = one_by_one ? std::optional(db::QuestionPair()) : std::nullopt}},
          decider, db::OnRefusal::leave_out, false);
    }));
  };
  decide(5, db::Decision::approve, {"token", "2026-11-19T23:00:00Z", "ann"});
  decide(9, db::Decision::approve, {"token", "2026-11-20T10:00:00Z", "ann"});
  decide(9, db::Decision::reject, {"token", "2026-11-20T10:10:00Z", "ann"});
  decide(12, db::Decision::approve, {"token", "2026-11-20T10:20:00Z", "bob"});
  decide(13, db::Decision::approve, {"token", "2026-11-20T10:30:00Z", "ann"}, false);
  Reading reading = state.reading();
  const auto counts = [&reading](const std::string& name, const char* today, const char* hour) {
    return json_of(own_counts_reply(reading, {{"today", today}, {"hour", hour}}, {"token", "", name})).dump();
  };
  EXPECT_EQ(counts("ann", "2026-11-19T00:00:00Z", "2026-11-20T10:05:00Z"), R"({"hour":1,"today":2})");
  EXPECT_EQ(counts("bob", "2026-11-20T00:00:00Z", "2026-11-20T10:25:00Z"), R"({"hour":0,"today":1})");
  decide(9, db::Decision::reset, {"token", "2026-11-20T10:40:00Z", "ann"});
  EXPECT_EQ(counts("ann", "2026-11-20T00:00:00Z", "2026-11-20T00:00:00Z"), R"({"hour":0,"today":0})");
  for (const char* hour : {"", "yesterday"}) {
    const Parameters parameters = {{"today", "2026-11-20T00:00:00Z"}, {"hour", hour}};
    EXPECT_EQ(own_counts_reply(reading, parameters, {"token", "", "ann"}).status, 400U);
  }
}

using testing::ElementsAre;
using testing::Pair;

const std::vector<db::DeletionTally> tallies = {
    {1, db::DeletionStatus::pending, refine::Confidence::safe, refine::Reasons(""), 100, 5},
    {1, db::DeletionStatus::pending, refine::Confidence::doubtful, refine::Reasons("polarity:多/少"), 92, 3},
    {2, db::DeletionStatus::pending, refine::Confidence::doubtful, refine::Reasons("polarity:大/小;unit"), 92,
     2},
    {2, db::DeletionStatus::pending, refine::Confidence::doubtful, refine::Reasons("unit"), 81, 1},
};

TEST(Facets, CountEverythingWithoutAFilter) {
  const Facets facets = facets_of(tallies, {});
  EXPECT_EQ(facets.total, 11U);
  EXPECT_THAT(facets.iterations, ElementsAre(Pair(1, 8U), Pair(2, 3U)));
  EXPECT_THAT(facets.confidences,
              ElementsAre(Pair(refine::Confidence::doubtful, 6U), Pair(refine::Confidence::safe, 5U)));
  EXPECT_THAT(facets.reasons, ElementsAre(Pair("polarity", 5U), Pair("unit", 3U)));
  EXPECT_THAT(facets.subjects, ElementsAre(Pair("polarity:多/少", 3U), Pair("polarity:大/小", 2U)));
  EXPECT_EQ(facets.similarity.at(92), 5U);
}

TEST(Facets, CountWhatAnotherChoiceWouldGive) {
  db::DeletionFilter filter;
  filter.confidence = refine::Confidence::doubtful;
  filter.reason = "unit";
  const Facets facets = facets_of(tallies, filter);
  EXPECT_EQ(facets.total, 3U);
  EXPECT_THAT(facets.confidences, ElementsAre(Pair(refine::Confidence::doubtful, 3U)));
  EXPECT_THAT(facets.reasons, ElementsAre(Pair("polarity", 5U), Pair("unit", 3U)));
  EXPECT_THAT(facets.iterations, ElementsAre(Pair(2, 3U)));
}

TEST(Facets, KnowAReasonWithItsSubject) {
  db::DeletionFilter filter;
  filter.reason = "polarity:多/少";
  EXPECT_EQ(facets_of(tallies, filter).total, 3U);
  filter.reason = "polarity";
  EXPECT_EQ(facets_of(tallies, filter).total, 5U);
  filter.reason = "pol";
  EXPECT_EQ(facets_of(tallies, filter).total, 0U);
}

TEST(Facets, TakeBothEndsOfTheSimilarity) {
  db::DeletionFilter filter;
  filter.min_similarity = 81;
  filter.max_similarity = 92;
  EXPECT_EQ(facets_of(tallies, filter).total, 6U);
  EXPECT_EQ(facets_of(tallies, filter).similarity[100], 5U);
}

}  // namespace
}  // namespace qdedup::page
