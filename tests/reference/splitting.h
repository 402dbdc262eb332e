#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace qdedup::reference {

// The two parts of a normalised text.
struct SplitText {
  std::vector<std::u32string> signs;
  std::u32string han;

  friend bool operator==(const SplitText&, const SplitText&) = default;
};

// The slow twin of refine::split: a transcription of the rules' table that asks ICU about each character and
// looks at the whole text again for each bracket. Quadratic.
SplitText split(std::u32string_view text);

}  // namespace qdedup::reference
