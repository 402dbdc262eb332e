#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "markup/formula_writer.h"

namespace qdedup::markup {

enum class FrameKind : std::uint8_t {
  group,
  words,           // a group that is upright
  argument,        // the first one of an unknown command, bracketed unless it is single,
  later_argument,  // and any other, always in brackets
  literal_brace,
  raised,
  lowered,
  numerator,
  denominator,
  upper,  // of a binomial
  bottom,
  degree,  // of a root
  bracketed,
  root,         // what a root is of
  base,         // of an accent that is a command
  label_above,  // what stands above the base that comes next,
  label_below,  // or below it
  labelled,     // such a base, with its label before it
  arrow_above,  // what stands above the arrow before,
  arrow_below,  // or below it
  drawn,
  circled,
  dropped,
  gap,       // dropped, but it parts numbers
  accented,  // by a mark: what stands under an accent,
  accent,    // and the accent
  radicand,  // by a mark: what a root is of, with its degree behind it
  late_degree,
  formula,
  environment,
  matrix,  // an environment whose cells stand apart
  table,
  row,
  cell,
};

// How a frame was opened tells what ends it.
enum class Opening : std::uint8_t {
  awaited,  // an argument that has not begun
  single,   // an argument of one character or command
  rest,     // all up to the end of what holds it
  brace,
  square,
  mark,
  dollar,  // this one and those that follow are formulas
  dollars,
  parenthesis,
  square_bracket,
  begin,
};

// Something that is open, and where its content is written.
struct Frame {
  FrameKind kind;
  Opening by;
  std::size_t place;
  bool is_formula;         // read as LaTeX throughout
  unsigned arguments = 0;  // still to be dropped, with this one
  // Of the structure that it ends, with its sign; of what is lowered, where it belongs.
  std::size_t begin = 0;
  std::string_view ending = {};  // what an environment ends with, or is drawn on what the frame holds
};

// Where something raised is written, with its sign.
struct Raised {
  std::size_t begin = 0;
  std::size_t end = 0;
};

// U+E000, which stands before what is lowered, as in refine/normalise.h.
inline constexpr std::string_view lowered_sign = "\xEE\x80\x80";
inline constexpr std::string_view radical = "√";

// What is open at some point of a text, the innermost last, and what closing it writes. Constant time on
// average.
class FormulaFrames {
 public:
  explicit FormulaFrames(FormulaWriter& writer) : writer_(writer) {}

  [[nodiscard]] bool empty() const { return frames_.empty(); }
  [[nodiscard]] Frame& top() { return frames_.back(); }
  [[nodiscard]] bool is_by(Opening by) const { return !frames_.empty() && frames_.back().by == by; }
  [[nodiscard]] bool is_formula() const { return !frames_.empty() && frames_.back().is_formula; }
  [[nodiscard]] bool in_environment() const;
  [[nodiscard]] bool in_matrix() const;

  void push(FrameKind kind, Opening by, std::size_t place, bool is_formula);
  void await(FrameKind kind, std::size_t place) { push(kind, Opening::awaited, place, true); }

  // Ends the innermost frame, which may open the next one: a denominator after a numerator.
  void close_top();

  // A character or a command is complete: ends the arguments that it was.
  void end_atom();

  void put_atom(std::string_view text);

  // An atom that is raised by itself.
  void put_prime();

  // Something raised or lowered that is known as a whole.
  void put_script(bool is_raised, std::string_view content);

  // What is lowered right after something raised goes before it, unless that is forgotten.
  void forget_raised() { last_raised_ = {}; }

  // Where the content begins of what braces or a formula hold, if that is open innermost.
  [[nodiscard]] std::optional<std::size_t> begin_of_content() const;

  // Makes what was written since `place` a numerator, or the upper part of a binomial; what follows up to
  // the end of what is open is the other part. False where that is too much.
  bool split(FrameKind first, std::size_t place);
  void close_rest();  // ends such parts

  // A command that writes nothing was no argument.
  void await_again();

  // How the innermost formula was opened, if it can be ended here: no frame of a mark is in between.
  [[nodiscard]] std::optional<Opening> open_formula() const;
  void close_formula();  // the innermost, and all in it

  // For marks: `next` ends the first half of the innermost frame of one, `close` both. Nothing where there is
  // none.
  void end_marked(bool ends_both);

 private:
  void close(const Frame& frame);
  void end_argument(const Frame& frame);
  void close_part(const Frame& frame, std::string_view end);
  void close_degree(const Frame& frame);
  void close_root(const Frame& frame);
  void open_second(const Frame& first, FrameKind kind);
  void open_late(const Frame& first, FrameKind kind, std::size_t reserved);
  std::size_t take_first_place();
  void close_script(const Frame& frame);
  void note_raised(std::size_t begin) { last_raised_ = {begin, writer_.size()}; }
  std::size_t begin_of_scripts(std::size_t lowered, bool is_formula);
  [[nodiscard]] bool is_charge_of_raised(const Frame& frame, std::string_view content) const;
  void close_dropped(const Frame& frame);
  void close_accent(const Frame& frame);
  void close_label(const Frame& frame);
  void close_labelled(const Frame& frame);
  void close_arrow_label(const Frame& frame);
  void close_drawn(const Frame& frame);
  void close_late_degree(const Frame& frame);

  FormulaWriter& writer_;
  std::vector<Frame> frames_;
  std::vector<std::size_t> mark_frames_;  // the numbers of those that marks opened,
  std::vector<std::size_t> math_frames_;  // and of formulas and environments
  Raised last_raised_;
  std::vector<std::size_t> first_places_;  // where the first halves of accents and late degrees stand
};

}  // namespace qdedup::markup
