#include "page/pair_json.h"

#include <optional>
#include <utility>

#include <nlohmann/json.hpp>

#include "db/decisions.h"
#include "db/deletions.h"
#include "refine/character_counts.h"
#include "refine/contrast.h"
#include "refine/pair_marks.h"
#include "review/deletion_list.h"

namespace qdedup::page {
namespace {

Json text_json(QuestionId id, const std::optional<db::BankQuestion>& question) {
  Json json = {{"id", std::to_string(id)}, {"text", question ? question->text : std::string()}};
  if (question && question->original.text) json["original"] = *question->original.text;
  if (question && question->answer) json["answer"] = *question->answer;
  if (!question) json["gone"] = true;
  return json;
}

Json marks_json(const std::vector<refine::Mark>& marks) {
  Json json = Json::array();
  for (const refine::Mark& mark : marks) json.push_back({mark.begin, mark.end, mark.kinds});
  return json;
}

Json findings_json(const refine::Contrast& contrast) {
  Json json = Json::array();
  const auto add = [&json](const std::vector<refine::Finding>& findings, bool doubt) {
    for (const refine::Finding& finding : findings) {
      json.push_back({{"kind", finding.kind},
                      {"doubt", doubt},
                      {"question", {finding.question.begin, finding.question.end}},
                      {"keeper", {finding.keeper.begin, finding.keeper.end}}});
    }
  };
  add(contrast.reasons, true);
  add(contrast.harmless, false);
  return json;
}

const char* word_for(db::Standing standing) {
  switch (standing) {
    case db::Standing::holds:
      return "holds";
    case db::Standing::keeper_gone:
      return "keeper-gone";
    case db::Standing::text_changed:
      break;
  }
  return "text-changed";
}

// Both questions as the bank has them now.
struct Texts {
  std::optional<db::BankQuestion> question;
  std::optional<db::BankQuestion> keeper;
};

Result<Texts> find_texts(Reading& reading, const db::DeletionRow& row) {
  QDEDUP_ASSIGN_OR_RETURN(std::optional<db::BankQuestion> question, reading.bank.find(row.question));
  QDEDUP_ASSIGN_OR_RETURN(std::optional<db::BankQuestion> keeper, reading.bank.find(row.keeper));
  return Texts{std::move(question), std::move(keeper)};
}

Json json_of(const db::DeletionRow& row, const Texts& texts) {
  Json json = {{"keeper", text_json(row.keeper, texts.keeper)},
               {"question", text_json(row.question, texts.question)}};
  if (texts.question && texts.keeper) {
    const refine::PairMarks marks = refine::mark_pair(texts.question->text, texts.keeper->text);
    json["question"]["marks"] = marks_json(marks.question);
    json["question"]["keeper_marks"] = marks_json(marks.keeper);
  }
  return json;
}

void add_row(const db::DeletionRow& row, Json& json) {
  json["iteration"] = row.iteration;
  json["status"] = name(row.status);
  json["confidence"] = name(row.confidence);
  json["reasons"] = row.reasons.text();
  json["similarity"] = review::similarity_percent(row.distance, row.length);
  json["distance"] = row.distance;
  json["length"] = row.length;
  json["note"] = row.note;
}

Json contrast_json(const Texts& texts, const Reading& reading) {
  if (!texts.question || !texts.keeper) return Json::array();
  return findings_json(refine::contrast({texts.question->text, texts.question->answer},
                                        {texts.keeper->text, texts.keeper->answer}, reading.characters,
                                        reading.contrast));
}

}  // namespace

Result<Json> texts_json(Reading& reading, const db::DeletionRow& row) {
  QDEDUP_ASSIGN_OR_RETURN(const Texts texts, find_texts(reading, row));
  return json_of(row, texts);
}

Result<Json> pair_json(Reading& reading, const db::DeletionRow& row) {
  QDEDUP_ASSIGN_OR_RETURN(const Texts texts, find_texts(reading, row));
  QDEDUP_ASSIGN_OR_RETURN(const db::Standing standing, db::standing_of(row, reading.bank));
  Json json = json_of(row, texts);
  Json& question = json["question"];
  add_row(row, question);
  question["standing"] = word_for(standing);
  question["findings"] = contrast_json(texts, reading);
  QDEDUP_ASSIGN_OR_RETURN(const auto last, db::Decisions(reading.store).last(row.id));
  if (last) add_decider(last->decider, question);
  return json;
}

void add_decider(const db::Decider& decider, Json& json) {
  json["decided_by"] = decider.user;
  json["given_name"] = decider.given_name;
  json["decided_at"] = decider.at;
}

}  // namespace qdedup::page
