#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/progress.h"
#include "base/result.h"
#include "db/bank.h"
#include "import/question_reader.h"
#include "import/row_batch.h"
#include "markup/extract.h"

namespace qdedup::import {

// The outcomes of a file's rows. rows = inserted + replaced + unchanged + removed + absent + the sum of
// `rejected`.
struct ImportCounts {
  std::uint64_t rows = 0;
  std::uint64_t inserted = 0;
  std::uint64_t replaced = 0;
  std::uint64_t unchanged = 0;
  std::uint64_t removed = 0;
  std::uint64_t absent = 0;                       // ids to be removed that were not in the bank
  std::uint64_t too_long = 0;                     // of those now in the bank: they are not compared
  std::map<std::string, std::uint64_t> rejected;  // by reason
  MarkupCounts markup;                            // of all texts, or of a sample if markup is not read

  [[nodiscard]] std::uint64_t rejected_total() const;
  ImportCounts& operator+=(const ImportCounts& other);
};

// Called for each row that was rejected.
using RejectedRow = std::function<void(std::uint64_t line, std::string_view reason, std::string_view detail)>;

// Loads the questions of a file ("-": standard input) into the bank, inserting or replacing by id; or, for
// RowUse::id, removes those with the ids in it. Of rows that repeat an id the first stays, and the others are
// rejected. Commits every 10,000 rows; running it again completes what was interrupted, even by an error in
// the file. If ids are in no order, about `memory_bytes` of rows are read before they are stored by ascending
// id, because otherwise a page of the bank would be written for each row; `progress` is called during the
// reading, too. After an error, what was committed stays. What is compared is extracted according to `text`,
// also for questions already in the bank if it was extracted otherwise. `counts` says what was done so far,
// without rows that were read but not yet stored; if the bank failed, what it counts since the last commit is
// undone.
Status load_file(db::Bank& bank, RowUse use, const std::string& path, const logs::Files& files,
                 const FileShape& shape, const markup::Options& text, std::uint64_t memory_bytes,
                 const Clock& clock, const RejectedRow& rejected, const Progress& progress,
                 ImportCounts& counts);

}  // namespace qdedup::import
