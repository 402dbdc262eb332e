#pragma once

#include <functional>

#include "base/result.h"
#include "db/bank.h"

namespace qdedup::iteration {

// Calls `read` once on each of `threads` threads, with a connection to the bank of its own: `bank` itself on
// the caller's, which may tell of progress, and read-only ones on the others. Returns when all are done; of
// several errors, the caller's thread's goes before.
Status with_readers(db::Bank& bank, unsigned threads,
                    const std::function<Status(db::Bank& reader, bool tells)>& read);

}  // namespace qdedup::iteration
