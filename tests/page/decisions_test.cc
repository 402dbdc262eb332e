#include <gtest/gtest.h>

#include "page/replies.h"
#include "review/deciding.h"
#include "tests/page/reviewed_state.h"

namespace qdedup::page {
namespace {

class PageDecisions : public testing::Test {
 protected:
  [[nodiscard]] nlohmann::json entry(QuestionId question, const std::string& decision,
                                     const std::string& seen = "pending", QuestionId keeper = 2) const {
    return {{"iteration", iteration_},
            {"question", std::to_string(question)},
            {"keeper", std::to_string(keeper)},
            {"decision", decision},
            {"seen", seen}};
  }

  nlohmann::json take(const std::vector<nlohmann::json>& decisions, const std::string& name = "ann") {
    const nlohmann::json body = {{"decisions", decisions}};
    const Reply reply = take_decisions(body.dump(), state_.folder(), state_.writer(), by(name));
    EXPECT_EQ(reply.status, 200U) << reply.json;
    return json_of(reply)["results"];
  }

  static nlohmann::json keyed(nlohmann::json decision, const std::string& key) {
    decision["key"] = key;
    return decision;
  }

  ReviewedState state_;
  std::int64_t iteration_ = state_.list({{5, 2}, {9, 2}, {12, 7}});
};

TEST_F(PageDecisions, AreTakenAndAudited) {
  const nlohmann::json results = take({entry(5, "approve"), entry(12, "reject", "pending", 7)});
  EXPECT_EQ(results[0]["code"], 200);
  EXPECT_EQ(results[0]["status"], "approved");
  EXPECT_EQ(results[0]["decided_by"], "ann");
  EXPECT_EQ(results[1]["code"], 200);
  EXPECT_EQ(results[1]["status"], "rejected");
  EXPECT_EQ(state_.status(5), "approved");
  EXPECT_EQ(state_.last_decision(12), "ann pending>rejected");
}

TEST_F(PageDecisions, ThatSayNothingAreRefused) {
  for (const char* nothing : {"", " ", "\t"}) {
    const nlohmann::json result = take({entry(5, nothing)})[0];
    EXPECT_EQ(result["code"], 409);
    EXPECT_EQ(result["status"], "pending");
  }
}

TEST_F(PageDecisions, AreTakenBack) {
  take({entry(5, "approve")});
  EXPECT_EQ(take({entry(5, "reset", "approved")})[0]["status"], "pending");
  EXPECT_EQ(state_.status(5), "pending");
}

TEST_F(PageDecisions, OfAnotherStatusAreRefusedAndTellWhoDecided) {
  take({entry(5, "approve")}, "bob");
  const nlohmann::json result = take({entry(5, "reject"), entry(9, "reject")})[0];
  EXPECT_EQ(result["code"], 409);
  EXPECT_EQ(result["status"], "approved");
  EXPECT_EQ(result["decided_by"], "bob");
  EXPECT_EQ(result["reason"], "is approved by now");
  EXPECT_EQ(state_.status(5), "approved");
  EXPECT_EQ(state_.status(9), "rejected") << "the others are taken";
}

TEST_F(PageDecisions, ThatCameThroughBeforeAreDone) {
  take({keyed(entry(5, "approve"), "k1")});
  EXPECT_EQ(take({keyed(entry(5, "approve"), "k1")})[0]["code"], 200);
  EXPECT_EQ(take({keyed(entry(5, "approve"), "k1")}, "bob")[0]["code"], 409);
  EXPECT_EQ(take({keyed(entry(5, "approve"), "k2")})[0]["code"], 409);
  EXPECT_EQ(take({entry(5, "approve")})[0]["code"], 409) << "without a key it is another decision";
}

// Ann's page does not get the answer to her reset and sends it again, after bob has decided.
TEST_F(PageDecisions, ThatCameThroughBeforeUndoNothingOfSomebodyElse) {
  take({entry(5, "reject")});
  take({keyed(entry(5, "reset", "rejected"), "k1")});
  take({entry(5, "reject")}, "bob");
  const nlohmann::json result = take({keyed(entry(5, "reset", "rejected"), "k1")})[0];
  EXPECT_EQ(result["code"], 200);
  EXPECT_EQ(result["status"], "rejected");
  EXPECT_EQ(result["decided_by"], "bob");
  EXPECT_EQ(state_.last_decision(5), "bob pending>rejected");
}

// As where the page waited with a decision until another state was in this one's place.
TEST_F(PageDecisions, OfOtherTextsAreRefused) {
  Reading reading = state_.reading();
  const nlohmann::json shown = json_of(queue_reply(reading, {}))["groups"][0]["members"][0];
  ASSERT_EQ(shown["id"], "5");
  nlohmann::json decision = entry(5, "approve");
  decision["texts"] = shown["texts"].get<std::string>() + "0";
  const nlohmann::json result = take({decision})[0];
  EXPECT_EQ(result["code"], 409);
  EXPECT_EQ(result["reason"], "is of other texts by now");
  EXPECT_EQ(state_.status(5), "pending");
  decision["texts"] = shown["texts"];
  EXPECT_EQ(take({decision})[0]["code"], 200);
}

TEST_F(PageDecisions, OfAnotherKeeperAreRefused) {
  const nlohmann::json result = take({entry(5, "approve", "pending", 3)})[0];
  EXPECT_EQ(result["code"], 409);
  EXPECT_EQ(result["keeper"], "2");
  EXPECT_EQ(state_.status(5), "pending");
}

TEST_F(PageDecisions, AreAllToldWhyTheyAreRefused) {
  const std::vector<nlohmann::json> many(300, entry(5, "approve", "pending", 3));
  for (const nlohmann::json& result : take(many)) EXPECT_EQ(result["code"], 409);
}

// Between the look at a deletion and the transaction that decides on it.
TEST_F(PageDecisions, OfAPairThatChangesMeanwhileAreRefused) {
  Reading reading = state_.reading();
  const auto requested =
      must(review::DecisionLookup(reading.store, reading.bank).of_filter({}, db::Decision::approve, ""));
  ASSERT_EQ(requested.requests.size(), 3U);
  state_.repoint(9, 1);
  take({entry(12, "reject", "pending", 7)}, "bob");
  const auto report = must(state_.writer().write([&](db::Store& store) {
    return db::Decisions(store).take(requested.requests, by("ann"), db::OnRefusal::leave_out, false);
  }));
  ASSERT_EQ(report.refused.size(), 2U);
  EXPECT_EQ(report.refused[0].reason, "its keeper is 1 by now");
  EXPECT_EQ(report.refused[1].reason, "is rejected by now");
  EXPECT_EQ(state_.status(5), "approved");
  EXPECT_EQ(state_.status(9), "pending");
}

TEST_F(PageDecisions, OfAChangedTextAreRefused) {
  state_.change_text(2, "另一个问题");
  const nlohmann::json results = take({entry(5, "approve"), entry(12, "approve", "pending", 7)});
  EXPECT_EQ(results[0]["code"], 409);
  EXPECT_EQ(results[1]["code"], 200);
}

TEST_F(PageDecisions, OfAHeldIterationAreNotApproved) {
  iteration_ = state_.list({{30, 20}, {31, 20}}, true);
  const nlohmann::json results =
      take({entry(30, "approve", "pending", 20), entry(31, "reject", "pending", 20)});
  EXPECT_EQ(results[0]["code"], 409);
  EXPECT_EQ(results[1]["code"], 200);
}

TEST_F(PageDecisions, OfWhatIsNotListedAreNotFound) {
  EXPECT_EQ(take({entry(77, "approve")})[0]["code"], 404);
  iteration_ = 99;
  EXPECT_EQ(take({entry(5, "approve")})[0]["code"], 404);
}

TEST_F(PageDecisions, OfTheSameDeletionAreTakenOnce) {
  const nlohmann::json results = take({entry(5, "approve"), entry(5, "reject")});
  EXPECT_EQ(results[0]["code"], 200);
  EXPECT_EQ(results[1]["code"], 409);
  EXPECT_EQ(state_.status(5), "approved");
}

TEST_F(PageDecisions, ThatMakeNoSenseAreRefusedAltogether) {
  for (const char* body :
       {"", "{", "[]", "{}", R"({"decisions":{}})", R"({"decisions":[{}]})",
        R"({"decisions":[{"iteration":"1","question":"5","keeper":"2","decision":"approve"}]})",
        R"({"decisions":7})"}) {
    const Reply reply = take_decisions(body, state_.folder(), state_.writer(), by("ann"));
    EXPECT_TRUE(reply.status == 400 || json_of(reply)["results"].empty()) << body;
  }
  const nlohmann::json results = take({entry(5, "apply"), entry(9, "delete")});
  EXPECT_EQ(results[0]["code"], 409);
  EXPECT_EQ(results[1]["code"], 409);
  EXPECT_EQ(state_.status(5), "pending");
}

TEST_F(PageDecisions, OfNoIterationAreRefusedAltogether) {
  for (const char* number :
       {"0", "-1", "1.5", "1e300", "9223372036854775808", "18446744073709551616", "null"}) {
    nlohmann::json of_none = entry(5, "approve");
    of_none["iteration"] = nlohmann::json::parse(number);
    const nlohmann::json body = {{"decisions", {of_none}}};
    const Reply reply = take_decisions(body.dump(), state_.folder(), state_.writer(), by("ann"));
    EXPECT_EQ(reply.status, 400U) << number << ": " << reply.json;
  }
}

TEST_F(PageDecisions, HaveNotesThatAListCanHold) {
  for (const std::string& note : {std::string("a\0b", 3), std::string("\x1b[2J"), std::string("\r"),
                                  std::string("\u0085"), std::string(4097, 'x')}) {
    nlohmann::json with_note = entry(5, "approve");
    with_note["note"] = note;
    const nlohmann::json body = {{"decisions", {with_note}}};
    const Reply reply = take_decisions(body.dump(), state_.folder(), state_.writer(), by("ann"));
    EXPECT_EQ(reply.status, 400U) << reply.json;
    EXPECT_NE(reply.json.find("note"), std::string::npos) << reply.json;
  }
  nlohmann::json with_note = entry(5, "approve");
  with_note["note"] = "两行\n" + std::string(4000, 'x');
  EXPECT_EQ(take({with_note})[0]["code"], 200);
}

TEST_F(PageDecisions, AreToBeSentAgainWhereTheStoreCannotBeWritten) {
  const nlohmann::json body = {{"decisions", {entry(5, "approve")}}};
  for (const ErrorCode code : {ErrorCode::io, ErrorCode::data, ErrorCode::busy}) {
    state_.writer().hold(Error{code, "database or disk is full"});
    EXPECT_EQ(take_decisions(body.dump(), state_.folder(), state_.writer(), by("ann")).status, 503U);
  }
  state_.writer().hold(std::nullopt);
  EXPECT_EQ(take({entry(5, "approve")})[0]["code"], 200);
}

TEST_F(PageDecisions, AreToBeSentAgainWhereADatabaseIsAway) {
  const std::filesystem::path bank = state_.folder().bank_path();
  const std::filesystem::path away = bank.string() + ".away";
  std::filesystem::rename(bank, away);
  const std::string one = nlohmann::json{{"decisions", {entry(5, "approve")}}}.dump();
  EXPECT_EQ(take_decisions(one, state_.folder(), state_.writer(), by("ann")).status, 503U);
  EXPECT_EQ(approve_batch(R"({"filter":{},"count":3,"seen":"x"})", state_.folder(), state_.writer(),
                          by("ann"), [](db::Activity) {})
                .status,
            503U);
  EXPECT_EQ(draw_sample(R"({"size":10})", state_.folder(), state_.writer(), by("ann"), 1, {}).status, 503U);
  std::filesystem::rename(away, bank);
  EXPECT_EQ(take({entry(5, "approve")})[0]["code"], 200);
}

TEST_F(PageDecisions, AreLimitedInNumber) {
  const nlohmann::json body = {{"decisions", std::vector<nlohmann::json>(501, entry(5, "approve"))}};
  EXPECT_EQ(take_decisions(body.dump(), state_.folder(), state_.writer(), by("ann")).status, 400U);
}

class Batch : public testing::Test {
 protected:
  Reply approve(const std::string& filter, int count) { return approve(filter, count, seen(filter)); }
  Reply approve(const std::string& filter, int count, const std::string& seen) {
    const std::string body =
        R"({"filter":)" + filter + R"(,"count":)" + std::to_string(count) + R"(,"seen":")" + seen + "\"}";
    return approve_batch(body, state_.folder(), state_.writer(), by("ann"), [](db::Activity) {});
  }
  // Empty for what is no filter.
  std::string seen(const std::string& filter) {
    Parameters parameters;
    const nlohmann::json json = nlohmann::json::parse(filter);
    for (const auto& [name, value] : json.items()) {
      parameters.emplace_back(name, value.is_string() ? value.get<std::string>() : "");
    }
    Reading reading = state_.reading();
    return json_of(preview_batch(reading, parameters)).value("seen", "");
  }

  ReviewedState state_;
  std::int64_t iteration_ = state_.list({{5, 2}, {9, 2}, {12, 7}, {13, 7, "doubtful", "unit"}});
};

TEST_F(Batch, ShowsHowManyAreDoubtfulAndTheRiskiest) {
  state_.list({{14, 7, "doubtful", "unit", 1, 10, 9000}, {15, 7, "safe", "", 1, 10, 0}});
  Reading reading = state_.reading();
  const nlohmann::json preview = json_of(preview_batch(reading, {{"limit", "2"}}));
  EXPECT_EQ(preview["count"], 6);
  EXPECT_EQ(preview["doubtful"], 2);
  ASSERT_EQ(preview["riskiest"].size(), 2U);
  EXPECT_EQ(preview["riskiest"][0]["question"]["id"], "14");
  EXPECT_EQ(json_of(preview_batch(reading, {{"confidence", "safe"}}))["riskiest"].size(), 4U);
  EXPECT_EQ(state_.status(5), "pending");
}

TEST_F(Batch, ApprovesWhatPassesTheFilter) {
  const Reply reply = approve(R"({"confidence":"safe"})", 3);
  EXPECT_EQ(reply.status, 200U);
  EXPECT_EQ(json_of(reply)["approved"], 3);
  EXPECT_EQ(state_.last_decision(12), "ann pending>approved");
  EXPECT_EQ(state_.status(13), "pending");
}

TEST_F(Batch, ChangesNothingWhenTheCountIsAnother) {
  const Reply reply = approve(R"({"confidence":"safe"})", 4);
  EXPECT_EQ(reply.status, 409U);
  EXPECT_EQ(json_of(reply)["count"], 3);
  EXPECT_EQ(state_.status(5), "pending");
}

TEST_F(Batch, ChangesNothingWhenTheyAreAsManyOthers) {
  const std::string before = seen("{}");
  Reply reply = approve(R"({"question":"5"})", 1);
  ASSERT_EQ(reply.status, 200U);
  state_.list({{21, 20}});
  EXPECT_NE(seen("{}"), before);
  reply = approve("{}", 4, before);
  EXPECT_EQ(reply.status, 409U);
  EXPECT_EQ(json_of(reply)["count"], 4);
  EXPECT_EQ(state_.status(9), "pending");
  EXPECT_EQ(state_.status(21), "pending");
  EXPECT_EQ(approve("{}", 4, "").status, 409U);
  EXPECT_EQ(json_of(approve("{}", 4))["approved"], 4);
}

TEST_F(Batch, ChangesNothingWhenOneHasAnotherKeeper) {
  const std::string before = seen("{}");
  state_.repoint(9, 1);
  EXPECT_EQ(approve("{}", 4, before).status, 409U);
  EXPECT_EQ(state_.status(5), "pending");
  EXPECT_EQ(state_.status(9), "pending");
  EXPECT_EQ(json_of(approve("{}", 4))["approved"], 4);
}

TEST_F(Batch, LeavesOutWhatDoesNotHold) {
  state_.change_text(7, "另一个问题");
  const nlohmann::json done = json_of(approve("{}", 4));
  EXPECT_EQ(done["approved"], 2);
  EXPECT_EQ(done["refused"].begin().value(), 2);
  EXPECT_EQ(state_.status(12), "pending");
}

TEST_F(Batch, IsOfPendingDeletionsOnly) {
  EXPECT_EQ(approve(R"({"status":"rejected"})", 0).status, 400U);
  EXPECT_EQ(approve(R"({"confidence":"sure"})", 0).status, 400U);
  EXPECT_EQ(approve(R"({"confidence":7})", 0).status, 400U);
  EXPECT_EQ(approve_batch(R"({"filter":{},"count":4})", state_.folder(), state_.writer(), by("ann"),
                          [](db::Activity) {})
                .status,
            400U);
  EXPECT_EQ(approve("{}", -4).status, 400U);
  const std::string noted = R"({"filter":{},"count":4,"seen":")" + seen("{}") + R"(","note":"\u0000"})";
  EXPECT_EQ(approve_batch(noted, state_.folder(), state_.writer(), by("ann"), [](db::Activity) {}).status,
            400U);
  EXPECT_EQ(approve_batch("{}", state_.folder(), state_.writer(), by("ann"), [](db::Activity) {}).status,
            400U);
}

}  // namespace
}  // namespace qdedup::page
