#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

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

// Goes through all questions that have a text, by id. An error of `take` ends the scan and is answered. Reads
// the whole bank from its beginning to its end, in constant memory.
Status scan_questions(Bank& bank, const std::function<Status(const ScannedQuestion&)>& take);

// The same without the texts.
Status scan_fingerprints(Bank& bank, const std::function<void(std::uint64_t sign_fingerprint)>& take);

}  // namespace qdedup::db
