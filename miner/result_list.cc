#include "miner/result_list.h"

#include <array>
#include <cstddef>
#include <string_view>

namespace qdedup::miner {

std::string_view name(Rejection rejection) {
  static constexpr std::array<std::string_view, rejection_count> names = {
      "blank",         "too_long",   "too_deep",   "nul_byte", "bad_utf8", "bad_json",
      "trailing_data", "no_results", "not_a_list", "bad_pair", "bad_id",   "bad_score",
  };
  return names.at(static_cast<std::size_t>(rejection));
}

}  // namespace qdedup::miner
