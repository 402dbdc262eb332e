#pragma once

#include <span>
#include <string>
#include <string_view>

#include "review/deletion_list.h"

namespace qdedup::review {

// One column of a deletion list. Cells of a column that is not `text` hold a number in decimal digits.
struct ListColumn {
  std::string_view name;
  bool text;
  std::string (*cell)(const DeletionEntry& entry);
};

// All columns, in the order of every format.
std::span<const ListColumn> list_columns();

}  // namespace qdedup::review
