#include "iteration/kept_duplicates.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "db/bank_reading.h"

namespace qdedup::iteration {
namespace {

// Beyond this many questions plus this fraction of the bank, reading all of it is faster.
constexpr std::size_t max_read_at_once = 5000;
constexpr std::size_t max_read_part = 100;
// Of the bank, between two calls of go_on(), besides those that are compared.
constexpr std::uint64_t rows_at_a_time = 1024;

}  // namespace

KeptDuplicates::KeptDuplicates(std::span<const db::BankQuestion> asked, db::Store& store, db::Bank& bank,
                               const refine::DuplicateSettings& settings, const GoOn& go_on, std::size_t most)
    : asked_(asked), deletions_(store), bank_(bank), settings_(settings), go_on_(go_on), most_(most) {
  for (std::uint32_t number = 0; number < asked.size(); ++number) {
    asked_ids_.insert(asked[number].id);
    group(number);
  }
}

Result<bool> KeptDuplicates::find_by(const BankIndex& index) {
  std::size_t left = max_read_at_once + index.size() / max_read_part;
  for (auto& [first, equals] : equals_) {
    QDEDUP_ASSIGN_OR_RETURN(const bool found, find_by(index, first, equals, left));
    if (found) continue;
    for (auto& [number, each] : equals_) {
      each.kept.clear();
      each.told = 0;
    }
    return false;
  }
  return true;
}

Status KeptDuplicates::find_in_bank() {
  std::uint64_t rows = 0;
  return db::scan_questions(bank_, [&](const db::ScannedQuestion& scanned) -> Status {
    if (++rows % rows_at_a_time == 0) QDEDUP_TRY(go_on_());
    const std::uint64_t fingerprint = fingerprint_of(scanned.sign_fingerprint);
    if (!groups_.contains(fingerprint)) return {};
    return take(scanned.id, fingerprint, parts_of(scanned.text));
  });
}

std::vector<QuestionId> KeptDuplicates::of(std::uint32_t number) const {
  const auto first = first_of_.find(number);
  if (first == first_of_.end()) return {};
  const db::BankQuestion& asked = asked_[number];
  std::vector<QuestionId> found = equals_.at(first->second).kept;
  std::erase_if(found, [&](QuestionId id) {
    const auto keeper = lost_keepers_.find(id);
    return id == asked.id || (keeper != lost_keepers_.end() && keeper->second.id == asked.id &&
                              keeper->second.text == refine::text_hash(asked.text));
  });
  return found;
}

std::vector<std::uint32_t> KeptDuplicates::asked_near(const db::BankQuestion& question) {
  std::vector<std::uint32_t> numbers;
  for (const std::uint32_t first :
       firsts_near(parts_of(question.text), fingerprint_of(question.sign_fingerprint))) {
    const std::vector<std::uint32_t>& equal = equals_.at(first).numbers;
    numbers.insert(numbers.end(), equal.begin(), equal.end());
  }
  return numbers;
}

refine::Parts KeptDuplicates::parts_of(std::string_view text) const {
  return refine::compared_parts(text, settings_);
}

std::uint64_t KeptDuplicates::fingerprint_of(std::uint64_t sign_fingerprint) const {
  return refine::compared_fingerprint(sign_fingerprint, settings_);
}

KeptDuplicates::Group* KeptDuplicates::group_of(std::uint64_t fingerprint, std::u32string_view signs) {
  const auto [first, last] = groups_.equal_range(fingerprint);
  const auto found =
      std::find_if(first, last, [&](const auto& entry) { return entry.second.signs == signs; });
  return found == last ? nullptr : &found->second;
}

void KeptDuplicates::group(std::uint32_t number) {
  const db::BankQuestion& question = asked_[number];
  bank_.report_activity();
  refine::Parts parts = parts_of(question.text);
  hans_.add(parts.han);
  if (question.text.empty()) return;
  const std::uint64_t fingerprint = fingerprint_of(question.sign_fingerprint);
  Group* group = group_of(fingerprint, parts.signs);
  if (group == nullptr) {
    group = &groups_.emplace(fingerprint, Group())->second;
    group->signs = std::move(parts.signs);
  }
  const auto [first, is_new] = group->firsts.try_emplace(std::move(parts.han), number);
  if (is_new) group->numbers.push_back(number);
  first_of_[number] = first->second;
  equals_[first->second].numbers.push_back(number);
}

std::vector<std::uint32_t> KeptDuplicates::firsts_near(const refine::Parts& parts,
                                                       std::uint64_t fingerprint) {
  Group* const group = group_of(fingerprint, parts.signs);
  if (group == nullptr) return {};
  if (!group->index) {
    group->index = std::make_unique<finder::ExactIndex>(hans_, settings_, group->numbers);
    for (const std::uint32_t number : group->numbers) group->index->add(number);
  }
  return group->index->find_all(parts.han, scratch_, [this] { bank_.report_activity(); });
}

bool KeptDuplicates::is_sought(const Equals& equals, QuestionId id) const {
  if (equals.told == most_) return false;
  return equals.numbers.size() > 1 || asked_[equals.numbers.front()].id != id;
}

// Reads the texts that may be duplicates of these questions, at most `left`, which it decreases.
Result<bool> KeptDuplicates::find_by(const BankIndex& index, std::uint32_t first, Equals& equals,
                                     std::size_t& left) {
  const std::uint64_t fingerprint = fingerprint_of(asked_[first].sign_fingerprint);
  const refine::Parts parts = parts_of(asked_[first].text);
  const finder::HanQuery query(parts.han, settings_);
  for (const QuestionId id : index.find(fingerprint, query, index_scratch_)) {
    if (!is_sought(equals, id)) continue;
    if (left-- == 0) return false;
    QDEDUP_TRY(go_on_());
    QDEDUP_ASSIGN_OR_RETURN(const bool found, is_kept_duplicate(parts, fingerprint, id));
    bank_.report_activity();  // the bank's statements are too short to report any
    if (found) keep(equals, id);
  }
  return true;
}

Result<bool> KeptDuplicates::is_kept_duplicate(const refine::Parts& parts, std::uint64_t fingerprint,
                                               QuestionId id) {
  QDEDUP_ASSIGN_OR_RETURN(const std::optional<db::BankQuestion> other, bank_.find(id));
  if (!other || other->text.empty() || fingerprint_of(other->sign_fingerprint) != fingerprint) return false;
  if (!refine::compare(parts, parts_of(other->text), settings_).duplicate) return false;
  return is_kept(id);
}

// Takes a question of the bank; ids must ascend.
Status KeptDuplicates::take(QuestionId id, std::uint64_t fingerprint, const refine::Parts& parts) {
  QDEDUP_TRY(go_on_());
  std::vector<std::uint32_t> found = firsts_near(parts, fingerprint);
  std::erase_if(found, [&](std::uint32_t first) { return !is_sought(equals_.at(first), id); });
  if (found.empty()) return {};
  QDEDUP_ASSIGN_OR_RETURN(const bool kept, is_kept(id));
  if (!kept) return {};
  for (const std::uint32_t first : found) keep(equals_.at(first), id);
  return {};
}

// A deletion that is no longer valid will be withdrawn by the next iteration.
Result<bool> KeptDuplicates::is_kept(QuestionId id) {
  QDEDUP_ASSIGN_OR_RETURN(const std::optional<db::DeletionRow> deletion, deletions_.open_of(id));
  if (!deletion) return true;
  QDEDUP_ASSIGN_OR_RETURN(const db::QuestionPair pair, bank_.find_pair(id, deletion->keeper));
  const db::Standing standing = db::standing_of(*deletion, pair);
  if (standing == db::Standing::keeper_gone && asked_ids_.contains(deletion->keeper) && pair.question &&
      refine::text_hash(pair.question->text) == deletion->question_hash) {
    lost_keepers_[id] = {deletion->keeper, deletion->keep_hash};
  }
  return standing != db::Standing::holds;
}

void KeptDuplicates::keep(Equals& equals, QuestionId id) const {
  equals.kept.push_back(id);
  if (!lost_keepers_.contains(id)) ++equals.told;
}

}  // namespace qdedup::iteration
