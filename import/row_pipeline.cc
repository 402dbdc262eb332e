#include "import/row_pipeline.h"

#include <exception>
#include <utility>

#include "import/fingerprints.h"
#include "import/held_rows.h"
#include "import/question_characters.h"
#include "refine/decoded_text.h"

namespace qdedup::import {
namespace {

constexpr std::size_t batches_ahead = 3;

void prepare_batch(RowBatch& batch, QuestionCharacters& characters) {
  for (db::BankQuestion& question : batch.questions) {
    const refine::DecodedText text(question.text);
    characters.enter(text);
    set_fingerprints(question, text);
  }
  batch.characters = characters.take();
}

// Ends the queue behind what `fill` puts into it.
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

RowPipeline::RowPipeline(QuestionReader& reader, std::size_t rows_per_batch, std::size_t held_bytes)
    : reader_(reader),
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
    read_.refuse();  // or the other thread would wait for ever
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
  bool ended = false;
  while (!ended) {
    RowBatch batch = read_batch(reader_, rows_per_batch_);
    ended = batch.is_last;
    if (held.empty() && !is_scattered(batch)) {
      if (!hand_over(std::move(batch))) return;
      continue;
    }
    held.add(std::move(batch));
    if (ended || held.bytes() >= held_bytes_) held.release(rows_per_batch_, hand_over);
  }
}

void RowPipeline::prepare() {
  QuestionCharacters characters;
  while (std::optional<RowBatch> batch = read_.pop()) {
    prepare_batch(*batch, characters);
    if (!prepared_.push(*std::move(batch))) return;
  }
}

}  // namespace qdedup::import
