#pragma once

#include <functional>

#include "base/result.h"
#include "db/bank.h"

namespace qdedup::iteration {

// Each of them keeps two files open, of which a process may have 1,024.
constexpr unsigned max_readers = 16;

// Calls `read` once on each of `threads` threads, but at most `max_readers`, with a connection to the bank
// of its own: `bank` itself on the caller's, which may tell of progress, and read-only ones on the others.
// Returns when all are done; of several errors, the caller's thread's goes before.
Status with_readers(db::Bank& bank, unsigned threads,
                    const std::function<Status(db::Bank& reader, bool tells)>& read);

}  // namespace qdedup::iteration
