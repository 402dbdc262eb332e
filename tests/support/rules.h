#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/json.h"
#include "refine/duplicate_settings.h"

namespace qdedup {

// Every measure with every choice of signs and of what is compared, at this percentage.
inline std::vector<refine::DuplicateSettings> all_rules(int min_similarity) {
  std::vector<refine::DuplicateSettings> rules;
  for (const auto& [similarity, unused] : refine::similarity_names) {
    for (const auto& [signs, unused_signs] : refine::sign_rule_names) {
      for (const auto& [compare, unused_compare] : refine::compared_text_names) {
        refine::DuplicateSettings rule{min_similarity, similarity, signs, compare};
        rules.push_back(rule);
        if (!refine::set_measure(similarity)) continue;
        rule.gram = 1;
        rules.push_back(rule);
        rule.features = refine::FeatureKind::words;
        rules.push_back(rule);
      }
    }
  }
  return rules;
}

inline std::string rule_text(const refine::DuplicateSettings& rule) {
  Json json;
  refine::add_settings(rule, json);
  return json_text(json);
}

}  // namespace qdedup
