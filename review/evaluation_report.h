#pragma once

#include <string>

#include "review/evaluation.h"

namespace qdedup::review {

// The evaluation as tables for people: label by confidence for all pairs and for each subject, the
// percentages, the reasons, and the worst pairs.
std::string evaluation_text(const Evaluation& evaluation);

// The same as one JSON object and a line feed. Its keys: the labels, each {"safe":n,"doubtful":n};
// precision_of_safe, precision_of_rule and same_kept_safe in percent, null where nothing was counted;
// subjects, which has these again by subject; reasons, by reason and label; worst; missing.
std::string evaluation_json(const Evaluation& evaluation);

}  // namespace qdedup::review
