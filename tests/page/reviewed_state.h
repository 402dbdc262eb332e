#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "db/decisions.h"
#include "db/iterations.h"
#include "page/request.h"
#include "refine/parts.h"
#include "tests/support/sample_state.h"
#include "tests/support/sqlite_file.h"

namespace qdedup::page {

// A state with questions and one iteration that lists what a test says, for what the page asks and decides.
class ReviewedState {
 public:
  struct Listed {
    QuestionId question;
    QuestionId keeper;
    std::string confidence = "safe";
    std::string reasons{};
    std::uint64_t distance = 1;
    std::uint64_t length = 10;
    int risk = 100;  // in ten-thousandths
  };

  std::int64_t list(const std::vector<Listed>& deletions, bool withheld = false,
                    const std::string& kind = "logs", std::uint64_t lists = 1) {
    std::map<QuestionId, std::string> texts;
    for (const Listed& each : deletions) {
      texts[each.question] = text(each.question);
      texts[each.keeper] = text(each.keeper);
    }
    state_.put(texts);
    db::IterationDraft draft;
    draft.record.kind = kind;
    draft.record.withheld = withheld;
    draft.record.counts.distinct_lists = lists;
    for (const Listed& each : deletions) {
      draft.outcome.deletions.push_back({each.question, each.keeper, each.distance, each.length,
                                         refine::confidence_named(each.confidence).value(),
                                         refine::Reasons(each.reasons), refine::Risk(each.risk),
                                         refine::text_hash(text(each.question)),
                                         refine::text_hash(text(each.keeper))});
    }
    return must(
        state_.writer.write([&](db::Store& store) { return db::Iterations(store).commit(draft, 5); }));
  }

  // So many questions in favour of 2, each a long formula, of which every sign is a piece of the drawing.
  void list_formulas(QuestionId count) {
    std::string formula = "$a";
    for (int sign = 0; sign < 10'000; ++sign) formula += "+b";
    formula += '$';
    std::vector<Listed> listed;
    for (QuestionId question = 10; question < 10 + count; ++question) listed.push_back({question, 2});
    list(listed);
    change_text(2, formula);
    for (const Listed& each : listed) change_text(each.question, formula);
  }

  // A further iteration gives the open deletion of a question another keeper.
  void repoint(QuestionId question, QuestionId keeper) {
    state_.put({{keeper, text(keeper)}});
    db::IterationDraft draft;
    draft.record.kind = "logs";
    draft.outcome.repointed.push_back({question, keeper, 2, 10, refine::Confidence::doubtful,
                                       refine::Reasons("unit"), refine::Risk(5000),
                                       refine::text_hash(text(question)), refine::text_hash(text(keeper))});
    must(state_.writer.write([&](db::Store& store) { return db::Iterations(store).commit(draft, 5); }));
  }

  // What the bank has of a question that is listed.
  static std::string text(QuestionId id) { return "问题" + std::to_string(id); }

  void remove(QuestionId id) { state_.remove(id); }
  void change_text(QuestionId id, const std::string& text) { state_.put({{id, text}}); }

  Reading reading() { return must(Reading::open(state_.state, {})); }
  const db::StateFolder& folder() { return state_.state; }
  db::StoreWriter& writer() { return state_.writer; }

  // The status of the newest deletion of a question.
  std::string status(QuestionId question) {
    const auto row = must(db::Deletions(state_.store).find_newest(question));
    return row ? std::string(name(row->status)) : "none";
  }

  // The last decision of the audit on it, as "ann pending>approved".
  std::string last_decision(QuestionId question) {
    return SqliteFile(state_.state.store_path())
        .query(
            "SELECT decided_by || ' ' || old_status || '>' || new_status FROM decision "
            "JOIN deletion ON deletion.id = deletion_id WHERE question_id = " +
            std::to_string(question) + " ORDER BY decision.id DESC LIMIT 1");
  }

 private:
  SampleState state_;
};

inline nlohmann::json json_of(const Reply& reply) { return nlohmann::json::parse(reply.json); }

inline db::Decider by(const std::string& name) { return {name, "2026-11-20T10:00:00Z"}; }

}  // namespace qdedup::page
