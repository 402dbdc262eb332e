#include "finder/han_query.h"

#include <algorithm>
#include <limits>

#include "finder/parity_sketch.h"

namespace qdedup::finder {

HanQuery::HanQuery(std::u32string_view han, const refine::DuplicateSettings& settings)
    : han_(han),
      min_similarity_(settings.min_similarity),
      lengths_(
          similar_lengths(han.size(), settings.min_similarity, std::numeric_limits<std::uint32_t>::max())),
      sketches_() {
  for (std::size_t width = 0; width < sketch_widths; ++width)
    write_wide_sketch(han, width, sketches_[width].data());
}

bool HanQuery::may_be_like(const std::uint64_t* sketch, std::size_t width, std::size_t length) const {
  if (length < lengths_.least || length > lengths_.most) return false;
  const auto [shorter, longer] = std::minmax({length, han_.size()});
  const std::size_t limit = refine::distance_limit(longer, min_similarity_);
  return different_wide_bits(sketch, sketches_[width].data(), width) <=
         most_sketch_bits(limit, longer - shorter);
}

}  // namespace qdedup::finder
