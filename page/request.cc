#include "page/request.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <stdexcept>

#include <nlohmann/json.hpp>

#include "base/json.h"
#include "base/parse_number.h"
#include "base/user_name.h"
#include "db/fingerprints.h"
#include "db/learned_weights.h"

namespace qdedup::page {
namespace {

const std::string* find(const Parameters& parameters, std::string_view name) {
  const auto found = std::find_if(parameters.begin(), parameters.end(),
                                  [name](const auto& parameter) { return parameter.first == name; });
  return found == parameters.end() || found->second.empty() ? nullptr : &found->second;
}

Error invalid(std::string_view name, std::string_view value) {
  return {ErrorCode::usage,
          std::string(name) + ": " + std::string(value.substr(0, 60)) + " is not a valid value"};
}

std::optional<std::int64_t> number(std::string_view text, std::int64_t min, std::int64_t max) {
  const auto value = parse_number<std::int64_t>(text);
  return value && *value >= min && *value <= max ? value : std::nullopt;
}

// "80-89": two numbers.
std::optional<std::pair<std::int64_t, std::int64_t>> range(std::string_view text, std::int64_t max) {
  const std::size_t dash = text.find('-');
  if (dash == std::string_view::npos) return std::nullopt;
  const auto first = number(text.substr(0, dash), 0, max);
  const auto second = number(text.substr(dash + 1), 0, max);
  if (!first || !second) return std::nullopt;
  return std::pair(*first, *second);
}

template <class Value>
Status take_named(const Parameters& parameters, std::string_view name,
                  std::optional<Value> (*named)(std::string_view), std::optional<Value>& value) {
  const std::string* text = find(parameters, name);
  if (text == nullptr) return {};
  value = named(*text);
  return value ? Status() : Status(invalid(name, *text));
}

Status take_id(const Parameters& parameters, std::string_view name, std::optional<std::int64_t>& id) {
  const std::string* value = find(parameters, name);
  if (value == nullptr) return {};
  id = number(*value, min_question_id, max_question_id);
  return id ? Status() : Status(invalid(name, *value));
}

Status take_similarity(const Parameters& parameters, db::DeletionFilter& filter) {
  const std::string* value = find(parameters, "similarity");
  if (value == nullptr) return {};
  const auto bounds = range(*value, 100);
  if (!bounds || bounds->first > bounds->second) return invalid("similarity", *value);
  filter.min_similarity = static_cast<int>(bounds->first);
  filter.max_similarity = static_cast<int>(bounds->second);
  return {};
}

}  // namespace

unsigned http_status(ErrorCode code) {
  if (code == ErrorCode::usage) return 400;
  if (code == ErrorCode::no_input) return 404;
  return code == ErrorCode::internal || code == ErrorCode::config ? 500 : 503;
}

Error state_trouble(Error error) {
  if (error.code == ErrorCode::no_input) error.code = ErrorCode::io;
  if (error.code == ErrorCode::usage) error.code = ErrorCode::config;
  return error;
}

Result<Databases> Databases::open(const db::StateFolder& folder) {
  Result<db::Store> store = db::Store::open(folder, db::Access::read_only);
  if (!store.ok()) return state_trouble(store.error());
  Result<db::Bank> bank = db::Bank::open(folder, db::Access::read_only);
  if (!bank.ok()) return state_trouble(bank.error());
  return Databases{*std::move(store), *std::move(bank)};
}

Reply::Reply(unsigned http_status, const Json& body) : status(http_status), json(json_text(body)) {}

Reply::Reply(const Error& error) : Reply(http_status(error.code), {{"error", error.message}}) {}

Result<Reading> Reading::open(const db::StateFolder& folder, const refine::ContrastSettings& contrast,
                              const std::string& image_url) {
  QDEDUP_ASSIGN_OR_RETURN(Databases databases, Databases::open(folder));
  QDEDUP_ASSIGN_OR_RETURN(refine::CharacterCounts characters, databases.bank.character_counts());
  QDEDUP_ASSIGN_OR_RETURN(refine::ContrastSettings with_weights, db::with_weights(contrast, databases.store));
  QDEDUP_ASSIGN_OR_RETURN(const auto options, db::current_options(databases.bank));
  const bool draws = options && options->markup == markup::Reading::automatic;
  return Reading{std::move(databases), std::move(characters), std::move(with_weights), draws, image_url};
}

Result<db::DeletionFilter> filter_of(const Parameters& parameters) {
  db::DeletionFilter filter;
  std::optional<db::DeletionStatus> status = db::DeletionStatus::pending;
  QDEDUP_TRY(take_named(parameters, "status", db::deletion_status_named, status));
  filter.statuses = {*status};
  QDEDUP_TRY(take_named(parameters, "confidence", refine::confidence_named, filter.confidence));
  if (const std::string* reason = find(parameters, "reason")) filter.reason = *reason;
  QDEDUP_TRY(take_id(parameters, "iteration", filter.iteration));
  QDEDUP_TRY(take_id(parameters, "question", filter.question));
  QDEDUP_TRY(take_named(parameters, "risk", refine::parse_risk, filter.max_risk));
  QDEDUP_TRY(take_similarity(parameters, filter));
  return filter;
}

Result<db::QueueOrder> order_of(const Parameters& parameters) {
  std::optional<db::QueueOrder> order = db::QueueOrder::risk;
  QDEDUP_TRY(take_named(parameters, "order", db::queue_order_named, order));
  return *order;
}

Result<db::QueuePlace> place_of(const Parameters& parameters, std::string_view name) {
  const std::string* value = find(parameters, name);
  if (value == nullptr) return db::QueuePlace{};
  const std::string_view text = *value;
  constexpr auto any = std::numeric_limits<std::int64_t>::max();
  const std::size_t dash = std::min(text.find('-', 1), text.size());  // a key may be negative
  const auto key = number(text.substr(0, dash), -any, any);
  const auto ids = range(text.substr(std::min(dash + 1, text.size())), max_question_id);
  if (!key || !ids) return invalid(name, *value);
  return db::QueuePlace{*key, ids->first, ids->second};
}

std::string text_of(const Parameters& parameters, std::string_view name) {
  const std::string* value = find(parameters, name);
  return value == nullptr ? std::string() : *value;
}

Result<std::int64_t> number_of(const Parameters& parameters, std::string_view name, std::int64_t min,
                               std::int64_t max, std::int64_t otherwise) {
  const std::string* value = find(parameters, name);
  if (value == nullptr) return otherwise;
  const auto found = number(*value, min, max);
  if (!found) return invalid(name, *value);
  return *found;
}

Status read_body(std::string_view body, const std::function<void(const nlohmann::json& json)>& read) {
  const Status taken = read_json(body, read);
  if (taken.ok()) return {};
  return Error{ErrorCode::usage, "the body does not fit: " + taken.error().message};
}

std::int64_t number_field(const nlohmann::json& json, const char* name, std::int64_t min) {
  const nlohmann::json& value = json.at(name);
  const bool too_large = value.is_number_unsigned() &&
                         value.get<std::uint64_t>() > std::uint64_t{std::numeric_limits<std::int64_t>::max()};
  if (!value.is_number_integer() || too_large || value.get<std::int64_t>() < min) {
    throw std::invalid_argument(std::string(name) + " is not an integer from " + std::to_string(min) +
                                " to 2^63-1");
  }
  return value.get<std::int64_t>();
}

std::string note_field(const nlohmann::json& json) {
  std::string note = json.value("note", "");
  if (!is_note(note)) throw std::invalid_argument(std::string(note_rule));
  return note;
}

QuestionId id_field(const nlohmann::json& json, const char* name) {
  return number(json.at(name).get<std::string>(), min_question_id, max_question_id).value_or(0);
}

}  // namespace qdedup::page
