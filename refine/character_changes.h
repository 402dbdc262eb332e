#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace qdedup::refine {

// By how much the numbers of questions in which each code point occurs change, as texts enter and leave: what
// CharacterCounts counts, made for millions of texts. 14 MB for a table of all code points.
class CharacterChanges {
 public:
  CharacterChanges();

  // Count every distinct code point of a text (UTF-8) once, up and down. Linear.
  void enter(std::string_view text) { count(text, 1); }
  void leave(std::string_view text) { count(text, -1); }

  // The changes since the last call that are not 0, by code point.
  std::vector<std::pair<char32_t, std::int64_t>> take();

 private:
  void count(std::string_view text, std::int64_t change);

  std::vector<std::int64_t> changes_;  // by code point
  std::vector<std::uint32_t> seen_;    // by code point: the number of the last text that it was seen in
  std::vector<char32_t> touched_;      // since the last call of take()
  std::uint32_t text_number_ = 0;
};

}  // namespace qdedup::refine
