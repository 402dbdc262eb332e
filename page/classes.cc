#include "page/classes.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "db/arrivals.h"
#include "db/snapshot.h"
#include "import/question_reader.h"
#include "review/deletion_list.h"

namespace qdedup::page {
namespace {

constexpr std::int64_t default_classes = 40;
constexpr std::int64_t max_classes = 200;   // and members
constexpr std::size_t max_beginning = 300;  // bytes

Json id_or_null(const std::optional<QuestionId>& id) { return id ? Json(*id) : Json(); }

Json changes_json(const std::vector<db::ClassChange>& changes) {
  Json json = Json::array();
  for (const db::ClassChange& change : changes) {
    json.push_back({{"at", change.at},
                    {"iteration", id_or_null(change.iteration)},
                    {"by", change.decided_by},
                    {"given_name", change.given_name},
                    {"id", change.question},
                    {"from", id_or_null(change.from)},
                    {"to", id_or_null(change.to)},
                    {"reason", change.reason}});
  }
  return json;
}

// With what `entry` says of each.
template <class Entry>
Result<Json> class_page(db::Store& store, const Parameters& parameters, Entry entry) {
  const std::string sort = text_of(parameters, "sort");
  const auto order = sort.empty() ? db::ClassOrder::representative : db::class_order_named(sort);
  if (!order) return Error{ErrorCode::usage, "sort: is representative, largest or smallest"};
  QDEDUP_ASSIGN_OR_RETURN(const std::int64_t offset, number_of(parameters, "offset", 0, max_question_id, 0));
  QDEDUP_ASSIGN_OR_RETURN(const std::int64_t limit,
                          number_of(parameters, "limit", 1, max_classes, default_classes));
  db::Classes classes(store);
  QDEDUP_ASSIGN_OR_RETURN(const std::vector<db::ClassSize> sizes, classes.sizes(*order, offset, limit));
  QDEDUP_ASSIGN_OR_RETURN(const std::uint64_t total, classes.count());
  Json page = {{"classes", Json::array()}, {"total", total}};
  for (const db::ClassSize& size : sizes) {
    QDEDUP_ASSIGN_OR_RETURN(Json json, entry(size));
    page["classes"].push_back(std::move(json));
  }
  return page;
}

// The beginning of a question's text; null if there is none.
Result<Json> beginning_of(QuestionId question, Reading& reading) {
  QDEDUP_ASSIGN_OR_RETURN(const auto found, db::find_question(question, reading.store, reading.bank));
  if (!found) return Json();
  std::string text = found->original_text();
  std::ranges::replace(text, '\n', ' ');
  return Json(import::excerpt(text, max_beginning));
}

}  // namespace

Result<QuestionClass> class_of(QuestionId question, db::Store& store, db::Bank& bank) {
  QDEDUP_ASSIGN_OR_RETURN(const db::Snapshot moment, db::Snapshot::take(store));
  db::Classes classes(store);
  QuestionClass found;
  QDEDUP_ASSIGN_OR_RETURN(found.representative, classes.representative_of(question));
  QDEDUP_ASSIGN_OR_RETURN(db::ClassCursor members, classes.members_of(found.representative));
  while (true) {
    QDEDUP_ASSIGN_OR_RETURN(std::optional<db::ClassMember> member, members.next());
    if (!member) break;
    found.members.push_back(*std::move(member));
  }
  QDEDUP_ASSIGN_OR_RETURN(found.changes, classes.changes_of(found.representative));
  if (!found.members.empty()) return found;
  QDEDUP_ASSIGN_OR_RETURN(const std::optional<db::BankQuestion> in_bank, bank.find(question));
  if (!in_bank) {
    return Error{ErrorCode::no_input, std::to_string(question) + ": is neither in the bank nor in any class"};
  }
  return found;
}

Json question_class_json(QuestionId question, const QuestionClass& found) {
  Json similar = Json::array();
  for (const db::ClassMember& row : found.members) {
    similar.push_back({{"id", row.question},
                       {"similarity", std::stod(review::similarity_percent(row.distance, row.length))},
                       {"distance", row.by_sets ? Json() : Json(row.distance)},
                       {"length", row.by_sets ? Json() : Json(row.length)},
                       {"confidence", name(row.confidence)},
                       {"reasons", row.reasons.text()},
                       {"risk", row.risk.share()},
                       {"status", row.status},
                       {"iteration", id_or_null(row.iteration)},
                       {"compared_with", row.compared_with}});
  }
  return {{"id", question},
          {"representative", found.representative},
          {"questions", found.members.size() + 1},
          {"similar", std::move(similar)},
          {"changes", changes_json(found.changes)}};
}

Result<Json> class_sizes_json(db::Store& store, const Parameters& parameters) {
  return class_page(store, parameters, [](const db::ClassSize& each) -> Result<Json> {
    return Json{{"representative", each.representative}, {"questions", each.questions}};
  });
}

Reply classes_reply(Reading& reading, const Parameters& parameters) {
  QDEDUP_ASSIGN_OR_RETURN(
      const Json page, class_page(reading.store, parameters, [&](const db::ClassSize& each) -> Result<Json> {
        QDEDUP_ASSIGN_OR_RETURN(Json text, beginning_of(each.representative, reading));
        return Json{{"representative", std::to_string(each.representative)},
                    {"questions", each.questions},
                    {"text", std::move(text)}};
      }));
  return {200, page};
}

Reply class_reply(Reading& reading, const Parameters& parameters) {
  QDEDUP_ASSIGN_OR_RETURN(const std::int64_t id,
                          number_of(parameters, "representative", min_question_id, max_question_id, 0));
  if (id == 0) return Error{ErrorCode::usage, "representative: is missing"};
  QDEDUP_ASSIGN_OR_RETURN(const std::int64_t after, number_of(parameters, "after", 0, max_question_id, 0));
  db::Classes classes(reading.store);
  QDEDUP_ASSIGN_OR_RETURN(const std::uint64_t total, classes.count_members(id));
  QDEDUP_ASSIGN_OR_RETURN(db::ClassCursor rows, classes.members_of(id, after));
  Json members = Json::array();
  while (members.size() < max_classes) {
    QDEDUP_ASSIGN_OR_RETURN(const std::optional<db::ClassMember> member, rows.next());
    if (!member) break;
    QDEDUP_ASSIGN_OR_RETURN(Json text, beginning_of(member->question, reading));
    members.push_back({{"id", std::to_string(member->question)},
                       {"compared_with", std::to_string(member->compared_with)},
                       {"similarity", review::similarity_percent(member->distance, member->length)},
                       {"status", member->status},
                       {"iteration", id_or_null(member->iteration)},
                       {"text", std::move(text)}});
  }
  return {200, {{"members", std::move(members)}, {"total", total}}};
}

}  // namespace qdedup::page
