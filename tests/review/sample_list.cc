#include "tests/review/sample_list.h"

#include <utility>

namespace qdedup::review {

DeletionEntry sample_entry(QuestionId delete_id) {
  return sample_pair(delete_id, "小红买10本书", "小明买10本书");
}

DeletionEntry sample_pair(QuestionId delete_id, std::string keep_text, std::string delete_text) {
  DeletionEntry entry{.row = {},
                      .question = {.id = delete_id, .text = std::move(delete_text), .sketch = {}},
                      .keeper = {.id = 1, .text = std::move(keep_text), .sketch = {}},
                      .contrast = {}};
  entry.row.iteration = 7;
  entry.row.distance = 1;
  entry.row.length = 5;
  entry.row.risk = refine::Risk(123);
  return entry;
}

DeletionStream stream_of(std::vector<DeletionEntry> entries) {
  return [entries = std::move(entries), next = std::size_t{0}](DeletionEntry& entry) mutable -> Result<bool> {
    if (next == entries.size()) return false;
    entry = entries[next++];
    return true;
  };
}

std::function<DeletionStream()> streams_of(std::vector<DeletionEntry> entries) {
  return [entries = std::move(entries)] { return stream_of(entries); };
}

DeletionStream broken_stream() {
  return [first = true](DeletionEntry& entry) mutable -> Result<bool> {
    if (!first) return Error{ErrorCode::internal, "bank: broken"};
    first = false;
    entry = sample_entry(2);
    return true;
  };
}

}  // namespace qdedup::review
