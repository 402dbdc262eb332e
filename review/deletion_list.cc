#include "review/deletion_list.h"

#include <algorithm>

#include "review/percentage.h"

namespace qdedup::review {

std::string similarity_percent(std::uint64_t distance, std::uint64_t length) {
  return percent_digits(hundredths_of_percent(length - std::min(distance, length), length));
}

}  // namespace qdedup::review
