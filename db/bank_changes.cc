#include "db/bank_changes.h"

#include <string_view>
#include <utility>

#include "db/connection.h"
#include "db/sketch_run.h"

namespace qdedup::db {

Result<std::int64_t> newest_change(Bank& bank) {
  return guarded(bank.path(), [&] {
    return bank.database().execAndGet("SELECT coalesce(max(id), 0) FROM sketch_run").getInt64();
  });
}

Result<std::optional<std::vector<QuestionId>>> changed_since(Bank& bank, std::int64_t change,
                                                             std::size_t most) {
  using Changed = std::optional<std::vector<QuestionId>>;
  return guarded(bank.path(), [&]() -> Result<Changed> {
    SQLite::Statement runs(bank.database(),
                           "SELECT sketches, entries FROM sketch_run WHERE id > ? ORDER BY id");
    runs.bind(1, change);
    std::vector<QuestionId> ids;
    std::vector<SketchEntry> entries;
    while (runs.executeStep()) {
      if (ids.size() + static_cast<std::size_t>(runs.getColumn(1).getInt64()) > most) return Changed();
      const SQLite::Column sketches = runs.getColumn(0);
      const std::string_view run(static_cast<const char*>(sketches.getBlob()),
                                 static_cast<std::size_t>(sketches.getBytes()));
      if (Status decoded = decode_sketches(run, entries); !decoded.ok()) {
        return std::move(decoded).error().within(bank.path());
      }
      for (const SketchEntry& entry : entries) {
        if (entry.sketch) ids.push_back(entry.id);
      }
    }
    return Changed(std::move(ids));
  });
}

BankView::BankView(std::unique_ptr<SQLite::Transaction> transaction) : transaction_(std::move(transaction)) {}
BankView::BankView(BankView&&) noexcept = default;
BankView::~BankView() = default;

Result<BankView> BankView::begin(Bank& bank) {
  return guarded(bank.path(),
                 [&] { return BankView(std::make_unique<SQLite::Transaction>(bank.database())); });
}

}  // namespace qdedup::db
