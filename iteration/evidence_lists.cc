#include "iteration/evidence_lists.h"

#include <string>
#include <utility>

#include "iteration/parallel.h"
#include "miner/evidence_chunk.h"

namespace qdedup::iteration {
namespace {

struct Chunk {
  std::string bytes;
  miner::SeedLists lists;
  Status decoded;

  void decode() {
    lists.clear();
    decoded = miner::decode_evidence(bytes, lists);
  }
};

}  // namespace

miner::ListSource evidence_lists(db::Evidence& evidence, std::int64_t last_id, unsigned threads) {
  return [&evidence, last_id, threads](const auto& take) -> Status {
    Chunk before;
    Chunk next;
    const auto work = [&](std::size_t thread) { thread == 0 ? take(before.lists) : next.decode(); };
    QDEDUP_TRY(evidence.for_each_unconsumed(last_id, [&](std::string_view bytes) -> Status {
      next.bytes = bytes;
      if (threads > 1) {
        on_threads(2, work);
      } else {
        for (const std::size_t part : {0U, 1U}) work(part);
      }
      std::swap(before, next);
      return before.decoded;
    }));
    take(before.lists);
    return {};
  };
}

}  // namespace qdedup::iteration
