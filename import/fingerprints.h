#pragma once

#include <optional>
#include <string>

#include "base/progress.h"
#include "base/question_id.h"
#include "base/result.h"
#include "db/bank.h"
#include "refine/unicode.h"

namespace qdedup::import {

// Sets the fingerprint and the sketch of a question from its text.
void set_fingerprints(db::BankQuestion& question);

// The same, where its text is decoded already.
void set_fingerprints(db::BankQuestion& question, const refine::DecodedText& text);

// A question as it is put into the bank, with both.
db::BankQuestion bank_question(QuestionId id, std::string text, std::optional<std::string> answer);

// Fingerprints and sketches made by other sign rules (an older program, another Unicode version) would hide
// duplicates: computes them all anew if the bank's are such, or if the bank keeps many outdated ones beside
// the newest. Else does nothing. The bank must be open for writing.
Status bring_fingerprints_up_to_date(db::Bank& bank, const Progress& progress);

}  // namespace qdedup::import
