#include "page/query.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "base/question_id.h"

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

std::optional<std::int64_t> number(std::string_view text, std::int64_t least, std::int64_t most) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole && value >= least && value <= most ? std::optional(value) : std::nullopt;
}

// "80-89": two numbers.
std::optional<std::pair<std::int64_t, std::int64_t>> range(std::string_view text, std::int64_t most) {
  const std::size_t dash = text.find('-');
  if (dash == std::string_view::npos) return std::nullopt;
  const auto first = number(text.substr(0, dash), 0, most);
  const auto second = number(text.substr(dash + 1), 0, most);
  if (!first || !second) return std::nullopt;
  return std::pair(*first, *second);
}

template <std::size_t Size>
Status take_word(const Parameters& parameters, std::string_view name,
                 const std::array<std::string_view, Size>& words, std::string& word) {
  const std::string* value = find(parameters, name);
  if (value == nullptr) return {};
  if (std::ranges::find(words, *value) == words.end()) return invalid(name, *value);
  word = *value;
  return {};
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

Result<db::DeletionFilter> filter_of(const Parameters& parameters) {
  constexpr std::array<std::string_view, 5> statuses = {"pending", "approved", "rejected", "applied",
                                                        "withdrawn"};
  constexpr std::array<std::string_view, 2> confidences = {"safe", "doubtful"};
  db::DeletionFilter filter;
  std::string status = "pending";
  QDEDUP_TRY(take_word(parameters, "status", statuses, status));
  filter.statuses = {status};
  QDEDUP_TRY(take_word(parameters, "confidence", confidences, filter.confidence));
  if (const std::string* reason = find(parameters, "reason")) filter.reason = *reason;
  QDEDUP_TRY(take_id(parameters, "iteration", filter.iteration));
  QDEDUP_TRY(take_id(parameters, "question", filter.question));
  QDEDUP_TRY(take_similarity(parameters, filter));
  return filter;
}

Result<db::QueuePlace> place_of(const Parameters& parameters) {
  const std::string* value = find(parameters, "after");
  if (value == nullptr) return db::QueuePlace{};
  const auto place = range(*value, max_question_id);
  if (!place) return invalid("after", *value);
  return db::QueuePlace{place->first, place->second};
}

Result<std::int64_t> number_of(const Parameters& parameters, std::string_view name, std::int64_t least,
                               std::int64_t most, std::int64_t otherwise) {
  const std::string* value = find(parameters, name);
  if (value == nullptr) return otherwise;
  const auto found = number(*value, least, most);
  if (!found) return invalid(name, *value);
  return *found;
}

}  // namespace qdedup::page
