#include "markup/formula_reader.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "base/ascii.h"
#include "markup/formula_frames.h"
#include "markup/formula_text.h"
#include "markup/formula_writer.h"
#include "markup/latex_reader.h"
#include "markup/marks.h"
#include "markup/tables.h"

namespace qdedup::markup {
namespace {

constexpr std::string_view floating_figure = "\uFFFC";

// A mark that begins what may be bracketed, and the sign before that.
struct BracketedMark {
  char mark;
  std::string_view sign;
  FrameKind kind;
};
constexpr std::array<BracketedMark, 8> bracketed_marks = {{
    {mark::raise, "^", FrameKind::raised},
    {mark::lower, lowered_sign, FrameKind::lowered},
    {mark::fraction, "(", FrameKind::numerator},
    {mark::binomial, "(", FrameKind::upper},
    {mark::root, radical, FrameKind::root},
    {mark::nth_root, radical, FrameKind::radicand},
    {mark::over, "", FrameKind::accented},
    {mark::group, "", FrameKind::bracketed},
}};

class FormulaReader {
 public:
  FormulaReader(const MarkedText& marked, std::span<const std::string> hashes, bool draws)
      : text_(marked.text), marked_(marked), hashes_(hashes), writer_(marked.text.size() + 16, draws) {}
  FormulaReader(const FormulaReader&) = delete;
  FormulaReader& operator=(const FormulaReader&) = delete;

  ReadText read() && {
    while (!text_.at_end()) step();
    while (!frames_.empty()) frames_.close_top();
    while (figure_number_ < hashes_.size()) add_figure({});
    std::tie(result_.text, result_.spans) = std::move(writer_).finish();
    return std::move(result_);
  }

 private:
  void step() {
    if (frames_.is_by(Opening::awaited) && !accept_argument()) return;
    if (text_.is_special()) return take_special();
    if (frames_.is_by(Opening::single)) return take_single();
    writer_.put(text_.take_plain());
  }

  // --- Arguments

  // What comes next is, or is not, the argument that is waited for. False where there is nothing to read yet.
  bool accept_argument() {
    const char c = text_.next();
    if (is_white_space(c) && mark::lost_command(text_.rest()).empty()) {
      text_.skip(1);
      return false;
    }
    Frame& frame = frames_.top();
    if (c == '{') {
      frame.by = Opening::brace;
      text_.skip(1);
      return false;
    }
    const bool is_word = frame.kind == FrameKind::dropped && c == '_';
    if (is_word) text_.skip_word();
    if (is_word || c == '}' || c == '$' || c == '&' || c == ']' || c == mark::close || c == mark::next) {
      frames_.close_top();
      return false;
    }
    frame.by = Opening::single;
    return true;
  }

  void take_single() {
    const FrameKind kind = frames_.top().kind;
    const bool is_script = kind == FrameKind::raised || kind == FrameKind::lowered;
    frames_.put_atom(is_script ? text_.take_script() : text_.take(text_.length()));
  }

  // --- What is not plain text

  void take_special() {
    const char c = text_.next();
    if (is_white_space(c)) return take_white_space();
    if (mark::is_control(c)) return take_mark(c);
    if (static_cast<unsigned char>(c) >= 0x80) return take_character();
    switch (c) {
      case '\\':
        return latex_.take_command();
      case '{':
        return take_opening_brace();
      case '}':
        return take_closing_brace();
      case '$':
        return latex_.take_dollar();
      case '^':
        return take_script(FrameKind::raised);
      case '_':
        return take_script(FrameKind::lowered);
      case '~':
        return take_tilde();
      case '&':
        return take_ampersand();
      case '\'':
        return take_quote();
      case ']':
        return take_square();
      case '!':
        return take_exclamation();
      default:
        return take_bracket();
    }
  }

  // LaTeX sets no space before it: $n !$
  void take_exclamation() {
    while (frames_.is_formula() && writer_.size() > frames_.top().place && writer_.ends_with(" "))
      writer_.cut(writer_.size() - 1);
    take_bracket();
  }

  // A command that lost its backslash in a formula, or nothing but white space.
  void take_white_space() {
    const std::string name = frames_.is_formula() ? mark::lost_command(text_.rest()) : std::string();
    if (name.empty()) return writer_.put(text_.take(1));
    text_.skip(name.size());
    latex_.take_named(name);
  }

  void take_ampersand() {
    text_.skip(1);
    const std::size_t begin = writer_.size();
    if (frames_.in_matrix()) writer_.put(mark::cell_border);
    writer_.put(frames_.is_formula() ? " " : "&");
    if (frames_.in_environment()) writer_.add_span(Span::Kind::next_cell, begin);
    frames_.end_atom();
  }

  void take_mark(char mark) {
    text_.skip(1);
    const bool in_formula = frames_.is_formula();
    const auto* const half =
        std::ranges::find(bracketed_marks, mark, [](const BracketedMark& one) { return one.mark; });
    if (half != bracketed_marks.end()) {
      writer_.put(half->sign);
      if (mark == mark::over) writer_.reserve(3);
      return frames_.push(half->kind, Opening::mark, writer_.open_bracket(), in_formula);
    }
    switch (mark) {
      case mark::formula:
        result_.has_formulas = true;
        return frames_.push(FrameKind::formula, Opening::mark, writer_.size(), true);
      case mark::table:
        return frames_.push(FrameKind::table, Opening::mark, writer_.size(), in_formula);
      case mark::row:
        return frames_.push(FrameKind::row, Opening::mark, writer_.size(), in_formula);
      case mark::cell:
        return frames_.push(FrameKind::cell, Opening::mark, writer_.size(), in_formula);
      case mark::figure:
        return take_marked_figure();
      case mark::next:
      case mark::close:
        return frames_.end_marked(mark == mark::close);
      default:
        return;
    }
  }

  void take_opening_brace() {
    if (frames_.is_formula() && latex_.take_bare_command()) return;
    const bool is_group = frames_.is_formula() || text_.follows_function();
    text_.skip(1);
    if (!is_group) writer_.put("{");
    frames_.push(is_group ? FrameKind::group : FrameKind::literal_brace, Opening::brace, writer_.size(),
                 is_group);
  }

  void take_closing_brace() {
    while (frames_.is_by(Opening::awaited) || frames_.is_by(Opening::single)) frames_.close_top();
    frames_.close_rest();
    text_.skip(1);
    if (frames_.is_by(Opening::brace)) return close_brace();
    if (!frames_.is_formula()) writer_.put("}");
  }

  // The next argument of a command, if there is one, is a group too, and of an unknown one it stands apart.
  void close_brace() {
    const FrameKind kind = frames_.top().kind;
    frames_.close_top();
    if (text_.next() != '{') return frames_.end_atom();
    if (kind == FrameKind::group || kind == FrameKind::words) {
      frames_.await(FrameKind::group, writer_.size());
    } else if (kind == FrameKind::argument || kind == FrameKind::later_argument) {
      writer_.put("(");
      frames_.await(FrameKind::later_argument, writer_.size());
    } else {
      frames_.end_atom();
    }
  }

  void take_square() {
    text_.skip(1);
    if (!frames_.is_by(Opening::square)) return frames_.put_atom("]");
    const bool is_label = frames_.top().kind == FrameKind::arrow_below;
    frames_.close_top();
    if (is_label) latex_.open_arrow_label();
  }

  // --- Scripts

  // Outside of formulas ^ and _ are scripts where they stand between what they belong to.
  void take_script(FrameKind kind) {
    const bool is_raised = kind == FrameKind::raised;
    const bool is_script = frames_.is_formula() || (is_raised ? text_.is_power() : text_.is_index());
    text_.skip(1);
    if (!is_script) return frames_.put_atom(is_raised ? "^" : "_");
    writer_.put(is_raised ? "^" : lowered_sign);
    frames_.await(kind, writer_.open_bracket());
  }

  void take_quote() {
    const bool is_prime = frames_.is_formula() || text_.is_prime();
    text_.skip(1);
    return is_prime ? frames_.put_prime() : frames_.put_atom("'");
  }

  // --- Characters

  void take_character() {
    const std::string_view rest = text_.rest();
    if (const auto script = text_.script()) {
      frames_.put_script(script->is_raised, text_.take_script_run(script->is_raised));
      return frames_.end_atom();
    }
    const bool may_be_figure = rest[0] == '\xE3' || rest.starts_with("（图");
    if (may_be_figure && !frames_.is_formula() && take_figure_word()) return;
    if (frames_.is_formula() && rest.starts_with("’")) {
      text_.skip(std::string_view("’").size());
      return frames_.put_prime();
    }
    frames_.put_atom(kept_character(text_.take(text_.length())));
  }

  void take_tilde() {
    const bool is_space = frames_.is_formula() || text_.is_tied_space();
    text_.skip(1);
    frames_.put_atom(is_space ? " " : "~");
  }

  // --- Figures

  void take_bracket() {
    const bool is_formula = frames_.is_formula();
    if (is_formula && text_.next() == '[' && latex_.take_bare_command()) return;
    if (!is_formula && take_figure_word()) return;
    frames_.put_atom(text_.take(1));
  }

  // Takes [图] or ![](address).
  bool take_figure_word() {
    for (const std::string_view word : figure_words().marks) {
      if (!text_.rest().starts_with(word)) continue;
      text_.skip(word.size());
      add_figure({});
      return true;
    }
    const auto address = text_.take_markdown();
    if (address) add_figure(figure_at(*address));
    return address.has_value();
  }

  void take_marked_figure() {
    std::size_t number = 0;
    for (; text_.next() != mark::close; text_.skip(1))
      number = number * 10 + static_cast<std::size_t>(text_.next() - '0');
    text_.skip(1);
    add_figure(marked_.figures[number]);
  }

  void add_figure(Figure figure) {
    if (figure_number_ < hashes_.size() && !hashes_[figure_number_].empty()) {
      figure.kind = Figure::Kind::content;
      figure.name = hashes_[figure_number_];
      figure.is_vague = false;
    }
    ++figure_number_;
    const std::size_t begin = writer_.size();
    if (figure.in_place) {
      writer_.put(signs_of(figure));
    } else {
      writer_.put(writer_.keeps_spans() ? std::string(floating_figure) : place_of(figure));
    }
    writer_.add_span(Span::Kind::figure, begin, result_.figures.size());
    if (figure.in_place) frames_.end_atom();
    result_.figures.push_back(std::move(figure));
  }

  FormulaText text_;
  const MarkedText& marked_;
  std::span<const std::string> hashes_;
  FormulaWriter writer_;
  ReadText result_;
  FormulaFrames frames_{writer_};
  LatexReader latex_{text_, writer_, frames_, result_};
  std::size_t figure_number_ = 0;
};

}  // namespace

ReadText read_formulas(const MarkedText& marked, std::span<const std::string> image_hashes, bool draws) {
  return FormulaReader(marked, image_hashes, draws).read();
}

}  // namespace qdedup::markup
