#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "db/bank.h"
#include "iteration/unit_work.h"

namespace qdedup::iteration {

// Keeps texts, one after another in blocks: millions of small pieces of memory would stand in the way of all
// that comes later.
class TextBlocks {
 public:
  // The copy holds as long as the object.
  std::string_view keep(std::string_view text);

 private:
  std::vector<std::string> blocks_;  // none of them ever grows beyond what it reserved
};

// Reads the texts of all candidates of the units into `texts`, in order of their ids, as these lie side by
// side. Candidates without text are none any more.
Status read_unit_texts(std::span<UnitWork> units, db::Bank& bank, TextBlocks& texts);

}  // namespace qdedup::iteration
