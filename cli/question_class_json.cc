#include "cli/question_class_json.h"

#include <string>

#include <nlohmann/json.hpp>

#include "review/deletion_list.h"

namespace qdedup::cli {

nlohmann::ordered_json question_class_json(QuestionId question, const review::QuestionClass& found) {
  nlohmann::ordered_json similar = nlohmann::ordered_json::array();
  for (const db::DeletionRow& row : found.members) {
    similar.push_back({{"id", row.question},
                       {"similarity", std::stod(review::similarity_percent(row.distance, row.length))},
                       {"distance", row.distance},
                       {"length", row.length},
                       {"confidence", row.confidence},
                       {"reasons", row.reasons},
                       {"status", row.status},
                       {"iteration", row.iteration}});
  }
  return {{"id", question},
          {"representative", found.representative},
          {"questions", found.members.size() + 1},
          {"similar", std::move(similar)}};
}

}  // namespace qdedup::cli
