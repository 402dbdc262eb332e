#include "refine/code_point_table.h"

#include <unicode/uchar.h>

namespace qdedup::refine {
namespace {

using Blocks = std::vector<bool>;

UBool note_range(const void* blocks, UChar32 begin, UChar32 end, UCharCategory category) {
  constexpr UChar32 private_planes = 0xF0000;
  if (category == U_UNASSIGNED || begin >= private_planes) return 1;
  Blocks& assigned = **static_cast<Blocks* const*>(blocks);
  const auto first = static_cast<std::size_t>(begin) / code_points_per_block;
  const auto last = static_cast<std::size_t>(end - 1) / code_points_per_block;
  for (std::size_t block = first; block <= last; ++block) assigned[block] = true;
  return 1;
}

Blocks find_assigned_blocks() {
  Blocks blocks((UCHAR_MAX_VALUE + 1) / code_points_per_block);
  Blocks* const found = &blocks;
  u_enumCharTypes(note_range, &found);
  return blocks;
}

}  // namespace

const std::vector<bool>& assigned_blocks() {
  static const std::vector<bool> blocks = find_assigned_blocks();
  return blocks;
}

}  // namespace qdedup::refine
