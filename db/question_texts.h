#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string_view>

#include "base/question_id.h"
#include "base/result.h"
#include "db/bank.h"

namespace qdedup::db {

// Told of the question at a position of the ids that were asked for. The views hold during the call.
using TakeText =
    std::function<void(std::size_t position, std::string_view text, std::optional<std::string_view> answer)>;

// Reads the texts of `ids`, which ascend, each once; those without a row in the bank are passed over. Goes
// from row to row where `ids` are a good part of the questions between the first and the last, and looks each
// up else.
Status read_texts(Bank& bank, std::span<const QuestionId> ids, const TakeText& take);

}  // namespace qdedup::db
