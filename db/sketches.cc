#include "db/sketches.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "db/connection.h"
#include "db/integer.h"

namespace qdedup::db {

Result<std::uint64_t> Sketches::entries() {
  return guarded(bank_.path(), [&] {
    SQLite::Statement sum(bank_.database(), "SELECT coalesce(sum(entries), 0) FROM sketch_run");
    sum.executeStep();
    return loaded(sum.getColumn(0));
  });
}

Result<std::vector<RunRange>> Sketches::runs(QuestionId first, QuestionId last) {
  return guarded(bank_.path(), [&] {
    SQLite::Statement rows(bank_.database(),
                           "SELECT first_id, last_id, entries FROM sketch_run "
                           "WHERE last_id >= ? AND first_id <= ? ORDER BY id");
    rows.bind(1, first);
    rows.bind(2, last);
    std::vector<RunRange> runs;
    while (rows.executeStep()) {
      runs.push_back({rows.getColumn(0).getInt64(), rows.getColumn(1).getInt64(), loaded(rows.getColumn(2))});
    }
    return runs;
  });
}

Status Sketches::for_each_run(QuestionId first, QuestionId last,
                              const std::function<void(const SketchRun&)>& take) {
  return guarded(bank_.path(), [&]() -> Status {
    SQLite::Statement rows(
        bank_.database(), "SELECT sketches FROM sketch_run WHERE last_id >= ? AND first_id <= ? ORDER BY id");
    rows.bind(1, first);
    rows.bind(2, last);
    SketchRun run;
    while (rows.executeStep()) {
      const SQLite::Column sketches = rows.getColumn(0);
      const Status read = run.read(
          {static_cast<const char*>(sketches.getBlob()), static_cast<std::size_t>(sketches.getBytes())});
      if (!read.ok()) return Error(read.error()).within(bank_.path());
      take(run);
    }
    return {};
  });
}

SketchEntry sketch_entry(const BankQuestion& question) {
  return {question.id, question.text.empty() ? std::nullopt : std::optional(question.sketch)};
}

void add_run(SQLite::Database& database, std::vector<SketchEntry>& entries) {
  if (entries.empty()) return;
  std::ranges::sort(entries, {}, &SketchEntry::id);
  SQLite::Statement insert(
      database, "INSERT INTO sketch_run (first_id, last_id, entries, sketches) VALUES (?, ?, ?, ?)");
  const std::string run = encode_sketches(entries);
  insert.bind(1, entries.front().id);
  insert.bind(2, entries.back().id);
  insert.bind(3, static_cast<std::int64_t>(entries.size()));
  insert.bindNoCopy(4, run.data(), static_cast<int>(run.size()));
  insert.exec();
}

}  // namespace qdedup::db
