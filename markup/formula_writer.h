#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace qdedup::markup {

// Writes text in which what is raised, lowered, a fraction or a root has one form. A bracket that may turn
// out needless is written as a placeholder and filled in when its partner comes. Appending is constant time
// on average.
class FormulaWriter {
 public:
  explicit FormulaWriter(std::size_t expected_bytes) { text_.reserve(expected_bytes); }

  // Text as it is; digits never join a number that ended before.
  void put(std::string_view text);

  // A place that may stay empty; returns where. Text may be filled in that is not longer.
  std::size_t reserve(std::size_t bytes);
  void fill(std::size_t place, std::string_view text);

  // Begins and ends what is bracketed unless it is one character or one number.
  std::size_t open_bracket() { return reserve(1); }
  void close_bracket(std::size_t place);

  // What was written since `place`, a reserved byte, without white space at either end.
  [[nodiscard]] std::string_view content(std::size_t place) const;

  // Moves what was written since `from` to `place`, before it; not where that is far.
  void move_to(std::size_t place, std::size_t from);

  // Takes back all that was written since `place`.
  void cut(std::size_t place);

  // The next character is not joined with a number that ends here.
  void end_number() { number_end_ = text_.size(); }

  [[nodiscard]] std::size_t size() const { return text_.size(); }
  [[nodiscard]] char last() const { return text_.empty() ? ' ' : text_.back(); }

  // The text, without the places that stayed empty.
  std::string finish() &&;

 private:
  static constexpr std::size_t nowhere = static_cast<std::size_t>(-1);

  std::string text_;
  std::size_t number_end_ = nowhere;
};

// Is it one character, or one number with or without decimals?
bool is_single(std::string_view text);

}  // namespace qdedup::markup
