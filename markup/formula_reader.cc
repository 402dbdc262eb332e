#include "markup/formula_reader.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

#include "base/ascii.h"
#include "markup/byte_set.h"
#include "markup/formula_frames.h"
#include "markup/formula_writer.h"
#include "markup/marks.h"
#include "markup/script_characters.h"
#include "markup/style.h"
#include "markup/tables.h"

namespace qdedup::markup {
namespace {

constexpr std::size_t nowhere = std::string_view::npos;
constexpr std::string_view floating_figure = "\uFFFC";
constexpr std::string_view unknown_sign = "∖";     // before the name of a command without a rule
constexpr std::string_view negation = "\xCC\xB8";  // U+0338: NFKC makes one sign of = and it

bool is_gap(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }
// Does a Han character of the blocks that are in use begin with it?
bool is_han_lead(char c) {
  return static_cast<unsigned char>(c) >= 0xE4 && static_cast<unsigned char>(c) <= 0xE9;
}

std::string_view number_in(std::string_view text) {
  constexpr std::string_view digits = "0123456789";
  const std::size_t begin = std::min(text.find_first_of(digits), text.size());
  return text.substr(begin, text.find_last_of(digits) + 1 - begin);
}

std::size_t length_at(std::string_view text, std::size_t at) {
  std::size_t end = at + 1;
  while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) ++end;
  return end - at;
}

constexpr ByteSet latex_bytes("\\$\x0F");

// Bytes that may begin something else than plain text.
constexpr ByteSet special_bytes = [] {
  ByteSet special("\\{}$^_~&'[]!\xC2\xC3\xC7\xCA\xCB\xCE\xE1\xE2\xE3\xEF\xF0");
  for (char c = 0; c < 0x20; ++c) {
    if (mark::is_control(c)) special.add(c);
  }
  return special;
}();

// The punctuation of Chinese begins with these bytes, too.
bool is_plain_punctuation(std::string_view text) {
  if (text.size() < 3) return false;
  const std::string_view two = text.substr(0, 2);
  if (two == "\xE3\x80") return text[2] != '\x90' && text[2] != '\x94';  // but 【 and 〔
  if (two == "\xEF\xBC") return text[2] != '\x88';                       // but （
  if (two == "\xE2\x80") return text[2] != '\x99' && text[2] != '\xA2' && text[2] != '\xA7';  // but ’ • ‧
  return false;
}

bool is_special(std::string_view text, std::size_t at) {
  return special_bytes.has(text[at]) && !is_plain_punctuation(text.substr(at, 3));
}

bool is_upright(std::string_view command) {
  constexpr std::array<std::string_view, 5> begins = {"text", "mathrm", "operatorname", "hbox", "mbox"};
  return std::ranges::any_of(begins, [command](auto begin) { return command.starts_with(begin); });
}

// What \left writes.
struct Left {
  std::size_t place;
  std::size_t end;
  std::size_t brace;  // how long the brace is that may turn out needless
};

class FormulaReader {
 public:
  FormulaReader(const MarkedText& marked, std::span<const std::string> hashes, bool draws)
      : text_(marked.text), marked_(marked), hashes_(hashes), writer_(marked.text.size() + 16, draws) {
    has_latex_ = latex_bytes.find_in(text_) < text_.size();
  }

  ReadText read() && {
    read_all();
    result_.text = std::move(writer_).finish();
    return std::move(result_);
  }

  DrawnText draw() && {
    read_all();
    auto [text, spans] = std::move(writer_).finish_with_spans();
    return {std::move(text), std::move(spans), std::move(result_.figures)};
  }

 private:
  void read_all() {
    while (at_ < text_.size()) step();
    while (!frames_.empty()) frames_.close_top();
    while (figure_number_ < hashes_.size()) add_figure({});
  }

  void step() {
    if (frames_.is_by(Opening::awaited) && !accept_argument()) return;
    const bool special = is_special(text_, at_);
    if (frames_.is_by(Opening::single) && !special) return take_single();
    if (special) return take_special();
    std::size_t end = special_bytes.find_in(text_, at_ + 1);
    while (end < text_.size() && !is_special(text_, end)) end = special_bytes.find_in(text_, end + 1);
    writer_.put(text_.substr(at_, end - at_));
    at_ = end;
  }

  // --- Arguments

  // What comes next is, or is not, the argument that is waited for. False where there is nothing to read yet.
  bool accept_argument() {
    const char c = text_[at_];
    if (is_gap(c)) {
      ++at_;
      return false;
    }
    Frame& frame = frames_.top();
    if (c == '{') {
      frame.by = Opening::brace;
      ++at_;
      return false;
    }
    if (frame.kind == FrameKind::dropped && c == '_') {
      skip_word();
      return false;
    }
    if (c == '}' || c == '$' || c == '&' || c == ']' || c == mark::close || c == mark::next) {
      frames_.close_top();
      return false;
    }
    frame.by = Opening::single;
    return true;
  }

  // \bg_white: the colour belongs to the command.
  void skip_word() {
    while (at_ < text_.size() && (text_[at_] == '_' || is_letter(text_[at_]))) ++at_;
    frames_.close_top();
  }

  // One character; of a script the whole number with its sign, as people mean it who write x^10.
  void take_single() {
    std::size_t end = at_ + length_at(text_, at_);
    const FrameKind kind = frames_.top().kind;
    if (kind == FrameKind::raised || kind == FrameKind::lowered) {
      const bool has_sign = text_[at_] == '-' || text_[at_] == '+';
      const bool is_number = has_sign || is_digit(text_[at_]);
      if (is_number && !is_base_of_logarithm()) end = end_of_number(end);
    }
    writer_.put(text_.substr(at_, end - at_));
    at_ = end;
    frames_.end_atom();
  }

  // \log_23 is that of 3 to the base 2, but \log_10 is as it looks.
  [[nodiscard]] bool is_base_of_logarithm() const {
    return text_.substr(0, at_).ends_with("\\log_") && number_in(text_.substr(at_, 3)) != "10";
  }

  // Where a number ends whose first digit, or sign, stands before `at`.
  [[nodiscard]] std::size_t end_of_number(std::size_t at) const {
    while (is_digit(byte_at(at))) ++at;
    if (byte_at(at) != '.' || !is_digit(byte_at(at + 1))) return at;
    for (++at; is_digit(byte_at(at));) ++at;
    return at;
  }

  void put_atom(std::string_view text) {
    writer_.put(text);
    frames_.end_atom();
  }

  // --- What is not plain text

  void take_special() {
    const char c = text_[at_];
    if (mark::is_control(c)) return take_mark(c);
    if (static_cast<unsigned char>(c) >= 0x80) return take_character();
    switch (c) {
      case '\\':
        return take_command();
      case '{':
        return take_opening_brace();
      case '}':
        return take_closing_brace();
      case '$':
        return take_dollar();
      case '^':
        return take_script(FrameKind::raised);
      case '_':
        return take_script(FrameKind::lowered);
      case '~':
        return take_tilde();
      case '&':
        return take_ampersand();
      case '\'':
        ++at_;
        return is_prime() ? frames_.put_prime() : put_atom("'");
      case ']':
        return take_square();
      default:
        return take_bracket();
    }
  }

  void take_ampersand() {
    ++at_;
    const std::size_t begin = writer_.size();
    if (frames_.in_matrix()) writer_.put(mark::cell_border);
    writer_.put(frames_.is_formula() ? " " : "&");
    if (frames_.in_environment()) writer_.add_span(Span::Kind::next_cell, begin);
    frames_.end_atom();
  }

  void take_mark(char mark) {
    ++at_;
    const bool in_formula = frames_.is_formula();
    switch (mark) {
      case mark::raise:
        writer_.put("^");
        return frames_.push(FrameKind::raised, Opening::mark, writer_.open_bracket(), in_formula);
      case mark::lower:
        writer_.put(lowered_sign);
        return frames_.push(FrameKind::lowered, Opening::mark, writer_.open_bracket(), in_formula);
      case mark::fraction:
        writer_.put("(");
        return frames_.push(FrameKind::numerator, Opening::mark, writer_.open_bracket(), in_formula);
      case mark::binomial:
        writer_.put("(");
        return frames_.push(FrameKind::upper, Opening::mark, writer_.open_bracket(), in_formula);
      case mark::root:
        writer_.put("√");
        return frames_.push(FrameKind::root, Opening::mark, writer_.open_bracket(), in_formula);
      case mark::nth_root:
        writer_.put("√");
        return frames_.push(FrameKind::radicand, Opening::mark, writer_.open_bracket(), in_formula);
      case mark::over:
        writer_.reserve(3);
        return frames_.push(FrameKind::accented, Opening::mark, writer_.open_bracket(), in_formula);
      case mark::group:
        return frames_.push(FrameKind::bracketed, Opening::mark, writer_.open_bracket(), in_formula);
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
    const bool is_group = frames_.is_formula() || follows_function();
    ++at_;
    if (!is_group) writer_.put("{");
    frames_.push(is_group ? FrameKind::group : FrameKind::literal_brace, Opening::brace, writer_.size(),
                 is_group);
  }

  // sin{x}, as bare LaTeX that has lost a backslash.
  [[nodiscard]] bool follows_function() const {
    constexpr std::array<std::string_view, 7> functions = {"sin", "cos", "tan", "cot", "log", "lg", "ln"};
    std::string_view before = text_.substr(0, at_);
    if (const std::size_t power = before.size() - std::min<std::size_t>(before.size(), 2);
        before.substr(power).starts_with('^')) {
      before = before.substr(0, power);
    }
    return std::ranges::any_of(functions, [before](auto function) { return before.ends_with(function); });
  }

  void take_closing_brace() {
    while (frames_.is_by(Opening::awaited) || frames_.is_by(Opening::single)) frames_.close_top();
    frames_.close_rest();
    ++at_;
    if (frames_.is_by(Opening::brace)) return close_brace();
    if (!frames_.is_formula()) writer_.put("}");
  }

  // The next argument of a command, if there is one, is a group too.
  void close_brace() {
    const FrameKind kind = frames_.top().kind;
    const bool is_group = kind == FrameKind::group || kind == FrameKind::words;
    frames_.close_top();
    if (is_group && byte_at(at_) == '{') return frames_.await(FrameKind::group, writer_.size());
    frames_.end_atom();
  }

  void take_square() {
    ++at_;
    if (!frames_.is_by(Opening::square)) return put_atom("]");
    const bool is_label = frames_.top().kind == FrameKind::arrow_below;
    frames_.close_top();
    if (is_label) open_arrow_label();
  }

  // --- Dollars

  void take_dollar() {
    const bool is_double = at_ + 1 < text_.size() && text_[at_ + 1] == '$';
    const std::optional<Opening> by = frames_.open_formula();
    if (by == Opening::dollar || (by == Opening::dollars && is_double)) {
      at_ += by == Opening::dollars ? 2 : 1;
      return frames_.close_formula();
    }
    if (by == Opening::dollars) return put_dollar();
    if (is_double && has_double_end()) return open_math(Opening::dollars, 2);
    if (!is_double && has_single_end()) return open_math(Opening::dollar, 1);
    put_dollar();
  }

  void put_dollar() {
    ++at_;
    put_atom("$");
  }

  void open_math(Opening by, std::size_t length) {
    at_ += length;
    result_.has_formulas = true;
    frames_.push(FrameKind::formula, by, writer_.size(), true);
  }

  bool has_double_end() {
    if (!doubles_end_) doubles_end_ = text_.find("$$", at_ + 2) == nowhere;
    return !doubles_end_;
  }

  // Money is not in a formula: no digit follows its end, and its Chinese, if any, is in brackets or a script.
  [[nodiscard]] bool has_single_end() const {
    std::size_t depth = 0;
    for (std::size_t at = at_ + 1; at < text_.size(); ++at) {
      const char c = text_[at];
      if (c == '\\') {
        ++at;
      } else if (c == '$') {
        return at > at_ + 1 && (at + 1 >= text_.size() || !is_digit(text_[at + 1]));
      } else if (c == '{' || c == '(') {
        ++depth;
      } else if ((c == '}' || c == ')') && depth > 0) {
        --depth;
      } else if ((c == '_' || c == '^') && is_han_lead(byte_at(at + 1))) {
        at += length_at(text_, at + 1);
      } else if (depth == 0 && is_han_lead(c)) {
        return false;
      }
    }
    return false;
  }

  // --- Scripts

  void take_script(FrameKind kind) {
    const bool is_script =
        frames_.is_formula() || (kind == FrameKind::raised ? is_power_here() : is_index_here());
    ++at_;
    if (!is_script) return put_atom(kind == FrameKind::raised ? "^" : "_");
    writer_.put(kind == FrameKind::raised ? "^" : lowered_sign);
    frames_.await(kind, writer_.open_bracket());
  }

  [[nodiscard]] char byte_at(std::size_t at) const { return at < text_.size() ? text_[at] : ' '; }

  // Outside of formulas ^ and _ are scripts where they stand between what they belong to.
  [[nodiscard]] bool is_power_here() const {
    const char next = byte_at(at_ + 1);
    return is_alphanumeric(next) || std::string_view("{\\-+").find(next) != nowhere;
  }

  [[nodiscard]] bool is_index_here() const {
    const char next = byte_at(at_ + 1);
    std::size_t base = at_;
    while (next == '{' && base > 0 && text_[base - 1] == ' ') --base;
    return is_base(text_.substr(0, base)) && (is_alphanumeric(next) || next == '{' || next == '\\');
  }

  // Does the text end with a letter, Latin or Greek, a digit or a bracket?
  static bool is_base(std::string_view text) {
    if (text.empty()) return false;
    const char last = text.back();
    const char lead = text.size() > 1 ? text[text.size() - 2] : ' ';
    return is_alphanumeric(last) || last == ')' || last == '}' || text.ends_with("∁") || lead == '\xCE' ||
           lead == '\xCF';
  }

  // f' and A'B', but neither it's nor the boys'.
  [[nodiscard]] bool is_prime() const {
    if (frames_.is_formula()) return true;
    const std::size_t quote = at_ - 1;
    if (quote == 0 || !is_letter(text_[quote - 1])) return false;
    const bool is_word = quote > 1 && is_letter(text_[quote - 2]);
    return !is_word && (has_latex_ ? !is_small_letter(byte_at(at_)) : byte_at(at_) == '(');
  }

  // A run of superscripts or subscripts of Unicode is one script.
  void take_script_run(bool is_raised) {
    std::string bases;
    auto next = script_character(text_.substr(at_));
    for (; next && next->is_raised == is_raised; next = script_character(text_.substr(at_))) {
      bases += next->base;
      at_ += next->length;
    }
    put_script(is_raised, bases);
    frames_.end_atom();
  }

  void put_script(bool is_raised, std::string_view content) {
    writer_.put(is_raised ? "^" : lowered_sign);
    const FrameKind kind = is_raised ? FrameKind::raised : FrameKind::lowered;
    frames_.push(kind, Opening::brace, writer_.open_bracket(), frames_.is_formula());
    writer_.put(content);
    frames_.close_top();
  }

  // Where the braces end that hold a number, perhaps after white space, at `at`; `nowhere` for others.
  [[nodiscard]] std::size_t end_of_number_in_braces(std::size_t at) const {
    constexpr std::size_t longest = 16;
    while (at < text_.size() && is_gap(text_[at])) ++at;
    const std::string_view rest = text_.substr(std::min(at, text_.size()), longest);
    const std::size_t end = rest.find_first_not_of(" 0123456789", 1);
    const bool is_number = rest.starts_with('{') && end != nowhere && rest[end] == '}' &&
                           std::ranges::any_of(rest.substr(0, end), is_digit);
    return is_number ? at + end + 1 : nowhere;
  }

  // Numbers over each other are those of a nuclide: \underset{0}{1} n, \stackrel{4}{2} He.
  bool take_nuclide(std::string_view command) {
    const std::size_t middle = end_of_number_in_braces(at_);
    const std::size_t end = middle == nowhere ? nowhere : end_of_number_in_braces(middle);
    if (end == nowhere) return false;
    const std::string_view first = number_in(text_.substr(at_, middle - at_));
    const std::string_view second = number_in(text_.substr(middle, end - middle));
    const bool has_lower_first = command == "underset";
    frames_.forget_raised();
    put_script(false, has_lower_first ? first : second);
    put_script(true, has_lower_first ? second : first);
    at_ = end;
    frames_.end_atom();
    return true;
  }

  // --- Characters

  void take_character() {
    const std::string_view rest = text_.substr(at_);
    if (const auto script = script_character(rest)) return take_script_run(script->is_raised);
    const bool may_be_figure = rest[0] == '\xE3' || rest.starts_with("（图");
    if (may_be_figure && !frames_.is_formula() && take_figure_word()) return;
    if (frames_.is_formula() && rest.starts_with("’")) {
      at_ += std::string_view("’").size();
      return frames_.put_prime();
    }
    std::size_t length = 0;
    const std::string_view kept = kept_character(rest, length);
    at_ += length;
    put_atom(kept.empty() ? rest.substr(0, length) : kept);
  }

  // LaTeX's space that keeps words together, but not the sign of 3~5.
  void take_tilde() {
    const bool is_space =
        frames_.is_formula() || (has_latex_ && !(is_word_before(at_) && is_word_behind(at_ + 1)));
    ++at_;
    put_atom(is_space ? " " : "~");
  }

  [[nodiscard]] bool is_word_before(std::size_t at) const {
    return (at > 0 && is_alphanumeric(text_[at - 1])) || (at >= 3 && is_han_lead(text_[at - 3]));
  }

  [[nodiscard]] bool is_word_behind(std::size_t at) const {
    return at < text_.size() && (is_alphanumeric(text_[at]) || is_han_lead(text_[at]));
  }

  // --- Figures

  void take_bracket() {
    if (!frames_.is_formula() && take_figure_word()) return;
    put_atom(text_.substr(at_++, 1));
  }

  // Takes [图] or ![](address).
  bool take_figure_word() {
    const std::string_view rest = text_.substr(at_);
    for (const std::string_view word : figure_words().marks) {
      if (!rest.starts_with(word)) continue;
      at_ += word.size();
      add_figure({});
      return true;
    }
    return rest.starts_with("![") && take_markdown(rest);
  }

  bool take_markdown(std::string_view rest) {
    constexpr std::size_t longest_text = 200;
    constexpr std::size_t longest_address = 2000;
    const std::size_t middle = rest.substr(0, longest_text).find("](");
    if (middle == nowhere) return false;
    const std::string_view address = rest.substr(middle + 2, longest_address);
    const std::size_t end = address.find_first_of("() \n");
    if (end == nowhere || address[end] != ')') return false;
    at_ += middle + 2 + end + 1;
    add_figure(figure_at(address.substr(0, end)));
    return true;
  }

  void take_marked_figure() {
    std::size_t number = 0;
    for (; text_[at_] != mark::close; ++at_)
      number = number * 10 + static_cast<std::size_t>(text_[at_] - '0');
    ++at_;
    add_figure(marked_.figures[number]);
  }

  void add_figure(Figure figure) {
    if (figure_number_ < hashes_.size() && !hashes_[figure_number_].empty()) {
      figure.kind = Figure::Kind::content;
      figure.name = hashes_[figure_number_];
    }
    ++figure_number_;
    const std::size_t begin = writer_.size();
    if (figure.in_place) writer_.put(signs_of(figure));
    if (!figure.in_place && writer_.keeps_spans()) writer_.put(floating_figure);
    writer_.add_span(Span::Kind::figure, begin, result_.figures.size());
    if (figure.in_place) frames_.end_atom();
    result_.figures.push_back(std::move(figure));
  }

  // --- Commands

  void take_command() {
    std::size_t end = at_ + 1;
    while (end < text_.size() && is_letter(text_[end])) ++end;
    if (end == at_ + 1) return take_escaped();
    const std::string_view name = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end;
    result_.has_formulas = true;
    const Command command = find_command(name);
    switch (command.kind) {
      case CommandKind::sign:
        return put_atom(command.text);
      case CommandKind::name:
        return put_name(command.text);
      case CommandKind::space:
        writer_.put(" ");
        return frames_.await_again();
      case CommandKind::nothing:
        return frames_.await_again();
      case CommandKind::above:
      case CommandKind::below:
        if (!take_nuclide(name)) open_label(command.kind);
        return;
      case CommandKind::boxed:
        return frames_.await(FrameKind::boxed, writer_.size());
      case CommandKind::struck:
        return frames_.await(FrameKind::struck, writer_.size());
      case CommandKind::group:
        skip_star();
        return frames_.await(is_upright(name) ? FrameKind::words : FrameKind::group, writer_.size());
      case CommandKind::drop:
        skip_star();
        frames_.await(FrameKind::dropped, writer_.size());
        frames_.top().arguments = command.arguments;
        return;
      case CommandKind::accent:
        return open_accent(command.text);
      case CommandKind::labelled:
        return open_labels(command.text);
      case CommandKind::structure:
        return take_structure(name);
      case CommandKind::unknown:
        return take_unknown(name);
    }
  }

  // What is not known may tell two questions apart, so its name stays.
  void take_unknown(std::string_view name) {
    ++result_.unknown["\\" + std::string(name)];
    writer_.put(unknown_sign);
    put_name(name);
  }

  void put_name(std::string_view name) {
    const std::size_t begin = writer_.size();
    writer_.put(name);
    writer_.add_span(Span::Kind::words, begin);
    if (byte_at(at_) == '{') return frames_.await(FrameKind::group, writer_.size());
    frames_.end_atom();
  }

  // \xrightarrow[below]{above}
  void open_labels(std::string_view sign) {
    writer_.put(sign);
    skip_gaps();
    if (byte_at(at_) != '[') return open_arrow_label();
    ++at_;
    writer_.put(lowered_sign);
    frames_.push(FrameKind::arrow_below, Opening::square, writer_.open_bracket(), true);
  }

  void open_arrow_label() {
    writer_.put("^");
    frames_.await(FrameKind::arrow_above, writer_.open_bracket());
  }

  // \overset{label}{base}
  void open_label(CommandKind kind) {
    const bool is_above = kind == CommandKind::above;
    writer_.reserve(1);
    writer_.put(is_above ? "^" : lowered_sign);
    frames_.await(is_above ? FrameKind::label_above : FrameKind::label_below, writer_.open_bracket());
  }

  void open_accent(std::string_view accent) {
    const std::size_t begin = writer_.size();
    writer_.put(accent);
    frames_.await(FrameKind::base, writer_.open_bracket());
    frames_.top().begin = begin;
  }

  void skip_star() {
    if (byte_at(at_) == '*') ++at_;
  }

  void skip_gaps() {
    while (at_ < text_.size() && is_gap(text_[at_])) ++at_;
  }

  // A backslash with something else than a letter behind it.
  void take_escaped() {
    const char c = byte_at(at_ + 1);
    const std::size_t length = at_ + 1 < text_.size() ? length_at(text_, at_ + 1) : 0;
    if (c == '(') return open_math(Opening::parenthesis, 2);
    if (c == '[') return open_math(Opening::square_bracket, 2);
    if (c == ')' || c == ']') return take_math_end(c == ')' ? Opening::parenthesis : Opening::square_bracket);
    if (mark::is_control(c) || length == 0) {
      ++at_;  // a mark is read by itself
      return;
    }
    if (c == '\\' && is_command_escaped_twice()) {
      ++at_;
      return take_command();
    }
    at_ += 1 + length;
    if (c == '\\') return end_line();
    if (std::string_view(",;:!/-").find(c) != nowhere) return frames_.await_again();
    if (c == '|') return put_atom("‖");
    if (is_digit(c)) writer_.put(unknown_sign);  // 3\2 of plain text
    put_atom(text_.substr(at_ - length, length));
  }

  // "\\frac", as in JSON that was written twice; no line ends right before the name of a command.
  [[nodiscard]] bool is_command_escaped_twice() const {
    const std::size_t shortest = frames_.in_environment() ? 3 : 2;
    std::size_t end = at_ + 2;
    while (end < text_.size() && is_letter(text_[end])) ++end;
    const std::string_view name = text_.substr(at_ + 2, end - at_ - 2);
    return name.size() >= shortest && find_command(name).kind != CommandKind::unknown;
  }

  void take_math_end(Opening by) {
    const bool is_end = frames_.open_formula() == by;
    at_ += is_end ? 2 : 1;
    if (is_end) frames_.close_formula();
  }

  // \\, perhaps with the space that follows it: \\[2pt]
  void end_line() {
    skip_star();
    const std::string_view rest = text_.substr(at_, 12);
    const std::size_t end = rest.find(']');
    if (rest.starts_with("[") && end != nowhere && end > 2 && is_letter(rest[end - 1]) &&
        is_alphanumeric(rest[1])) {
      at_ += end + 1;
    }
    const std::size_t begin = writer_.size();
    if (frames_.in_matrix()) writer_.put(mark::row_border);
    writer_.put("\n");
    if (frames_.in_environment()) writer_.add_span(Span::Kind::next_row, begin);
    frames_.await_again();
  }

  void take_structure(std::string_view name) {
    if (name == "genfrac") return take_genfrac();
    if (name.ends_with("frac")) return open_pair(FrameKind::numerator);
    if (name.ends_with("binom")) return open_pair(FrameKind::upper);
    if (name == "sqrt") return open_root();
    if (name == "left") return take_left();
    if (name == "right") return take_right();
    if (name == "begin") return begin_environment();
    if (name == "end") return end_environment();
    if (name == "not") return take_not();
    if (name == "over") return take_infix(name, FrameKind::numerator);
    if (name == "atop" || name == "choose") return take_infix(name, FrameKind::upper);
    if (name == "circled" || name == "textcircled") {
      writer_.put("(");
      return frames_.await(FrameKind::circled, writer_.size());
    }
    const bool is_raised = name == "sp" || name == "textsuperscript";
    writer_.put(is_raised ? "^" : lowered_sign);
    frames_.await(is_raised ? FrameKind::raised : FrameKind::lowered, writer_.open_bracket());
  }

  // {a \over b}, of all in the braces, in the formula or since \left.
  void take_infix(std::string_view name, FrameKind first) {
    frames_.end_atom();
    while (frames_.is_by(Opening::awaited)) frames_.close_top();
    std::optional<std::size_t> begin = frames_.begin_of_content();
    if (begin && !lefts_.empty()) begin = std::max(*begin, lefts_.back().end);
    if (begin && *begin <= writer_.size() && frames_.split(first, *begin)) return;
    put_atom(std::string(unknown_sign).append(name));
  }

  // \genfrac{left}{right}{thickness}{style}{above}{below}
  void take_genfrac() {
    const std::size_t begin = at_;
    const std::string_view left = take_name();
    const std::string_view right = take_name();
    const std::string_view thickness = take_name();
    take_name();
    const bool has_known_fence = (left.empty() || left == "(") && (right.empty() || right == ")");
    if (!has_known_fence) {
      at_ = begin;
      return take_unknown("genfrac");
    }
    open_pair(is_zero_length(thickness) ? FrameKind::upper : FrameKind::numerator);
  }

  void open_pair(FrameKind first) {
    writer_.put("(");
    frames_.await(first, writer_.open_bracket());
  }

  void open_root() {
    writer_.put("√");
    skip_gaps();
    if (byte_at(at_) != '[') return frames_.await(FrameKind::root, writer_.open_bracket());
    ++at_;
    writer_.put("[");
    frames_.push(FrameKind::degree, Opening::square, writer_.size(), true);
  }

  // The delimiter after \left or \right, empty for a point.
  std::string_view take_delimiter() {
    skip_gaps();
    if (at_ >= text_.size() || mark::is_control(text_[at_])) return {};
    std::size_t begin = at_;
    if (text_[at_] == '\\') {
      std::size_t end = ++begin;
      while (end < text_.size() && is_letter(text_[end])) ++end;
      if (end > begin) {
        at_ = end;
        const std::string_view name = text_.substr(begin, end - begin);
        const Command command = find_command(name);
        return command.kind == CommandKind::unknown ? name : command.text;
      }
      if (begin >= text_.size() || mark::is_control(text_[begin])) return {};
    }
    const std::size_t length = length_at(text_, begin);
    at_ = begin + length;
    const std::string_view written = text_.substr(begin, length);
    return written == "." ? std::string_view() : written;
  }

  void take_left() {
    const std::string_view delimiter = take_delimiter();
    const std::size_t place = writer_.size();
    writer_.put(delimiter);
    lefts_.push_back({place, writer_.size(), delimiter == "{" ? delimiter.size() : 0});
  }

  // A brace without a partner is that of cases, which others write without.
  void take_right() {
    const std::string_view delimiter = take_delimiter();
    if (!lefts_.empty()) {
      const auto [place, end, length] = lefts_.back();
      if (frames_.is_by(Opening::rest) && frames_.top().begin >= end) frames_.close_rest();
      lefts_.pop_back();
      const bool is_there = place < writer_.size() && writer_.content(place).starts_with('{');
      if (delimiter.empty() && is_there && !writer_.keeps_spans()) {
        writer_.fill(place, std::string(length, mark::erased));
      }
    }
    writer_.put(delimiter);
  }

  // A name in braces; empty where there is none.
  std::string_view take_name() {
    constexpr std::size_t longest = 32;
    skip_gaps();
    const std::size_t end = text_.substr(at_, longest).find('}');
    if (byte_at(at_) != '{' || end == nowhere) return {};
    const std::string_view name = text_.substr(at_ + 1, end - 1);
    at_ += end + 1;
    return name;
  }

  void begin_environment() {
    const std::string_view name = take_name();
    const bool is_array = name.starts_with("array") || name.starts_with("tabular");
    if (is_array || name.starts_with("alignat")) skip_columns();
    writer_.put(" ");
    put_fence(name, 0);
    const bool is_matrix = is_array || name.find("matrix") != std::string_view::npos;
    frames_.push(is_matrix ? FrameKind::matrix : FrameKind::environment, Opening::begin, writer_.size(),
                 true);
  }

  // The columns of an array: {|c|*{3}{l}|}
  void skip_columns() {
    constexpr std::size_t longest = 200;
    skip_gaps();
    if (byte_at(at_) != '{') return;
    const std::string_view rest = text_.substr(at_, longest);
    std::size_t depth = 0;
    for (std::size_t i = 0; i < rest.size(); ++i) {
      if (rest[i] == '{') ++depth;
      if (rest[i] == '}' && --depth == 0) {
        at_ += i + 1;
        return;
      }
    }
  }

  void end_environment() {
    const std::string_view name = take_name();
    if (frames_.open_formula() == Opening::begin) frames_.close_formula();
    put_fence(name, 1);
    writer_.put(" ");
  }

  // The brackets that an environment draws by itself: 0 for the first, 1 for the second.
  void put_fence(std::string_view environment, std::size_t side) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 5> fences = {
        {{"cases", "{"}, {"pmatrix", "()"}, {"bmatrix", "[]"}, {"Bmatrix", "{}"}, {"vmatrix", "||"}}};
    const auto* const fence = std::ranges::find(fences, environment, &decltype(fences)::value_type::first);
    const bool is_optional = environment == "cases";  // others write it without
    if (fence == fences.end() || (!writer_.keeps_spans() && is_optional)) return;
    writer_.put(fence->second.substr(side, 1));
  }

  void take_not() {
    const std::string_view sign = take_delimiter();
    put_atom(sign.empty() ? std::string("¬") : std::string(sign) + std::string(negation));
  }

  std::string_view text_;
  const MarkedText& marked_;
  std::span<const std::string> hashes_;
  FormulaWriter writer_;
  ReadText result_;
  std::size_t at_ = 0;
  FormulaFrames frames_{writer_};
  std::vector<Left> lefts_;  // that have no \right yet
  std::size_t figure_number_ = 0;
  bool has_latex_ = false;
  bool doubles_end_ = false;  // no $$ follows
};

}  // namespace

ReadText read_formulas(const MarkedText& marked, std::span<const std::string> image_hashes) {
  return FormulaReader(marked, image_hashes, false).read();
}

DrawnText draw_formulas(const MarkedText& marked, std::span<const std::string> image_hashes) {
  return FormulaReader(marked, image_hashes, true).draw();
}

}  // namespace qdedup::markup
