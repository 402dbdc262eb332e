#include "db/sketches.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstring>
#include <utility>

#include <xxhash.h>

#include "base/varint.h"
#include "db/database.h"
#include "db/statement.h"

namespace qdedup::db {
namespace {

constexpr char version = 1;
constexpr std::size_t head_bytes = 1 + 4;
constexpr std::size_t hash_bytes = 8;
constexpr std::size_t sketch_bytes = 8 + 8 + 4 + 1;

template <class Number>
void put(std::string& bytes, Number value) {
  for (unsigned shift = 0; shift < 8 * sizeof(Number); shift += 8) bytes += static_cast<char>(value >> shift);
}

template <class Number>
Number number_at(const char* bytes) {
  static_assert(std::endian::native == std::endian::little);
  Number value = 0;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

Error damaged_run(std::string_view what) { return {ErrorCode::data, "sketches: " + std::string(what)}; }

// Checks everything but the entries; returns the bytes between the version and the hash.
Result<std::string_view> checked(std::string_view run) {
  if (run.size() < head_bytes + hash_bytes || run.front() != version) return damaged_run("unknown version");
  const std::string_view hashed = run.substr(0, run.size() - hash_bytes);
  if (number_at<std::uint64_t>(run.data() + hashed.size()) != XXH3_64bits(hashed.data(), hashed.size())) {
    return damaged_run("wrong hash");
  }
  return hashed.substr(1);
}

}  // namespace

std::string encode_sketches(std::span<const SketchEntry> entries) {
  std::string run;
  run.reserve(head_bytes + entries.size() * (sketch_bytes + 3) + hash_bytes);
  run += version;
  put(run, static_cast<std::uint32_t>(entries.size()));
  constexpr QuestionSketch none;
  for (const SketchEntry& entry : entries) put(run, entry.sketch.value_or(none).once);
  for (const SketchEntry& entry : entries) put(run, entry.sketch.value_or(none).twice);
  for (const SketchEntry& entry : entries) put(run, entry.sketch.value_or(none).signs);
  for (const SketchEntry& entry : entries) put(run, entry.sketch.value_or(none).han_length);
  QuestionId before = 0;
  for (const SketchEntry& entry : entries) {
    const auto further = static_cast<std::uint64_t>(entry.id - before);
    put_varint(run, further << 1U | (entry.sketch ? 1U : 0U));
    before = entry.id;
  }
  put(run, XXH3_64bits(run.data(), run.size()));
  return run;
}

Status SketchRun::read(std::string_view bytes) {
  QDEDUP_ASSIGN_OR_RETURN(const std::string_view content, checked(bytes));
  const std::size_t count = number_at<std::uint32_t>(content.data());
  const std::string_view entries = content.substr(4);
  if (count > entries.size() / (sketch_bytes + 1)) return damaged_run("cut short");

  columns_ = entries.data();
  ids_.resize(count);
  has_sketch_.resize(count);
  std::string_view codes = entries.substr(count * sketch_bytes);
  QuestionId id = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::optional<std::uint64_t> code = take_varint(codes);
    if (!code || *code < 2 || __builtin_add_overflow(id, static_cast<QuestionId>(*code >> 1U), &id)) {
      return damaged_run("bad id");
    }
    ids_[i] = id;
    has_sketch_[i] = (*code & 1U) != 0;
  }
  return codes.empty() ? Status() : Status(damaged_run("bytes left over"));
}

std::optional<QuestionSketch> SketchRun::sketch(std::size_t entry) const {
  if (!has_sketch_[entry]) return std::nullopt;
  const char* const twice = columns_ + 8 * ids_.size();
  const char* const signs = twice + 8 * ids_.size();
  const char* const han_lengths = signs + 4 * ids_.size();
  return QuestionSketch{.once = number_at<std::uint64_t>(columns_ + 8 * entry),
                        .twice = number_at<std::uint64_t>(twice + 8 * entry),
                        .signs = number_at<std::uint32_t>(signs + 4 * entry),
                        .han_length = static_cast<std::uint8_t>(han_lengths[entry])};
}

Status decode_sketches(std::string_view bytes, std::vector<SketchEntry>& entries) {
  SketchRun run;
  QDEDUP_TRY(run.read(bytes));
  entries.resize(run.ids().size());
  for (std::size_t i = 0; i < entries.size(); ++i) entries[i] = {run.ids()[i], run.sketch(i)};
  return {};
}

Result<std::uint64_t> Sketches::entries() {
  return count_in(bank_, "SELECT coalesce(sum(entries), 0) FROM sketch_run");
}

Result<std::vector<RunRange>> Sketches::runs(QuestionId first, QuestionId last) {
  const auto range = [](SQLite::Statement& row) {
    return RunRange{row.getColumn(0).getInt64(), row.getColumn(1).getInt64(), loaded(row.getColumn(2))};
  };
  return all_rows(bank_, range,
                  "SELECT first_id, last_id, entries FROM sketch_run "
                  "WHERE last_id >= ? AND first_id <= ? ORDER BY id",
                  first, last);
}

Status Sketches::for_each_run(QuestionId first, QuestionId last,
                              const std::function<void(const SketchRun&)>& take) {
  return guarded(bank_.path(), [&]() -> Status {
    SQLite::Statement rows(
        bank_.database(), "SELECT sketches FROM sketch_run WHERE last_id >= ? AND first_id <= ? ORDER BY id");
    bind_all(rows, first, last);
    SketchRun run;
    while (rows.executeStep()) {
      if (Status read = run.read(blob_view(rows.getColumn(0))); !read.ok()) {
        return std::move(read).error().within(bank_.path());
      }
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
  const std::string sketches = encode_sketches(entries);
  run(database, "INSERT INTO sketch_run (first_id, last_id, entries, sketches) VALUES (?, ?, ?, ?)",
      entries.front().id, entries.back().id, entries.size(), Blob{sketches});
}

}  // namespace qdedup::db
