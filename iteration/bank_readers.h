#pragma once

#include <functional>

#include "base/result.h"
#include "db/bank.h"

namespace qdedup::iteration {

// Each reader keeps two files open, and a process may be limited to 1,024.
constexpr unsigned max_readers = 16;

// Calls `read` on each of `threads` threads, but at most `max_readers`, each with its own connection to the
// bank: on the caller's thread `bank` itself, where `tells` allows it to report progress, on the others
// read-only ones. Returns when all are done; of several errors, that of the caller's thread takes precedence.
Status with_readers(db::Bank& bank, unsigned threads,
                    const std::function<Status(db::Bank& reader, bool tells)>& read);

}  // namespace qdedup::iteration
