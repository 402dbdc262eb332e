#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace qdedup::refine {

// By how much the numbers of questions in which each code point occurs change, as texts enter and leave: what
// CharacterCounts counts, made for millions of texts (of fewer than 2^31 between two calls of take()). 9 MB
// for a table of all code points.
class CharacterChanges {
 public:
  CharacterChanges();

  // Count every distinct code point of a text (UTF-8) once, up and down. Linear.
  void enter(std::string_view text);
  void leave(std::string_view text);

  // The same of a text that is decoded already.
  void enter(std::u32string_view text) { count(text, 1); }

  // Counts a change that was counted elsewhere.
  void add(char32_t code_point, std::int64_t change);

  // The changes since the last call that are not 0, by code point.
  std::vector<std::pair<char32_t, std::int64_t>> take();

 private:
  void count(std::u32string_view text, std::int32_t change);

  struct Character {
    std::uint32_t seen;   // the number of the last text that it was seen in
    std::int32_t change;  // since the last call of take()
  };

  std::vector<Character> characters_;  // by code point
  std::vector<char32_t> touched_;      // since the last call of take()
  std::uint32_t text_number_ = 0;
};

}  // namespace qdedup::refine
