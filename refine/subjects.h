#pragma once

#include <string_view>

namespace qdedup::refine {

class SearchedText;

// What questions ask about, so that it is no matter of style in them.
struct Subjects {
  bool punctuation = false;
  bool pauses = false;  // so spaces between Han characters count; implies punctuation
  bool emphasis = false;
  bool type = false;  // bold, italic or coloured words; implies emphasis
  bool wording = false;
  bool code = false;
  bool indentation = false;  // of code

  // What a text in normal form asks about, too.
  void add(std::u32string_view text);
};

// Does a text in normal form point at words that are marked in it? 加点字, 红色的词
bool names_marked_words(const SearchedText& text);

}  // namespace qdedup::refine
