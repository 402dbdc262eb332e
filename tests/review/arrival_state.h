#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "db/arrivals.h"
#include "db/classes.h"
#include "db/decisions.h"
#include "iteration/arriving.h"
#include "iteration/question_check.h"
#include "review/verification.h"
#include "tests/support/sample_state.h"

namespace qdedup::review {

using iteration::AskedQuestion;
using iteration::CheckOutcome;
using std::chrono::sys_seconds;

constexpr std::int64_t day = 86'400;

// A state to which questions come.
class ArrivalState : public SampleState {
 public:
  ArrivalState() { set_time(100 * day); }

  void set_time(std::int64_t seconds) { clock.time = sys_seconds(std::chrono::seconds(seconds)); }
  [[nodiscard]] std::int64_t now() const {
    return std::chrono::floor<std::chrono::seconds>(clock.time).time_since_epoch().count();
  }

  void put_arrived(const std::map<QuestionId, std::string>& questions, std::optional<std::int64_t> at) {
    std::vector<db::BankQuestion> rows;
    for (const auto& [id, text] : questions) {
      rows.push_back(db::bank_question(id, text, std::nullopt));
      rows.back().arrived_at = at;
    }
    must(db::BankImport::load_at_once(bank, "test", "", rows));
    follow();
  }

  void follow() { must(iteration::follow_bank(store, writer, bank, settings.refine, clock)); }

  std::vector<CheckOutcome> add(const std::vector<AskedQuestion>& questions) {
    return must(
        iteration::add_new_questions(questions, store, writer, bank, {settings.refine, {}}, {}, clock));
  }
  CheckOutcome add(QuestionId id, const std::string& text) { return add({{id, text, std::nullopt}}).front(); }

  void decide(QuestionId question, db::Decision decision) {
    const db::DecisionRequest request{must(db::Deletions(store).open_of(question)).value().id, decision, ""};
    must(writer.write([&](db::Store& written) {
      return db::Decisions(written).take({&request, 1}, {"test", ""}, db::OnRefusal::leave_out, false);
    }));
    follow();
  }

  db::Expired expire(std::int64_t moment, bool dry_run = false) {
    return must(iteration::expire(store, writer, bank, settings.refine, clock,
                                  sys_seconds(std::chrono::seconds(moment)), dry_run));
  }

  std::vector<std::string> breaches() {
    std::vector<std::string> found;
    must(verify(
        store, bank, [&](const db::Breach& breach) { found.push_back(breach.kind + " " + breach.detail); },
        no_progress));
    return found;
  }

  db::ClassSummary class_of(QuestionId id) {
    return must(db::Classes(store).summaries_of({&id, 1}, iteration::max_members_listed)).front();
  }
  bool has_arrived(QuestionId id) { return must(db::Arrivals(store).find(id)).has_value(); }
  bool is_in_bank(QuestionId id) { return must(bank.find(id)).has_value(); }

  // Whether what arrived has the texts that the list has of it.
  bool is_as_listed() {
    const auto is_as = [&](QuestionId id, std::uint64_t listed) {
      const auto arrived = must(db::Arrivals(store).find(id));
      return !arrived || refine::text_hash(arrived->text) == listed;
    };
    using enum db::DeletionStatus;
    return std::ranges::all_of(deletions({.statuses = {pending, approved, applied}}), [&](const auto& row) {
      return is_as(row.question, row.question_hash) && is_as(row.keeper, row.keep_hash);
    });
  }
};

inline const std::string unlike = "子丑寅卯辰巳午未申酉";

}  // namespace qdedup::review
