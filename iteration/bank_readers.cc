#include "iteration/bank_readers.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/parallel.h"

namespace qdedup::iteration {

Status with_readers(db::Bank& bank, unsigned threads,
                    const std::function<Status(db::Bank& reader, bool tells)>& read) {
  threads = std::min(threads, max_readers);
  std::vector<db::Bank> others;
  for (unsigned thread = 1; thread < threads; ++thread) {
    QDEDUP_ASSIGN_OR_RETURN(db::Bank reader, bank.reader());
    others.push_back(std::move(reader));
  }
  std::vector<Status> outcomes(others.size() + 1);
  on_threads(outcomes.size(), [&](std::size_t thread) {
    outcomes[thread] = thread == 0 ? read(bank, true) : read(others[thread - 1], false);
  });
  for (Status& outcome : outcomes) {
    if (!outcome.ok()) return std::move(outcome);
  }
  return {};
}

}  // namespace qdedup::iteration
