#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/progress.h"
#include "base/question_id.h"
#include "base/result.h"
#include "db/bank.h"
#include "engine/components.h"
#include "iteration/text_spill_file.h"

namespace qdedup::iteration {

// The texts of the candidates of many components, which are decided batch by batch. Reads them in one pass
// over the bank, in order of ids. Takes 16 bytes per candidate, and the texts of one batch at a time.
class TextPrefetch {
 public:
  // Later calls of want() are for a new batch.
  void begin_batch() { batch_sizes_.push_back(0); }

  // Adds a candidate; each question may occur once among all batches.
  void want(QuestionId id);

  // Reads all texts wanted, on this many threads.
  Status read(db::Bank& bank, unsigned threads, const Progress& progress);

  // Gives the texts of a batch to its candidates, which are in `components` in the order in which they were
  // wanted; those without text are no longer candidates. The texts are valid until the next batch is fetched.
  Status fetch(std::size_t batch, std::span<engine::Component> components);

 private:
  struct Wanted {
    QuestionId id;
    std::uint32_t batch;
    std::uint32_t place;  // in the batch
  };

  Status read_some(std::span<const Wanted> wanted, db::Bank& bank, TextSpillFile::Writer& writer) const;

  std::vector<Wanted> wanted_;
  std::vector<std::uint32_t> batch_sizes_;
  std::optional<TextSpillFile> file_;
  std::vector<std::string> fetched_;
};

}  // namespace qdedup::iteration
