#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/question_id.h"
#include "base/result.h"
#include "db/bank.h"
#include "markup/extract.h"
#include "refine/unicode.h"

namespace qdedup::db {

// Extracts what is compared from text and answer, as they were imported with these `images`, and keeps the
// originals where they differ. Of a text with more than max_compared_bytes nothing is compared. Returns what
// was found in the text, whose `text` is unspecified.
markup::Extracted extract(BankQuestion& question, const markup::Options& options);

// The images of a question, as the bank keeps them.
std::vector<std::string> images_of(const BankQuestion& question);

// Sets the fingerprint and the sketch of a question from its text; `text` is that text, decoded.
void set_fingerprints(BankQuestion& question);
void set_fingerprints(BankQuestion& question, const refine::DecodedText& text);

// A question as it is put into the bank: extracted, with both.
BankQuestion bank_question(QuestionId id, std::string text, std::optional<std::string> answer,
                           const markup::Options& options = {});

// Names the rules of this program, with these options, by which texts are extracted and signs are read.
std::string rules_version(const markup::Options& options);

// The options by which the texts of the bank were extracted, where that and their fingerprints are of this
// program's rules; nothing where they are not, or where these are computed anew just now.
Result<std::optional<markup::Options>> current_options(Bank& bank);

// Extracts all texts anew from the originals, with fingerprints and sketches, in batches, and notes the
// version at the end. Interrupted, it leaves no version. `so_far` is called now and then with how many are
// done.
Status refresh_texts(Bank& bank, const markup::Options& options, const std::string& version,
                     const std::function<void(std::uint64_t)>& so_far);

// Texts and fingerprints made by other rules (other options, an older program, another Unicode version) would
// hide duplicates: makes them all anew if the bank's are such, or if the bank keeps many outdated sketches
// beside the newest. Otherwise does nothing. The bank must be open for writing.
Status bring_texts_up_to_date(Bank& bank, const markup::Options& options, const Progress& progress);

}  // namespace qdedup::db
