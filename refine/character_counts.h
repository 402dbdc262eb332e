#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>

namespace qdedup::refine {

// For each code point, in how many questions of the bank it occurs. Tells the words that questions are told
// with from those that they are about. A value: cheap to fill while questions are imported, and stored with
// them.
class CharacterCounts {
 public:
  // Counts every distinct code point of a question (UTF-8) once. Linear.
  void add(std::string_view text);

  // Takes back what add() counted for the same text. Counts stop at 0.
  void remove(std::string_view text);

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

}  // namespace qdedup::refine
