#include "import/row_batch.h"

#include <utility>
#include <variant>

#include "db/fingerprints.h"

namespace qdedup::import {
namespace {

constexpr std::size_t most_text_bytes = 8U << 20U;

std::size_t text_bytes(const db::BankQuestion& question) {
  return question.text.size() + (question.answer ? question.answer->size() : 0) +
         (question.original.images ? question.original.images->size() : 0);
}

std::size_t add(RowBatch& batch, Row&& row) {
  if (auto* error = std::get_if<RowError>(&row.content)) {
    batch.bad_rows.push_back({row.line, std::move(*error)});
    return 0;
  }
  auto& question = std::get<Question>(row.content);
  batch.lines.push_back(row.line);
  db::BankQuestion& row_question = batch.questions.emplace_back();
  row_question.id = question.id;
  row_question.text = std::move(question.text);
  row_question.answer = std::move(question.answer);
  row_question.arrived_at = question.arrived_at;
  db::set_images(row_question, question.images);
  return text_bytes(batch.questions.back());
}

}  // namespace

void count_unknown(const std::map<std::string, std::uint64_t>& found,
                   std::map<std::string, std::uint64_t>& all) {
  constexpr std::size_t max_names = 10'000;
  constexpr std::size_t longest_name = 64;
  for (const auto& [name, count] : found) {
    std::string shown = excerpt(name, longest_name);
    const bool has_place = all.size() < max_names || all.contains(shown);
    all[has_place ? std::move(shown) : std::string(other_names)] += count;
  }
}

void MarkupCounts::add(const markup::Extracted& extracted) {
  ++texts;
  html += extracted.has_html ? 1 : 0;
  formulas += extracted.has_formulas ? 1 : 0;
  figures += extracted.figures.empty() ? 0 : 1;
  any += extracted.has_markup() ? 1 : 0;
  count_unknown(extracted.unknown, unknown);
}

MarkupCounts& MarkupCounts::operator+=(const MarkupCounts& other) {
  texts += other.texts;
  html += other.html;
  formulas += other.formulas;
  figures += other.figures;
  any += other.any;
  count_unknown(other.unknown, unknown);
  return *this;
}

bool is_scattered(const RowBatch& batch) {
  constexpr std::size_t tolerated = 10;  // one in this many
  std::size_t falls = 0;
  for (std::size_t i = 1; i < batch.questions.size(); ++i) {
    falls += batch.questions[i].id < batch.questions[i - 1].id ? 1 : 0;
  }
  return falls > batch.questions.size() / tolerated;
}

RowBatch read_batch(QuestionReader& reader, std::size_t most_rows) {
  RowBatch batch;
  batch.questions.reserve(most_rows);
  batch.lines.reserve(most_rows);
  std::size_t bytes = 0;
  const auto is_full = [&] {
    return batch.questions.size() >= most_rows || batch.bad_rows.size() >= most_rows ||
           bytes >= most_text_bytes;
  };
  while (!is_full() && !batch.is_last) {
    Result<std::optional<Row>> row = reader.next();
    batch.is_last = !row.ok() || !row->has_value();
    if (!row.ok()) {
      batch.error = std::move(row).error();
    } else if (row->has_value()) {
      bytes += add(batch, **std::move(row));
    }
  }
  batch.bytes_read = reader.bytes_read();
  return batch;
}

}  // namespace qdedup::import
