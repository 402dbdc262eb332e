#pragma once

#include <string_view>

namespace qdedup::refine {

// What questions ask about, so that it is no matter of style in them.
struct Subjects {
  bool punctuation = false;
  bool emphasis = false;
  bool wording = false;
  bool code = false;

  // What a text in normal form asks about, too.
  void add(std::u32string_view text);
};

}  // namespace qdedup::refine
