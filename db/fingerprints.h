#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "base/progress.h"
#include "base/question_id.h"
#include "base/result.h"
#include "db/bank.h"
#include "refine/unicode.h"

namespace qdedup::db {

// Sets the fingerprint and the sketch of a question from its text; `text` is that text, decoded.
void set_fingerprints(BankQuestion& question);
void set_fingerprints(BankQuestion& question, const refine::DecodedText& text);

// A question as it is put into the bank, with both.
BankQuestion bank_question(QuestionId id, std::string text, std::optional<std::string> answer);

// Computes all fingerprints and sketches anew, in batches, and notes the version at the end. Interrupted, it
// leaves no version. `so_far` is called now and then with how many are done.
Status refresh_fingerprints(Bank& bank, const std::string& version,
                            const std::function<void(std::uint64_t)>& so_far);

// Fingerprints and sketches made by other sign rules (an older program, another Unicode version) would hide
// duplicates: computes them all anew if the bank's are such, or if the bank keeps many outdated ones beside
// the newest. Otherwise does nothing. The bank must be open for writing.
Status bring_fingerprints_up_to_date(Bank& bank, const Progress& progress);

}  // namespace qdedup::db
