#include "cli/question_class_json.h"

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "review/deletion_list.h"

namespace qdedup::cli {

namespace {

nlohmann::ordered_json id_or_null(const std::optional<QuestionId>& id) {
  return id ? nlohmann::ordered_json(*id) : nlohmann::ordered_json();
}

nlohmann::ordered_json changes_json(const std::vector<db::ClassChange>& changes) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const db::ClassChange& change : changes) {
    json.push_back({{"at", change.at},
                    {"iteration", change.iteration},
                    {"by", change.decided_by},
                    {"id", change.question},
                    {"from", id_or_null(change.from)},
                    {"to", id_or_null(change.to)},
                    {"reason", change.reason}});
  }
  return json;
}

}  // namespace

nlohmann::ordered_json question_class_json(QuestionId question, const review::QuestionClass& found) {
  nlohmann::ordered_json similar = nlohmann::ordered_json::array();
  for (const db::ClassMember& row : found.members) {
    similar.push_back({{"id", row.question},
                       {"similarity", std::stod(review::similarity_percent(row.distance, row.length))},
                       {"distance", row.distance},
                       {"length", row.length},
                       {"confidence", row.confidence},
                       {"reasons", row.reasons},
                       {"status", row.status},
                       {"iteration", row.iteration},
                       {"compared_with", row.compared_with}});
  }
  return {{"id", question},
          {"representative", found.representative},
          {"questions", found.members.size() + 1},
          {"similar", std::move(similar)},
          {"changes", changes_json(found.changes)}};
}

}  // namespace qdedup::cli
