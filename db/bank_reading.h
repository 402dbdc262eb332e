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

// A question as seen by a scan of the bank.
struct ScannedQuestion {
  QuestionId id = 0;
  std::uint64_t sign_fingerprint = 0;
  std::string_view text;  // UTF-8, not empty; valid during the call
};

// Visits all questions that have a text, by id. An error of `take` ends the scan and is returned. Reads the
// whole bank, in constant memory.
Status scan_questions(Bank& bank, const std::function<Status(const ScannedQuestion&)>& take);

// The same, for the fingerprints alone.
Status scan_fingerprints(Bank& bank, const std::function<void(std::uint64_t sign_fingerprint)>& take);

// Takes the question at a position of the requested ids. The views are valid during the call.
using TakeText =
    std::function<void(std::size_t position, std::string_view text, std::optional<std::string_view> answer)>;

// Reads the texts of `ids`, which ascend without repetition; ids that are not in the bank are skipped. Reads
// row by row if `ids` are a good part of the questions between the first and the last, otherwise looks up
// each.
Status read_texts(Bank& bank, std::span<const QuestionId> ids, const TakeText& take);

// Each commit that changes questions has a number: that of the run of sketches it adds (db/sketches.h).
// Numbers grow and are never reused.

// The number of the newest change; 0 if there is none.
Result<std::int64_t> newest_change(Bank& bank);

// The questions that were added, given another text or answer, removed or recomputed by changes after
// `change`; ids may repeat. None if there are more than `most`, or if the bank no longer knows them all.
Result<std::optional<std::vector<QuestionId>>> changed_since(Bank& bank, std::int64_t change,
                                                             std::size_t most);

// Each reader keeps two files open, and a process may be limited to 1,024.
inline constexpr unsigned max_readers = 16;

// Calls `read` on each of `threads` threads, but at most `max_readers`, each with its own connection to the
// bank: on the caller's thread `bank` itself, where `tells` allows it to report progress, on the others
// read-only ones. Returns when all are done; of several errors, that of the caller's thread takes precedence.
Status with_readers(Bank& bank, unsigned threads,
                    const std::function<Status(Bank& reader, bool tells)>& read);

}  // namespace qdedup::db
