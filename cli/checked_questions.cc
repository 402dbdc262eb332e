#include "cli/checked_questions.h"

#include <cstdint>
#include <optional>
#include <sstream>
#include <string>
#include <utility>

#include <nlohmann/json.hpp>

#include "import/fields.h"
#include "review/deletion_list.h"

namespace qdedup::cli {
namespace {

using nlohmann::json;

Error bad(const std::string& what) { return {ErrorCode::data, what}; }

Status check_shape(const json& question) {
  if (!question.is_object()) return bad("a question is a JSON object");
  const auto text = question.find("text");
  if (text == question.end() || !text->is_string()) return bad(std::string(import::reason::no_text));
  if (const auto wrong = import::check_text(text->get_ref<const std::string&>())) return bad(wrong->reason);
  const auto id = question.find("id");
  if (id == question.end() || id->is_null()) return {};
  if (!id->is_number_integer() || (id->is_number_unsigned() && id->get<std::uint64_t>() > max_question_id) ||
      id->get<std::int64_t>() < min_question_id) {
    return bad(std::string(import::reason::bad_id));
  }
  return {};
}

Result<std::optional<std::string>> answer_of(const json& question) {
  const auto answer = question.find("answer");
  if (answer == question.end() || answer->is_null()) return std::optional<std::string>();
  if (answer->is_number()) return std::optional(answer->dump());
  if (!answer->is_string()) return bad(std::string(import::reason::bad_answer));
  if (const auto wrong = import::check_answer(answer->get_ref<const std::string&>()))
    return bad(wrong->reason);
  return std::optional(answer->get<std::string>());
}

Result<iteration::AskedQuestion> question_of(const json& question) {
  QDEDUP_TRY(check_shape(question));
  Result<std::optional<std::string>> answer = answer_of(question);
  if (!answer.ok()) return std::move(answer).error();
  iteration::AskedQuestion asked{std::nullopt, question.at("text").get<std::string>(), *std::move(answer)};
  if (const auto id = question.find("id"); id != question.end() && !id->is_null())
    asked.id = id->get<QuestionId>();
  return asked;
}

// Levels of the shape, and some to spare: deeper nesting is refused while it is parsed.
json parsed(std::string_view body) {
  constexpr int deepest = 8;
  bool too_deep = false;
  json value = json::parse(
      body,
      [&](int depth, json::parse_event_t, json&) {
        too_deep = too_deep || depth > deepest;
        return depth <= deepest;
      },
      false);
  return too_deep ? json(json::value_t::discarded) : value;
}

}  // namespace

Result<CheckRequest> parse_check_request(std::string_view body) {
  const json request = parsed(body);
  if (!request.is_object()) return bad("the body is no JSON object");
  CheckRequest result;
  if (const auto add = request.find("add"); add != request.end()) {
    if (!add->is_boolean()) return bad("add is true or false");
    result.add = add->get<bool>();
  }
  const auto many = request.find("questions");
  if (many != request.end() && !many->is_array()) return bad("questions is an array");
  const json questions = many != request.end() ? *many : json::array({request});
  if (questions.size() > most_checked_at_once) return bad("more than 1,000 questions at once");
  for (const json& question : questions) {
    Result<iteration::AskedQuestion> asked = question_of(question);
    if (!asked.ok()) return std::move(asked).error();
    result.questions.push_back(*std::move(asked));
  }
  return result;
}

nlohmann::ordered_json check_outcome_json(const iteration::AskedQuestion& question,
                                          const iteration::CheckOutcome& outcome) {
  nlohmann::ordered_json told;
  told["id"] = question.id ? nlohmann::ordered_json(*question.id) : nlohmann::ordered_json();
  told["duplicate"] = outcome.duplicate_of.has_value();
  if (outcome.duplicate_of) {
    told["duplicate_of"] = *outcome.duplicate_of;
    told["similarity"] = std::stod(review::similarity_percent(outcome.distance, outcome.length));
    told["distance"] = outcome.distance;
    told["length"] = outcome.length;
    told["confidence"] = outcome.confidence;
    told["reasons"] = nlohmann::ordered_json::array();
    std::istringstream reasons(outcome.reasons);
    for (std::string reason; std::getline(reasons, reason, ';');) told["reasons"].push_back(reason);
  }
  told["added"] = outcome.added;
  if (!outcome.refused.empty()) told["refused"] = outcome.refused;
  return told;
}

nlohmann::ordered_json check_outcomes_json(std::span<const iteration::AskedQuestion> questions,
                                           std::span<const iteration::CheckOutcome> outcomes) {
  nlohmann::ordered_json results = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < outcomes.size(); ++i)
    results.push_back(check_outcome_json(questions[i], outcomes[i]));
  return {{"results", std::move(results)}};
}

}  // namespace qdedup::cli
