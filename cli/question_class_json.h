#pragma once

#include <nlohmann/json_fwd.hpp>

#include "base/question_id.h"
#include "review/question_class.h"

namespace qdedup::cli {

// What `similar` tells of a question's class, as the daemon tells it too.
nlohmann::ordered_json question_class_json(QuestionId question, const review::QuestionClass& found);

}  // namespace qdedup::cli
