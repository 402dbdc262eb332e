#include "page/pair_json.h"

#include <optional>
#include <utility>

#include "db/decisions.h"
#include "db/standing.h"
#include "refine/contrast.h"
#include "refine/pair_marks.h"
#include "review/deletion_list.h"

namespace qdedup::page {
namespace {

using nlohmann::ordered_json;

ordered_json text_json(QuestionId id, const std::optional<db::BankQuestion>& question) {
  ordered_json json = {{"id", std::to_string(id)}, {"text", question ? question->text : std::string()}};
  if (question && question->answer) json["answer"] = *question->answer;
  if (!question) json["gone"] = true;
  return json;
}

ordered_json marks_json(const std::vector<refine::Mark>& marks) {
  ordered_json json = ordered_json::array();
  for (const refine::Mark& mark : marks) json.push_back({mark.begin, mark.end, mark.kinds});
  return json;
}

ordered_json findings_json(const refine::Contrast& contrast) {
  ordered_json json = ordered_json::array();
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
  Result<std::optional<db::BankQuestion>> question = reading.bank.find(row.question);
  if (!question.ok()) return std::move(question).error();
  Result<std::optional<db::BankQuestion>> keeper = reading.bank.find(row.keeper);
  if (!keeper.ok()) return std::move(keeper).error();
  return Texts{*std::move(question), *std::move(keeper)};
}

PairJson json_of(const db::DeletionRow& row, const Texts& texts) {
  PairJson json{text_json(row.keeper, texts.keeper), text_json(row.question, texts.question)};
  if (texts.question && texts.keeper) {
    const refine::PairMarks marks = refine::mark_pair(texts.question->text, texts.keeper->text);
    json.question["marks"] = marks_json(marks.question);
    json.question["keeper_marks"] = marks_json(marks.keeper);
  }
  return json;
}

void add_row(const db::DeletionRow& row, ordered_json& json) {
  json["iteration"] = row.iteration;
  json["status"] = row.status;
  json["confidence"] = row.confidence;
  json["reasons"] = row.reasons;
  json["similarity"] = review::similarity_percent(row.distance, row.length);
  json["distance"] = row.distance;
  json["length"] = row.length;
  json["note"] = row.note;
}

Status add_decision(db::Store& store, const db::DeletionRow& row, ordered_json& json) {
  const Result<std::optional<db::DecisionRecord>> last = db::Decisions(store).last(row.id);
  if (!last.ok()) return last.error();
  if (!last->has_value()) return {};
  json["decided_by"] = (*last)->decider.name;
  json["decided_at"] = (*last)->decider.at;
  return {};
}

ordered_json contrast_json(const Texts& texts, const refine::CharacterCounts& characters) {
  if (!texts.question || !texts.keeper) return ordered_json::array();
  return findings_json(refine::contrast({texts.question->text, texts.question->answer},
                                        {texts.keeper->text, texts.keeper->answer}, characters));
}

}  // namespace

Result<PairJson> texts_json(Reading& reading, const db::DeletionRow& row) {
  const Result<Texts> texts = find_texts(reading, row);
  if (!texts.ok()) return texts.error();
  return json_of(row, *texts);
}

Result<PairJson> pair_json(Reading& reading, const db::DeletionRow& row) {
  const Result<Texts> texts = find_texts(reading, row);
  if (!texts.ok()) return texts.error();
  const Result<db::Standing> standing = db::standing_of(row, reading.bank);
  if (!standing.ok()) return standing.error();
  PairJson json = json_of(row, *texts);
  add_row(row, json.question);
  json.question["standing"] = word_for(*standing);
  json.question["findings"] = contrast_json(*texts, reading.characters);
  QDEDUP_TRY(add_decision(reading.store, row, json.question));
  return json;
}

std::string dumped(const ordered_json& json) {
  return json.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

}  // namespace qdedup::page
