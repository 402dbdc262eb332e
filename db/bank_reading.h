#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/question_id.h"
#include "base/result.h"
#include "db/bank.h"

namespace qdedup::db {

// A question as a scan of the bank comes across it.
struct ScannedQuestion {
  QuestionId id = 0;
  std::uint64_t sign_fingerprint = 0;
  std::string_view text;  // UTF-8, not empty; valid during the call
};

// Goes through all questions that have a text, by id. An error of `take` ends the scan and is returned. Reads
// the whole bank from its beginning to its end, in constant memory.
Status scan_questions(Bank& bank, const std::function<Status(const ScannedQuestion&)>& take);

// The same without the texts.
Status scan_fingerprints(Bank& bank, const std::function<void(std::uint64_t sign_fingerprint)>& take);

// Takes the question at a position of the ids that were asked for. The views hold during the call.
using TakeText =
    std::function<void(std::size_t position, std::string_view text, std::optional<std::string_view> answer)>;

// Reads the texts of `ids`, which ascend, each once; those without a row in the bank are skipped. Goes from
// row to row where `ids` are a good part of the questions between the first and the last, and otherwise looks
// each up.
Status read_texts(Bank& bank, std::span<const QuestionId> ids, const TakeText& take);

// Each commit that changes questions has a number: that of the run of sketches that it adds (db/sketches.h).
// Numbers grow, and none is used again.

// The number of the newest change; 0 where there was none.
Result<std::int64_t> newest_change(Bank& bank);

// The questions that were put into the bank, given another text or answer, or computed anew by changes after
// `change`; ids may repeat, and be of questions that have left since. Nothing where there are more than
// `most`.
Result<std::optional<std::vector<QuestionId>>> changed_since(Bank& bank, std::int64_t change,
                                                             std::size_t most);

}  // namespace qdedup::db
