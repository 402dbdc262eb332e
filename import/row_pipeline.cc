#include "import/row_pipeline.h"

#include <exception>
#include <utility>

#include "db/bank_import.h"
#include "db/fingerprints.h"
#include "import/held_rows.h"
#include "import/row_batch.h"
#include "markup/compared.h"
#include "refine/unicode.h"

namespace qdedup::import {
namespace {

constexpr std::size_t batches_ahead = 3;

// Whether to look for markup in a text that is not read as markup.
bool is_sampled(std::uint64_t number) {
  constexpr std::uint64_t first = 1'000;
  constexpr std::uint64_t one_in = 20;
  return number < first || number % one_in == 0;
}

// `number` is that of the first text.
void prepare_batch(RowBatch& batch, const markup::Options& options, std::uint64_t number,
                   db::CharacterTally& characters) {
  for (db::BankQuestion& question : batch.questions) {
    const bool look = options.markup == markup::Reading::plain && is_sampled(number++);
    if (look && question.text.size() <= markup::max_imported_bytes)
      batch.markup.add(markup::extract(question.text, {.markup = markup::Reading::automatic}));
    const markup::Extracted extracted = db::extract(question, options);
    if (options.markup == markup::Reading::automatic) batch.markup.add(extracted);
    const refine::DecodedText text(question.text);
    characters.enter(text);
    db::set_fingerprints(question, text);
  }
  batch.characters = characters.take();
}

// A batch that reports progress while the rows of `held` are held back.
RowBatch sign_of_life(const RowBatch& held) {
  RowBatch batch;
  batch.bytes_read = held.bytes_read;
  batch.is_split = true;
  return batch;
}

// Calls `fill` to fill the queue, then ends it.
template <class Fill>
void fill_and_end(BoundedQueue<RowBatch>& queue, const Fill& fill) {
  std::exception_ptr failure;
  try {
    fill();
  } catch (...) {
    failure = std::current_exception();
  }
  queue.end(std::move(failure));
}

}  // namespace

RowPipeline::RowPipeline(QuestionReader& reader, RowUse use, const markup::Options& text,
                         std::size_t rows_per_batch, std::size_t held_bytes)
    : reader_(reader),
      use_(use),
      text_(text),
      rows_per_batch_(rows_per_batch),
      held_bytes_(held_bytes),
      read_(batches_ahead),
      prepared_(batches_ahead),
      reading_([this] { fill_and_end(read_, [this] { read(); }); }) {
  try {
    preparing_ = std::jthread([this] {
      fill_and_end(prepared_, [this] { prepare(); });
      read_.refuse();
    });
  } catch (...) {
    read_.refuse();  // otherwise the reading thread would wait forever
    throw;
  }
}

RowPipeline::~RowPipeline() {
  prepared_.refuse();
  read_.refuse();
}

void RowPipeline::read() {
  const auto hand_over = [this](RowBatch&& batch) { return read_.push(std::move(batch)); };
  HeldRows held;
  bool wanted = true;
  for (bool ended = false; wanted && !ended;) {
    RowBatch batch = read_batch(reader_, rows_per_batch_);
    ended = batch.is_last;
    if (held.empty() && !is_scattered(batch)) {
      wanted = hand_over(std::move(batch));
      continue;
    }
    wanted = hand_over(sign_of_life(batch));
    held.add(std::move(batch));
    if (wanted && (ended || held.bytes() >= held_bytes_)) wanted = held.release(rows_per_batch_, hand_over);
  }
}

void RowPipeline::prepare() {
  db::CharacterTally characters;
  std::uint64_t number = 0;
  while (std::optional<RowBatch> batch = read_.pop()) {
    if (use_ == RowUse::question) prepare_batch(*batch, text_, number, characters);
    number += batch->questions.size();
    if (!prepared_.push(*std::move(batch))) return;
  }
}

}  // namespace qdedup::import
