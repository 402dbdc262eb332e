#include "page/question_json.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include <nlohmann/json.hpp>

#include "import/question_reader.h"
#include "review/deletion_list.h"

namespace qdedup::page {
namespace {

Error bad(const std::string& what) { return {ErrorCode::data, what}; }

Result<std::optional<QuestionId>> id_of(const nlohmann::json& question) {
  const auto id = question.find("id");
  if (id == question.end() || id->is_null()) return std::optional<QuestionId>();
  if (!id->is_number_integer() || (id->is_number_unsigned() && id->get<std::uint64_t>() > max_question_id) ||
      id->get<std::int64_t>() < min_question_id) {
    return bad(std::string(import::reason::bad_id));
  }
  return std::optional(id->get<QuestionId>());
}

Result<std::optional<std::string>> answer_of(const nlohmann::json& question) {
  const auto answer = question.find("answer");
  if (answer == question.end() || answer->is_null()) return std::optional<std::string>();
  if (answer->is_number()) return std::optional(answer->dump());
  if (!answer->is_string()) return bad(std::string(import::reason::bad_answer));
  if (const auto wrong = import::check_answer(answer->get_ref<const std::string&>()))
    return bad(wrong->reason);
  return std::optional(answer->get<std::string>());
}

Result<iteration::AskedQuestion> question_of(const nlohmann::json& question) {
  if (!question.is_object()) return bad("a question is a JSON object");
  const auto text = question.find("text");
  if (text == question.end() || !text->is_string()) return bad(std::string(import::reason::no_text));
  if (const auto wrong = import::check_text(text->get_ref<const std::string&>())) return bad(wrong->reason);
  QDEDUP_ASSIGN_OR_RETURN(const std::optional<QuestionId> id, id_of(question));
  QDEDUP_ASSIGN_OR_RETURN(std::optional<std::string> answer, answer_of(question));
  return iteration::AskedQuestion{id, text->get<std::string>(), std::move(answer)};
}

// Levels of the shape, and some to spare: deeper nesting is refused while it is parsed.
nlohmann::json shallow_json(std::string_view body) {
  constexpr int deepest = 8;
  bool too_deep = false;
  nlohmann::json value = nlohmann::json::parse(
      body,
      [&](int depth, nlohmann::json::parse_event_t, nlohmann::json&) {
        too_deep = too_deep || depth > deepest;
        return depth <= deepest;
      },
      false);
  return too_deep ? nlohmann::json(nlohmann::json::value_t::discarded) : value;
}

Json id_or_null(const std::optional<QuestionId>& id) { return id ? Json(*id) : Json(); }

Json changes_json(const std::vector<db::ClassChange>& changes) {
  Json json = Json::array();
  for (const db::ClassChange& change : changes) {
    json.push_back({{"at", change.at},
                    {"iteration", change.iteration},
                    {"by", change.decided_by},
                    {"given_name", change.given_name},
                    {"id", change.question},
                    {"from", id_or_null(change.from)},
                    {"to", id_or_null(change.to)},
                    {"reason", change.reason}});
  }
  return json;
}

}  // namespace

Result<CheckRequest> parse_check_request(std::string_view body) {
  const nlohmann::json request = shallow_json(body);
  if (!request.is_object()) return bad("the body is no JSON object");
  CheckRequest result;
  if (const auto add = request.find("add"); add != request.end()) {
    if (!add->is_boolean()) return bad("add is true or false");
    result.add = add->get<bool>();
  }
  const auto many = request.find("questions");
  if (many != request.end() && !many->is_array()) return bad("questions is an array");
  const nlohmann::json questions = many != request.end() ? *many : nlohmann::json::array({request});
  if (questions.size() > max_questions_per_check) return bad("more than 1,000 questions at once");
  for (const nlohmann::json& question : questions) {
    QDEDUP_ASSIGN_OR_RETURN(iteration::AskedQuestion asked, question_of(question));
    result.questions.push_back(std::move(asked));
  }
  return result;
}

Json check_outcome_json(const iteration::AskedQuestion& question, const iteration::CheckOutcome& outcome) {
  Json json = {{"id", id_or_null(question.id)}, {"duplicate", outcome.duplicate_of.has_value()}};
  if (outcome.duplicate_of) {
    const refine::AnnotatedDeletion& row = *outcome.duplicate_of;
    json["duplicate_of"] = row.keeper;
    json["similarity"] = std::stod(review::similarity_percent(row.distance, row.length));
    json["distance"] = row.distance;
    json["length"] = row.length;
    json["confidence"] = name(row.confidence);
    json["reasons"] = Json(row.reasons.all());
    json["risk"] = row.risk.share();
  }
  json["added"] = outcome.added;
  if (!outcome.refused.empty()) json["refused"] = outcome.refused;
  return json;
}

Json check_outcomes_json(std::span<const iteration::AskedQuestion> questions,
                         std::span<const iteration::CheckOutcome> outcomes) {
  Json results = Json::array();
  for (std::size_t i = 0; i < outcomes.size(); ++i)
    results.push_back(check_outcome_json(questions[i], outcomes[i]));
  return {{"results", std::move(results)}};
}

Json question_class_json(QuestionId question, const review::QuestionClass& found) {
  Json similar = Json::array();
  for (const db::ClassMember& row : found.members) {
    similar.push_back({{"id", row.question},
                       {"similarity", std::stod(review::similarity_percent(row.distance, row.length))},
                       {"distance", row.distance},
                       {"length", row.length},
                       {"confidence", name(row.confidence)},
                       {"reasons", row.reasons.text()},
                       {"risk", row.risk.share()},
                       {"status", name(row.status)},
                       {"iteration", row.iteration},
                       {"compared_with", row.compared_with}});
  }
  return {{"id", question},
          {"representative", found.representative},
          {"questions", found.members.size() + 1},
          {"similar", std::move(similar)},
          {"changes", changes_json(found.changes)}};
}

}  // namespace qdedup::page
