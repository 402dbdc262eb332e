#include "review/question_class.h"

#include <array>
#include <optional>
#include <string>
#include <utility>

#include <nlohmann/json.hpp>

#include "db/snapshot.h"
#include "review/deletion_list.h"
#include "review/output.h"

namespace qdedup::review {
namespace {

constexpr std::array class_columns = {"representative", "id",     "similarity", "distance",     "length",
                                      "confidence",     "status", "iteration",  "compared_with"};

std::string header(char separator) {
  std::string line;
  for (const char* column : class_columns) {
    if (!line.empty()) line += separator;
    line += column;
  }
  return line;
}

// No cell needs quotes.
std::string delimited(const db::ClassMember& row, char separator) {
  const std::array<std::string, class_columns.size()> cells = {std::to_string(row.representative),
                                                               std::to_string(row.question),
                                                               similarity_percent(row.distance, row.length),
                                                               std::to_string(row.distance),
                                                               std::to_string(row.length),
                                                               row.confidence,
                                                               row.status,
                                                               std::to_string(row.iteration),
                                                               std::to_string(row.compared_with)};
  std::string line;
  for (const std::string& cell : cells) {
    if (!line.empty()) line += separator;
    line += cell;
  }
  return line;
}

std::string json_line(const db::ClassMember& row) {
  return nlohmann::ordered_json{{"representative", row.representative},
                                {"id", row.question},
                                {"similarity", std::stod(similarity_percent(row.distance, row.length))},
                                {"distance", row.distance},
                                {"length", row.length},
                                {"confidence", row.confidence},
                                {"status", row.status},
                                {"iteration", row.iteration},
                                {"compared_with", row.compared_with}}
      .dump();
}

std::string line_of(const db::ClassMember& row, ExportFormat format) {
  switch (format) {
    case ExportFormat::csv:
      return delimited(row, ',') + "\r\n";
    case ExportFormat::tsv:
      return delimited(row, '\t') + '\n';
    case ExportFormat::jsonl:
      return json_line(row) + '\n';
  }
  return {};
}

std::string first_line(ExportFormat format) {
  if (format == ExportFormat::csv) return "\xEF\xBB\xBF" + header(',') + "\r\n";
  return format == ExportFormat::tsv ? header('\t') + '\n' : "";
}

// Calls `take` for each row, until it fails.
template <class Take>
Status each_row(Result<db::ClassCursor> rows, const Take& take) {
  if (!rows.ok()) return std::move(rows).error();
  while (true) {
    Result<std::optional<db::ClassMember>> next = rows->next();
    if (!next.ok()) return std::move(next).error();
    if (!next->has_value()) return {};
    QDEDUP_TRY(take(**std::move(next)));
  }
}

}  // namespace

Result<QuestionClass> class_of(QuestionId question, db::Store& store, db::Bank& bank) {
  const Result<db::Snapshot> moment = db::Snapshot::take(store);
  if (!moment.ok()) return moment.error();
  db::Classes classes(store);
  const Result<QuestionId> representative = classes.representative_of(question);
  if (!representative.ok()) return representative.error();
  QuestionClass found;
  found.representative = *representative;
  QDEDUP_TRY(each_row(classes.members_of(found.representative), [&](db::ClassMember row) {
    found.members.push_back(std::move(row));
    return Status();
  }));
  Result<std::vector<db::ClassChange>> changes = classes.changes_of(found.representative);
  if (!changes.ok()) return std::move(changes).error();
  found.changes = *std::move(changes);
  if (!found.members.empty()) return found;
  const Result<std::optional<db::BankQuestion>> in_bank = bank.find(question);
  if (!in_bank.ok()) return in_bank.error();
  if (!in_bank->has_value()) {
    return Error{ErrorCode::no_input, std::to_string(question) + ": is not in the bank, and in no class"};
  }
  return found;
}

Result<std::uint64_t> export_classes(db::Store& store, ExportFormat format, std::ostream& out) {
  QDEDUP_TRY(write_bytes(out, first_line(format)));
  std::uint64_t lines = 0;
  QDEDUP_TRY(each_row(db::Classes(store).members(), [&](const db::ClassMember& row) {
    ++lines;
    return write_bytes(out, line_of(row, format));
  }));
  QDEDUP_TRY(flush(out));
  return lines;
}

}  // namespace qdedup::review
