#include "page/question_json.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "import/arrival_time.h"
#include "import/question_reader.h"
#include "review/deletion_list.h"

namespace qdedup::page {
namespace {

Error bad(const std::string& what) { return {ErrorCode::data, what}; }

Result<std::optional<QuestionId>> id_of(const nlohmann::json& question) {
  const auto id = question.find("id");
  if (id == question.end() || id->is_null()) return std::optional<QuestionId>();
  if (!is_question_id(*id)) return bad(std::string(import::reason::bad_id));
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

// As in a question file, where other values than these name no images either. RequestEvents has those of an
// object in a list.
Result<std::vector<std::string>> images_of(const nlohmann::json& question) {
  std::vector<std::string> names;
  const auto images = question.find("images");
  if (images == question.end()) return names;
  if (images->is_string()) names = import::image_names(images->get_ref<const std::string&>());
  if (images->is_array()) {
    for (const nlohmann::json& image : *images) {
      if (image.is_structured() || image.is_boolean()) break;
      std::string name;
      if (image.is_string()) name = image.get<std::string>();
      if (image.is_number()) name = image.dump();
      import::add_image(names, std::move(name));
    }
  }
  if (const auto wrong = import::check_images(names)) return bad(wrong->reason);
  return names;
}

Result<std::optional<std::int64_t>> arrival_of(const nlohmann::json& question) {
  using Arrival = std::optional<std::int64_t>;
  const auto arrival = question.find("arrived_at");
  if (arrival == question.end() || arrival->is_null()) return Arrival();
  const auto* const text = arrival->get_ptr<const std::string*>();
  if (text != nullptr && text->empty()) return Arrival();
  Arrival at;
  if (text != nullptr) at = import::parse_arrival_time(*text);
  if (arrival->is_number_integer()) at = import::parse_arrival_time(arrival->dump());
  return at ? Result<Arrival>(at) : bad(std::string(import::reason::bad_arrival));
}

Result<iteration::AskedQuestion> question_of(const nlohmann::json& question) {
  if (!question.is_object()) return bad("a question is a JSON object");
  const auto text = question.find("text");
  if (text == question.end() || !text->is_string()) return bad(std::string(import::reason::no_text));
  if (const auto wrong = import::check_text(text->get_ref<const std::string&>())) return bad(wrong->reason);
  QDEDUP_ASSIGN_OR_RETURN(const std::optional<QuestionId> id, id_of(question));
  QDEDUP_ASSIGN_OR_RETURN(std::optional<std::string> answer, answer_of(question));
  QDEDUP_ASSIGN_OR_RETURN(std::vector<std::string> images, images_of(question));
  QDEDUP_ASSIGN_OR_RETURN(const std::optional<std::int64_t> arrived_at, arrival_of(question));
  return iteration::AskedQuestion{id, text->get<std::string>(), std::move(answer), std::move(images),
                                  arrived_at};
}

// Keeps of a request only what is read of it, so that time and memory are linear whatever else it has: the
// members that it may have, and those of its questions. A list or an object in place of anything else is kept
// empty.
// NOLINTNEXTLINE(bugprone-exception-escape): moving JSON does not throw
class RequestEvents final : public nlohmann::json_sax<nlohmann::json> {
 public:
  nlohmann::json request;
  bool too_many = false;  // questions

  bool null() override { return take(nullptr); }
  bool boolean(bool value) override { return take(value); }
  bool number_integer(std::int64_t value) override { return take(value); }
  bool number_unsigned(std::uint64_t value) override { return take(value); }
  bool number_float(double value, const std::string& digits) override {
    const bool is_name = key_ == "answer" || is_in_images();  // which a question file has as written
    return is_name ? take(digits) : take(value);
  }
  bool string(std::string& value) override { return take(std::move(value)); }
  bool binary(nlohmann::json::binary_t& /*value*/) override { return false; }
  bool key(std::string& name) override {
    key_ = std::move(name);
    return true;
  }
  bool start_object(std::size_t /*size*/) override {
    if (begins_images()) return open(nlohmann::json::array(), true);
    const bool is_question = questions_ != nullptr && !open_.empty() && open_.back() == questions_;
    return open(nlohmann::json::object(), open_.empty() || is_question);
  }
  bool end_object() override { return close(); }
  bool start_array(std::size_t /*size*/) override {
    const bool is_list = open_.size() == 1 && key_ == "questions";
    const bool more = open(nlohmann::json::array(), is_list || begins_images());
    if (is_list) questions_ = open_.back();
    return more;
  }
  bool end_array() override { return close(); }
  bool parse_error(std::size_t /*position*/, const std::string& /*token*/,
                   const nlohmann::json::exception& /*error*/) override {
    return false;
  }

 private:
  // Levels of the shape, and some to spare: deeper nesting is refused.
  static constexpr std::size_t deepest = 8;

  [[nodiscard]] bool begins_images() const {
    return !open_.empty() && open_.back() != nullptr && open_.back()->is_object() && key_ == "images";
  }

  [[nodiscard]] bool is_in_images() const {
    return !open_.empty() && open_.back() != nullptr && open_.back()->is_array() &&
           open_.back() != questions_;
  }

  // Where the value is kept; null if it is not.
  nlohmann::json* keep(nlohmann::json value) {
    if (open_.empty()) return &(request = std::move(value));
    nlohmann::json* const parent = open_.back();
    if (parent == nullptr) return nullptr;
    if (parent->is_array()) {
      if (parent == questions_) {
        too_many = parent->size() == max_questions_per_check;
      } else if (parent->size() > import::max_images) {
        return nullptr;
      }
      parent->push_back(std::move(value));
      return &parent->back();
    }
    constexpr std::array known{"add", "questions", "id", "text", "answer", "images", "arrived_at"};
    return std::ranges::find(known, key_) == known.end() ? nullptr : &((*parent)[key_] = std::move(value));
  }

  bool take(nlohmann::json value) {
    keep(std::move(value));
    return !too_many;
  }

  bool open(nlohmann::json value, bool has_more_to_keep) {
    nlohmann::json* const kept = keep(std::move(value));
    open_.push_back(has_more_to_keep ? kept : nullptr);
    return !too_many && open_.size() <= deepest;
  }

  bool close() {
    open_.pop_back();
    return true;
  }

  std::vector<nlohmann::json*> open_;  // lists and objects; null for one of which nothing more is kept
  nlohmann::json* questions_ = nullptr;
  std::string key_;  // the last one
};

}  // namespace

Result<CheckRequest> parse_check_request(std::string_view body) {
  RequestEvents events;
  const bool complete = nlohmann::json::sax_parse(body.begin(), body.end(), &events);
  if (events.too_many) return bad("more than 1,000 questions at once");
  const nlohmann::json& request = events.request;
  if (!complete || !request.is_object()) return bad("the body is no JSON object");
  CheckRequest result;
  if (const auto add = request.find("add"); add != request.end()) {
    if (!add->is_boolean()) return bad("add is true or false");
    result.add = add->get<bool>();
  }
  const auto many = request.find("questions");
  if (many != request.end() && !many->is_array()) return bad("questions is an array");
  const nlohmann::json questions = many != request.end() ? *many : nlohmann::json::array({request});
  for (const nlohmann::json& question : questions) {
    QDEDUP_ASSIGN_OR_RETURN(iteration::AskedQuestion asked, question_of(question));
    result.questions.push_back(std::move(asked));
  }
  return result;
}

Json check_outcome_json(const iteration::AskedQuestion& question, const iteration::CheckOutcome& outcome) {
  Json json = {{"id", question.id ? Json(*question.id) : Json()},
               {"duplicate", outcome.duplicate_of.has_value()}};
  if (outcome.duplicate_of) {
    const refine::AnnotatedDeletion& row = *outcome.duplicate_of;
    json["duplicate_of"] = row.keeper;
    json["similarity"] = std::stod(review::similarity_percent(row.distance, row.length));
    json["distance"] = row.by_sets ? Json() : Json(row.distance);
    json["length"] = row.by_sets ? Json() : Json(row.length);
    json["confidence"] = name(row.confidence);
    json["reasons"] = Json(row.reasons.all());
    json["risk"] = row.risk.share();
  }
  json["added"] = outcome.added;
  if (!outcome.refused.empty()) json["refused"] = outcome.refused;
  if (outcome.members) {
    json["joined"] = outcome.joined;
    json["representative"] = outcome.members->representative;
    json["questions"] = outcome.members->questions;
    json["similar"] = outcome.members->similar;
  }
  return json;
}

Json check_outcomes_json(std::span<const iteration::AskedQuestion> questions,
                         std::span<const iteration::CheckOutcome> outcomes) {
  Json results = Json::array();
  for (std::size_t i = 0; i < outcomes.size(); ++i)
    results.push_back(check_outcome_json(questions[i], outcomes[i]));
  return {{"results", std::move(results)}};
}

}  // namespace qdedup::page
