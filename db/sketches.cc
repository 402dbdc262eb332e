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

Status Sketches::for_each_run(QuestionId first, QuestionId last,
                              const std::function<void(std::span<const SketchEntry>)>& take) {
  return guarded(bank_.path(), [&]() -> Status {
    SQLite::Statement runs(
        bank_.database(), "SELECT sketches FROM sketch_run WHERE last_id >= ? AND first_id <= ? ORDER BY id");
    runs.bind(1, first);
    runs.bind(2, last);
    std::vector<SketchEntry> entries;
    while (runs.executeStep()) {
      const SQLite::Column sketches = runs.getColumn(0);
      const std::string_view run(static_cast<const char*>(sketches.getBlob()),
                                 static_cast<std::size_t>(sketches.getBytes()));
      if (Status decoded = decode_sketches(run, entries); !decoded.ok()) {
        return std::move(decoded).error().within(bank_.path());
      }
      take(entries);
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
