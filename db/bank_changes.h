#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/question_id.h"
#include "base/result.h"
#include "db/bank.h"

namespace SQLite {
class Transaction;
}

namespace qdedup::db {

// Each commit that changes questions has a number: that of the run of sketches that it adds (db/sketches.h).
// Numbers grow, and none is used again.

// The number of the newest change; 0 where there was none.
Result<std::int64_t> newest_change(Bank& bank);

// The questions that were put into the bank, given another text or answer, or computed anew by changes behind
// `change`; ids may stand there twice, and be of questions that have left since. Nothing where there are more
// than `most`.
Result<std::optional<std::vector<QuestionId>>> changed_since(Bank& bank, std::int64_t change,
                                                             std::size_t most);

// While it lives, `bank` is seen as it was when the first statement read from it. A read-only connection's.
class BankView {
 public:
  static Result<BankView> begin(Bank& bank);

  BankView(BankView&&) noexcept;
  BankView& operator=(BankView&&) = delete;
  BankView(const BankView&) = delete;
  BankView& operator=(const BankView&) = delete;
  ~BankView();

 private:
  explicit BankView(std::unique_ptr<SQLite::Transaction> transaction);
  std::unique_ptr<SQLite::Transaction> transaction_;
};

}  // namespace qdedup::db
