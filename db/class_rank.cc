#include "db/class_rank.h"

#include <algorithm>
#include <tuple>

namespace qdedup::db {
namespace {

bool goes_before(const ClassRank& a, const ClassRank& b) {
  return std::tie(b.members, a.since, a.representative) < std::tie(a.members, b.since, b.representative);
}

}  // namespace

const ClassRank& class_to_join(std::span<const ClassRank> classes) {
  return *std::ranges::min_element(classes, goes_before);
}

}  // namespace qdedup::db
