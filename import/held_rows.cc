#include "import/held_rows.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace qdedup::import {
namespace {

constexpr std::size_t arena_piece_bytes = 1U << 20U;

// What stands before the bytes of a packed row: those of its text, its answer and its images.
struct Head {
  std::uint64_t line;
  std::int64_t arrived_at;
  std::uint32_t text_bytes;
  std::uint32_t answer_bytes;
  std::uint32_t image_bytes;
  bool has_answer;
  bool has_images;
  bool has_arrival;
};

std::uint32_t size_of(const std::optional<std::string>& text) {
  return text ? static_cast<std::uint32_t>(text->size()) : 0;
}

Head head_of(const db::BankQuestion& question, std::uint64_t line) {
  const std::optional<std::string>& images = question.original.images;
  return {.line = line,
          .arrived_at = question.arrived_at.value_or(0),
          .text_bytes = static_cast<std::uint32_t>(question.text.size()),
          .answer_bytes = size_of(question.answer),
          .image_bytes = size_of(images),
          .has_answer = question.answer.has_value(),
          .has_images = images.has_value(),
          .has_arrival = question.arrived_at.has_value()};
}

char* put_bytes(char* to, std::string_view bytes) { return std::copy(bytes.begin(), bytes.end(), to); }

std::string_view take_bytes(const char*& from, std::size_t count) {
  return {std::exchange(from, from + count), count};
}

// Rows come from all over the memory.
void expect_row(const char* row) {
  constexpr std::size_t cache_line = 64;
  constexpr std::size_t usual_lines = 4;
  for (std::size_t line = 0; line < usual_lines; ++line) __builtin_prefetch(row + line * cache_line);
}

}  // namespace

void HeldRows::add(RowBatch&& batch) {
  for (std::size_t i = 0; i < batch.questions.size(); ++i) pack(batch.questions[i], batch.lines[i]);
  constexpr std::size_t bytes_per_bad_row = sizeof(BadRow) + 32;
  bytes_ += batch.bad_rows.size() * bytes_per_bad_row;
  std::vector<BadRow> bad_rows = std::move(rest_.bad_rows);
  std::ranges::move(batch.bad_rows, std::back_inserter(bad_rows));
  rest_ = std::move(batch);
  rest_.bad_rows = std::move(bad_rows);
  rest_.questions.clear();
  rest_.lines.clear();
}

bool HeldRows::release(std::size_t rows_per_batch, const std::function<bool(RowBatch&&)>& take) {
  HeldRows rows = std::exchange(*this, {});
  std::ranges::sort(rows.places_);
  std::span<const Place> left = rows.places_;
  for (; left.size() > rows_per_batch; left = left.subspan(rows_per_batch)) {
    RowBatch batch = rows.unpack(left.first(rows_per_batch));
    batch.bytes_read = rows.rest_.bytes_read;
    batch.is_split = true;
    if (!take(std::move(batch))) return false;
  }
  RowBatch last = rows.unpack(left);
  rows.rest_.questions = std::move(last.questions);
  rows.rest_.lines = std::move(last.lines);
  return take(std::move(rows.rest_));
}

void HeldRows::pack(const db::BankQuestion& question, std::uint64_t line) {
  const Head head = head_of(question, line);
  const std::size_t bytes = sizeof head + head.text_bytes + head.answer_bytes + head.image_bytes;
  if (bytes > room_ - used_) {
    room_ = std::max(arena_piece_bytes, bytes);
    used_ = 0;
    pieces_.push_back(std::make_unique_for_overwrite<char[]>(room_));
  }
  places_.push_back(
      {question.id, static_cast<std::uint32_t>(pieces_.size() - 1), static_cast<std::uint32_t>(used_)});
  char* to = pieces_.back().get() + used_;
  std::memcpy(to, &head, sizeof head);
  to = put_bytes(to + sizeof head, question.text);
  if (question.answer) to = put_bytes(to, *question.answer);
  if (question.original.images) put_bytes(to, *question.original.images);
  used_ += bytes;
  bytes_ += bytes + 2 * sizeof(Place);  // the places as they grow
}

RowBatch HeldRows::unpack(std::span<const Place> places) const {
  constexpr std::size_t lookahead = 8;
  RowBatch batch;
  batch.questions.resize(places.size());
  batch.lines.resize(places.size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (i + lookahead < places.size()) expect_row(row_at(places[i + lookahead]));
    const char* from = row_at(places[i]);
    Head head{};
    std::memcpy(&head, from, sizeof head);
    from += sizeof head;
    db::BankQuestion& question = batch.questions[i];
    question.id = places[i].id;
    question.text = take_bytes(from, head.text_bytes);
    if (head.has_answer) question.answer = take_bytes(from, head.answer_bytes);
    if (head.has_images) question.original.images = take_bytes(from, head.image_bytes);
    if (head.has_arrival) question.arrived_at = head.arrived_at;
    batch.lines[i] = head.line;
  }
  return batch;
}

}  // namespace qdedup::import
