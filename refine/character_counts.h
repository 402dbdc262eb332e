#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/zeroed_array.h"

namespace qdedup::refine {

// For each code point, in how many questions of the bank it occurs: what is common says little about what a
// question is about.
class CharacterCounts {
 public:
  // Counts every distinct code point of a question (UTF-8) once. Linear.
  void add(std::string_view text);

  // Adds the counts of other questions.
  void merge(const CharacterCounts& other);

  // Restores one stored count, or the number of questions.
  void set_count(char32_t code_point, std::uint64_t questions);
  void set_questions(std::uint64_t questions) { questions_ = questions; }

  // In how many questions the code point occurs.
  [[nodiscard]] std::uint64_t count(char32_t code_point) const;

  [[nodiscard]] std::uint64_t questions() const { return questions_; }

  // All counts above 0, in no order.
  [[nodiscard]] const std::unordered_map<char32_t, std::uint64_t>& counts() const { return counts_; }

  friend bool operator==(const CharacterCounts&, const CharacterCounts&) = default;

 private:
  std::unordered_map<char32_t, std::uint64_t> counts_;
  std::uint64_t questions_ = 0;
};

// Changes of CharacterCounts as texts enter and leave: millions of them, but fewer than 2^31 between two
// calls of take(). A table of all code points, of which 4 KiB are used for 512 that occur.
class CharacterChanges {
 public:
  CharacterChanges();

  // Count every distinct code point of a text (UTF-8) once, up and down. Linear.
  void enter(std::string_view text);
  void leave(std::string_view text);

  // The same of a text that is decoded already.
  void enter(std::u32string_view text) { count(text, 1); }

  // Adds a change that was counted elsewhere.
  void add(char32_t code_point, std::int64_t change);

  // The changes since the last call that are not 0, by code point.
  std::vector<std::pair<char32_t, std::int64_t>> take();

 private:
  void count(std::u32string_view text, std::int32_t change);

  struct Character {
    std::uint32_t seen;   // the number of the last text that it was seen in
    std::int32_t change;  // since the last call of take()
  };

  ZeroedArray<Character> characters_;  // by code point
  std::vector<char32_t> touched_;      // since the last call of take()
  std::uint32_t text_number_ = 0;
};

}  // namespace qdedup::refine
