#include "import/bank_loader.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "db/bank_import.h"
#include "db/fingerprints.h"
#include "import/question_reader.h"
#include "import/row_batch.h"
#include "import/row_pipeline.h"
#include "logs/spooled_file.h"

namespace qdedup::import {
namespace {

constexpr std::uint64_t rows_per_commit = 10'000;

// What each db::BankImport::Outcome but `repeated` adds to.
constexpr std::array<std::uint64_t ImportCounts::*, 6> counted = {
    &ImportCounts::inserted, &ImportCounts::replaced, &ImportCounts::unchanged, nullptr,
    &ImportCounts::removed,  &ImportCounts::absent};

using Outcomes = std::vector<db::BankImport::Outcome>;

Result<Outcomes> apply(db::BankImport& import, RowUse use, const RowBatch& batch) {
  if (use == RowUse::question) return import.put_all(batch.questions, batch.characters);
  Outcomes outcomes;
  outcomes.reserve(batch.questions.size());
  for (const db::BankQuestion& question : batch.questions) {
    QDEDUP_ASSIGN_OR_RETURN(const db::BankImport::Outcome outcome, import.remove(question.id));
    outcomes.push_back(outcome);
  }
  return outcomes;
}

// Loads one file.
class Load {
 public:
  Load(QuestionReader& reader, db::BankImport& import, RowUse use, const markup::Options& text,
       const RejectedRow& rejected, ImportCounts& counts)
      : reader_(reader), import_(import), use_(use), text_(text), rejected_(rejected), counts_(counts) {}

  // Fails only if the bank does.
  Status run(std::size_t held_bytes, const Progress& progress) {
    Status stored = store(held_bytes, progress);
    reject_bad_rows();  // some may be left if the bank failed
    return stored;
  }

  // Whether the file could be read to its end.
  [[nodiscard]] const Status& reading() const { return reading_; }

 private:
  Status store(std::size_t held_bytes, const Progress& progress) {
    RowPipeline batches(reader_, use_, text_, rows_per_commit, held_bytes);
    while (std::optional<RowBatch> batch = batches.next()) {
      QDEDUP_TRY(take(*batch));
      progress("import", batch->bytes_read, reader_.size(), "bytes");
      if (!batch->error) continue;
      reading_ = *std::move(batch->error);
      return {};
    }
    return {};
  }

  Status take(RowBatch& batch) {
    if (batch.questions.empty() && batch.bad_rows.empty()) return {};  // avoids beginning a transaction
    QDEDUP_ASSIGN_OR_RETURN(const Outcomes outcomes, apply(import_, use_, batch));
    counts_.markup += batch.markup;
    counts_.rows += batch.questions.size() + batch.bad_rows.size();
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
      if (outcomes[i] == db::BankImport::Outcome::repeated) {
        bad_rows_.push_back(repeated_row(batch, i));
        continue;
      }
      ++(counts_.*counted[static_cast<std::size_t>(outcomes[i])]);
      if (batch.questions[i].is_too_long) ++counts_.too_long;
    }
    std::ranges::move(batch.bad_rows, std::back_inserter(bad_rows_));
    if (!batch.is_split) reject_bad_rows();
    return {};
  }

  static BadRow repeated_row(const RowBatch& batch, std::size_t i) {
    return {batch.lines[i], {"id stands in this file already", std::to_string(batch.questions[i].id)}};
  }

  // Reports, in order of lines, the rows of all batches with intermingled lines.
  void reject_bad_rows() {
    std::ranges::sort(bad_rows_, {}, &BadRow::line);
    for (const BadRow& row : bad_rows_) {
      ++counts_.rejected[row.error.reason];
      rejected_(row.line, row.error.reason, row.error.detail);
    }
    bad_rows_.clear();
  }

  QuestionReader& reader_;
  db::BankImport& import_;
  RowUse use_;
  markup::Options text_;
  const RejectedRow& rejected_;
  ImportCounts& counts_;
  std::vector<BadRow> bad_rows_;  // not yet reported
  Status reading_;
};

}  // namespace

std::uint64_t ImportCounts::rejected_total() const {
  std::uint64_t total = 0;
  for (const auto& [reason, rows_rejected] : rejected) total += rows_rejected;
  return total;
}

ImportCounts& ImportCounts::operator+=(const ImportCounts& other) {
  rows += other.rows;
  inserted += other.inserted;
  replaced += other.replaced;
  unchanged += other.unchanged;
  removed += other.removed;
  absent += other.absent;
  too_long += other.too_long;
  for (const auto& [reason, rows_rejected] : other.rejected) rejected[reason] += rows_rejected;
  markup += other.markup;
  return *this;
}

Status load_file(db::Bank& bank, RowUse use, const std::string& path, const logs::Files& files,
                 const FileShape& shape, const markup::Options& text, std::uint64_t memory_bytes,
                 const Clock& clock, const RejectedRow& rejected, const Progress& progress,
                 ImportCounts& counts) {
  QDEDUP_ASSIGN_OR_RETURN(const std::unique_ptr<QuestionReader> reader,
                          open_questions(path, files, shape, use));
  if (use == RowUse::question) QDEDUP_TRY(db::bring_texts_up_to_date(bank, text, progress));
  const std::string source = logs::is_descriptor(path) ? "-" : path;  // as standard input, which has no name
  QDEDUP_ASSIGN_OR_RETURN(db::BankImport import,
                          db::BankImport::begin(bank, source, timestamp(clock.now()), rows_per_commit));
  Load load(*reader, import, use, text, rejected, counts);
  QDEDUP_TRY(load.run(memory_bytes, progress));  // if it fails, what the bank has not committed is undone
  if (load.reading().ok()) return import.finish(timestamp(clock.now()));
  QDEDUP_TRY(import.keep());
  return load.reading();
}

}  // namespace qdedup::import
