#include "import/fingerprints.h"

#include <cstdint>
#include <utility>

#include "db/sketches.h"
#include "refine/duplicate_test.h"
#include "refine/parts.h"
#include "refine/unicode.h"

namespace qdedup::import {
namespace {

// Whether most sketches that the bank keeps are outdated, and too many to be read each time.
Result<bool> is_crowded(db::Bank& bank) {
  constexpr std::uint64_t few = 1'000'000;
  const Result<std::uint64_t> entries = db::Sketches(bank).entries();
  if (!entries.ok()) return entries.error();
  const Result<std::uint64_t> questions = bank.count();
  if (!questions.ok()) return questions.error();
  return *entries > 2 * *questions + few;
}

}  // namespace

void set_fingerprints(db::BankQuestion& question) {
  set_fingerprints(question, refine::DecodedText(question.text));
}

void set_fingerprints(db::BankQuestion& question, const refine::DecodedText& text) {
  const refine::Parts parts = refine::parts_of(text.code_points());
  question.sign_fingerprint = refine::sign_fingerprint(parts);
  question.sketch = refine::sketch_of(parts);
}

db::BankQuestion bank_question(QuestionId id, std::string text, std::optional<std::string> answer) {
  db::BankQuestion question;
  question.id = id;
  question.text = std::move(text);
  question.answer = std::move(answer);
  set_fingerprints(question);
  return question;
}

Status bring_fingerprints_up_to_date(db::Bank& bank, const Progress& progress) {
  const std::string version = refine::sign_rules_version();
  const Result<std::string> stored = bank.fingerprint_version();
  if (!stored.ok()) return stored.error();
  const Result<bool> crowded = is_crowded(bank);
  if (!crowded.ok()) return crowded.error();
  if (*stored == version && !*crowded) return {};
  const Result<std::uint64_t> questions = bank.count();
  if (!questions.ok()) return questions.error();
  const auto set = [](db::BankQuestion& question) { set_fingerprints(question); };
  return bank.refresh_fingerprints(
      version, set, [&](std::uint64_t done) { progress("fingerprints", done, *questions, "questions"); });
}

}  // namespace qdedup::import
