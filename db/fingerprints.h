#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/question_id.h"
#include "base/result.h"
#include "db/bank.h"
#include "markup/extract.h"
#include "refine/unicode.h"

namespace qdedup::db {

// Extracts what is compared from the text and the answer as imported, with these `images`, and keeps the
// originals where they differ. A question that is too long is not compared. Returns what was found in the
// text; its own `text` is unspecified.
markup::Extracted extract(BankQuestion& question, const markup::Options& options);

// The hashes of what a question's figures show, in order; an empty one means unknown. They hold no line feed.
std::vector<std::string> images_of(const BankQuestion& question);
void set_images(BankQuestion& question, std::span<const std::string> images);

// Sets the fingerprint and the sketch of a question from its text; `text` is the same, decoded.
void set_fingerprints(BankQuestion& question);
void set_fingerprints(BankQuestion& question, const refine::DecodedText& text);

// A question ready for the bank: extracted, with fingerprint and sketch.
BankQuestion bank_question(QuestionId id, std::string text, std::optional<std::string> answer,
                           const markup::Options& options = {}, std::span<const std::string> images = {});

// The options by which the bank's texts were extracted, by whatever version of the rules, or are being
// extracted again; none for a new bank.
Result<std::optional<markup::Options>> known_options(Bank& bank);

// The same if its texts and fingerprints follow this program's rules; none if they do not, or are being
// recomputed.
Result<std::optional<markup::Options>> current_options(Bank& bank);

// The same; ErrorCode::busy if there are none, though the bank has questions.
Result<markup::Options> expect_current_options(Bank& bank);

// Extracts all texts again from the originals and recomputes fingerprints and sketches, in batches, then
// records the version. If interrupted, it leaves one of the same options that counts as outdated. `so_far` is
// called now and then with the number done.
Status refresh_texts(Bank& bank, const markup::Options& options, const std::string& version,
                     const std::function<void(std::uint64_t)>& so_far);

// Texts and fingerprints made by other rules (other options, an older program, another Unicode version) would
// hide duplicates. Recomputes all of them if the bank's are such, or if the bank keeps many outdated
// sketches; otherwise does nothing. The bank must be open for writing.
Status bring_texts_up_to_date(Bank& bank, const markup::Options& options, const Progress& progress);

}  // namespace qdedup::db
