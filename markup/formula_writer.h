#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace qdedup::markup {

// What a stretch of the written text is, for people to see it drawn.
struct Span {
  enum class Kind : std::uint8_t {
    argument,  // of the structure around it
    formula,
    words,  // upright
    raised,
    lowered,
    fraction,
    binomial,
    root,
    nth_root,  // the degree, and what the root is of
    over,      // a base, and what stands over it
    accent,    // the same, but the accent is a sign before the base
    environment,
    next_cell,  // of an environment
    next_row,
    figure,
    table,
    row,
    cell,
  };

  Kind kind;
  std::size_t begin;  // bytes
  std::size_t end;
  std::size_t number = 0;  // of a figure
};

// Writes text in which what is raised, lowered, a fraction or a root has one form. A bracket that may turn
// out needless is written as a placeholder and filled in when its partner comes. Appending is constant time
// on average.
class FormulaWriter {
 public:
  explicit FormulaWriter(std::size_t expected_bytes, bool keeps_spans = false) : keeps_spans_(keeps_spans) {
    text_.reserve(expected_bytes);
  }

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

  // Was this written last?
  [[nodiscard]] bool ends_with(std::string_view text) const { return text_.ends_with(text); }

  // Moves what was written since `from` to `place`, before it; false, and nothing is moved, where that is
  // far.
  bool move_to(std::size_t place, std::size_t from);

  // Makes room at `place`, before what was written since; false, and nothing is done, where that is far.
  bool make_room(std::size_t place, std::size_t bytes);

  // Do only places that stayed empty, and perhaps white space, stand there? False where that is much.
  [[nodiscard]] bool is_empty(std::size_t begin, std::size_t end, bool may_be_blank) const;

  // Takes back all that was written since `place`.
  void cut(std::size_t place);

  // Says what was written since `begin` is; nothing unless spans are kept. Inner spans come first.
  void add_span(Span::Kind kind, std::size_t begin, std::size_t number = 0);
  [[nodiscard]] bool keeps_spans() const { return keeps_spans_; }

  // The next character is not joined with a number that ends here.
  void end_number() { number_end_ = text_.size(); }

  [[nodiscard]] std::size_t size() const { return text_.size(); }

  // The text, without the places that stayed empty; or with them, as mark::erased, if spans are kept, and the
  // spans.
  std::pair<std::string, std::vector<Span>> finish() &&;

 private:
  static constexpr std::size_t nowhere = static_cast<std::size_t>(-1);

  bool keeps_spans_;
  std::string text_;
  std::vector<Span> spans_;
  std::size_t number_end_ = nowhere;
};

// Is it one character, or one number with or without decimals?
bool is_single(std::string_view text);

}  // namespace qdedup::markup
