#include "db/bank_scan.h"

#include "db/connection.h"
#include "db/integer.h"

namespace qdedup::db {

Status scan_questions(Bank& bank, const std::function<Status(const ScannedQuestion&)>& take) {
  return guarded(bank.path(), [&]() -> Status {
    SQLite::Statement rows(bank.database(),
                           "SELECT id, signs, text FROM question WHERE text <> '' ORDER BY id");
    while (rows.executeStep()) {
      const SQLite::Column text = rows.getColumn(2);
      const char* const begin = text.getText();
      QDEDUP_TRY(take({rows.getColumn(0).getInt64(),
                       loaded(rows.getColumn(1)),
                       {begin, static_cast<std::size_t>(text.getBytes())}}));
    }
    return {};
  });
}

Status scan_fingerprints(Bank& bank, const std::function<void(std::uint64_t sign_fingerprint)>& take) {
  return guarded(bank.path(), [&] {
    SQLite::Statement rows(bank.database(), "SELECT signs FROM question WHERE text <> ''");
    while (rows.executeStep()) take(loaded(rows.getColumn(0)));
  });
}

}  // namespace qdedup::db
