#pragma once

#include <cstdint>
#include <ostream>

#include "base/result.h"
#include "review/deletion_list.h"

namespace qdedup::review {

struct UndoCounts {
  std::uint64_t written = 0;
  std::uint64_t without_text = 0;  // left the bank before: nothing to restore them from
};

// Writes what it takes to put deleted questions back, as JSON lines that `qdedup import` reads: id, text,
// answer where there is one, and beside them keep_id. Fails as export_list does.
Result<UndoCounts> write_undo_list(const DeletionStream& entries, std::ostream& out);

}  // namespace qdedup::review
