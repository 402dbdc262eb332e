#include "markup/latex_reader.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "base/ascii.h"
#include "markup/marks.h"
#include "markup/style.h"

namespace qdedup::markup {
namespace {

constexpr std::string_view unknown_sign = "∖";     // before the name of a command without a rule
constexpr std::string_view negation = "\xCC\xB8";  // U+0338: NFKC makes one sign of = and it

// {|cc|}, as determinants are written: {|c|c|}, and what has a line above, is a table.
bool is_determinant(std::string_view columns, std::string_view content) {
  constexpr std::size_t shortest = 4;
  if (columns.size() < shortest || !columns.starts_with('|') || !columns.ends_with('|')) return false;
  columns = columns.substr(1, columns.size() - 2);
  return columns.find_first_not_of("lcr ") == std::string_view::npos && !content.starts_with("\\hline");
}

// The brackets that an environment draws by itself.
std::pair<std::string_view, std::string_view> fence_of(std::string_view environment) {
  using Fence = std::pair<std::string_view, std::string_view>;
  constexpr std::array<std::pair<std::string_view, Fence>, 6> fences = {{{"cases", {"{", ""}},
                                                                         {"pmatrix", {"(", ")"}},
                                                                         {"bmatrix", {"[", "]"}},
                                                                         {"Bmatrix", {"{", "}"}},
                                                                         {"vmatrix", {"|", "|"}},
                                                                         {"Vmatrix", {"‖", "‖"}}}};
  const auto* const found = std::ranges::find(fences, environment, &decltype(fences)::value_type::first);
  return found == fences.end() ? Fence() : found->second;
}

bool is_upright(std::string_view command) {
  constexpr std::array<std::string_view, 5> begins = {"text", "mathrm", "operatorname", "hbox", "mbox"};
  return std::ranges::any_of(begins, [command](auto begin) { return command.starts_with(begin); });
}

}  // namespace

void LatexReader::take_dollar() {
  const bool is_double = text_.next(1) == '$';
  const std::optional<Opening> by = frames_.open_formula();
  if (by == Opening::dollar || (by == Opening::dollars && is_double)) {
    text_.skip(by == Opening::dollars ? 2 : 1);
    return frames_.close_formula();
  }
  if (by != Opening::dollars) {
    if (is_double && text_.has_double_end()) return open_math(Opening::dollars, 2);
    if (!is_double && text_.has_single_end()) return open_math(Opening::dollar, 1);
  }
  frames_.put_atom(text_.take(1));
}

void LatexReader::open_math(Opening by, std::size_t length) {
  text_.skip(length);
  result_.has_formulas = true;
  frames_.push(FrameKind::formula, by, writer_.size(), true);
}

void LatexReader::take_command() {
  const std::string_view name = text_.letters(1);
  if (name.empty()) return take_escaped();
  text_.skip(1 + name.size());
  take_named(name);
}

bool LatexReader::take_bare_command() {
  const std::string_view name = text_.bare_command();
  if (name.empty() || !writer_.ends_with(name)) return false;  // a command before it took its first letters
  writer_.cut(writer_.size() - name.size());
  take_named(name);
  return true;
}

void LatexReader::take_named(std::string_view name) {
  result_.has_formulas = true;
  const Command command = find_command(name);
  switch (command.kind) {
    case CommandKind::sign:
      return frames_.put_atom(command.text);
    case CommandKind::name:
      return put_name(command.text, FrameKind::group);
    case CommandKind::space:
      writer_.put(" ");
      return frames_.await_again();
    case CommandKind::nothing:
      return frames_.await_again();
    case CommandKind::above:
    case CommandKind::below:
      if (!take_nuclide(name)) open_label(command.kind);
      return;
    case CommandKind::drawn:
      return open_drawn(command.text);
    case CommandKind::group:
      text_.skip_star();
      return frames_.await(is_upright(name) ? FrameKind::words : FrameKind::group, writer_.size());
    case CommandKind::drop:
      text_.skip_star();
      frames_.await(FrameKind::dropped, writer_.size());
      frames_.top().arguments = command.arguments;
      return;
    case CommandKind::gap:
      text_.skip_star();
      return frames_.await(FrameKind::gap, writer_.size());
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

// A backslash with something else than a letter behind it.
void LatexReader::take_escaped() {
  const char c = text_.next(1);
  const std::size_t length = text_.length(1);
  if (c == '(') return open_math(Opening::parenthesis, 2);
  if (c == '[') return open_math(Opening::square_bracket, 2);
  if (c == ')' || c == ']') return take_math_end(c == ')' ? Opening::parenthesis : Opening::square_bracket);
  if (mark::is_control(c) || length == 0) return text_.skip(1);  // a mark is read by itself
  if (c == '\\' && is_command_escaped_twice()) {
    text_.skip(1);
    return take_command();
  }
  const bool is_nothing = c == '/' && text_.is_in_dash();
  text_.skip(1);
  const std::string_view character = text_.take(length);
  if (is_nothing) return;
  if (c == '\\') return end_line();
  if (is_space(c)) return take_space(c);
  if (c == '|') return frames_.put_atom("‖");
  if (is_digit(c)) writer_.put(unknown_sign);  // 3\2 of plain text
  frames_.put_atom(character);
}

// Without LaTeX "\;" and the like are escapes of other languages, as "\/" and "\-" are everywhere.
bool LatexReader::is_space(char escaped) {
  constexpr std::string_view in_latex = ";:!";
  if (in_latex.find(escaped) == std::string_view::npos) return escaped == ',';
  return frames_.is_formula() || text_.is_latex();
}

// 3\,000 is one number, 3\,12 and 3\;000 are two; \! takes space away.
void LatexReader::take_space(char escaped) {
  const bool joins = escaped == '!' || (escaped == ',' && text_.is_thousands());
  if (!joins) writer_.end_number();
  frames_.await_again();
}

// "\\frac", as in JSON that was written twice; no line ends right before the name of a command.
bool LatexReader::is_command_escaped_twice() const {
  const std::size_t shortest = frames_.in_environment() ? 3 : 2;
  const std::string_view name = text_.letters(2);
  return name.size() >= shortest && find_command(name).kind != CommandKind::unknown;
}

void LatexReader::take_math_end(Opening by) {
  const bool is_end = frames_.open_formula() == by;
  text_.skip(is_end ? 2 : 1);
  if (is_end) frames_.close_formula();
}

void LatexReader::end_line() {
  text_.skip_star();
  text_.skip_leading();
  const std::size_t begin = writer_.size();
  if (frames_.in_matrix()) writer_.put(mark::row_border);
  writer_.put("\n");
  if (frames_.in_environment()) writer_.add_span(Span::Kind::next_row, begin);
  frames_.await_again();
}

// What is not known may tell two questions apart, so its name stays.
void LatexReader::take_unknown(std::string_view name) {
  ++result_.unknown["\\" + std::string(name)];
  writer_.put(unknown_sign);
  put_name(name, FrameKind::argument);
}

void LatexReader::put_name(std::string_view name, FrameKind argument) {
  const std::size_t begin = writer_.size();
  writer_.put(name);
  writer_.add_span(Span::Kind::words, begin);
  if (text_.next() == '{') return frames_.await(argument, writer_.open_bracket());
  frames_.end_atom();
}

void LatexReader::open_drawn(std::string_view drawn) {
  writer_.reserve(mark::drawn_begin.size());
  frames_.await(FrameKind::drawn, writer_.size());
  frames_.top().ending = drawn;
}

// Numbers over each other are those of a nuclide: \underset{0}{1} n, \stackrel{4}{2} He.
bool LatexReader::take_nuclide(std::string_view command) {
  const auto numbers = text_.take_numbers();
  if (!numbers) return false;
  const auto [first, second] = *numbers;
  const bool has_lower_first = command == "underset";
  frames_.forget_raised();
  frames_.put_script(false, has_lower_first ? first : second);
  frames_.put_script(true, has_lower_first ? second : first);
  frames_.end_atom();
  return true;
}

// \overset{label}{base}
void LatexReader::open_label(CommandKind kind) {
  const bool is_above = kind == CommandKind::above;
  writer_.reserve(1);
  writer_.put(is_above ? "^" : lowered_sign);
  frames_.await(is_above ? FrameKind::label_above : FrameKind::label_below, writer_.open_bracket());
}

// \xrightarrow[below]{above}
void LatexReader::open_labels(std::string_view sign) {
  writer_.put(sign);
  text_.skip_gaps();
  if (text_.next() != '[') return open_arrow_label();
  text_.skip(1);
  writer_.put(lowered_sign);
  frames_.push(FrameKind::arrow_below, Opening::square, writer_.open_bracket(), true);
}

void LatexReader::open_arrow_label() {
  writer_.put("^");
  frames_.await(FrameKind::arrow_above, writer_.open_bracket());
}

void LatexReader::open_accent(std::string_view accent) {
  const std::size_t begin = writer_.size();
  writer_.put(accent);
  frames_.await(FrameKind::base, writer_.open_bracket());
  frames_.top().begin = begin;
}

void LatexReader::take_structure(std::string_view name) {
  if (name == "genfrac") return take_genfrac();
  if (name.ends_with("frac")) return open_pair(FrameKind::numerator);
  if (name.ends_with("binom")) return open_pair(FrameKind::upper);
  if (name.ends_with("matrix") || name == "cases" || name == "substack") return open_matrix(name);
  if (name == "cr") return end_line();
  if (name == "sqrt") return open_root();
  if (name == "left") return take_left();
  if (name == "right") return take_right();
  if (name == "begin") return begin_environment();
  if (name == "end") return end_environment();
  if (name == "not") return take_not();
  if (name == "over") return take_infix(name, FrameKind::numerator);
  if (name == "atop" || name == "choose") return take_infix(name, FrameKind::upper);
  if (name == "ding") return take_ding();
  if (name == "circled" || name == "textcircled") {
    writer_.put("(");
    return frames_.await(FrameKind::circled, writer_.size());
  }
  const bool is_raised = name == "sp" || name == "textsuperscript";
  writer_.put(is_raised ? "^" : lowered_sign);
  frames_.await(is_raised ? FrameKind::raised : FrameKind::lowered, writer_.open_bracket());
}

// \ding{172} is ①: four rows of ten circled numbers.
void LatexReader::take_ding() {
  const FormulaText begin = text_;
  const std::string_view code = text_.take_name();
  if (code.size() == 3 && code >= "172" && code <= "211" && std::ranges::all_of(code, is_digit)) {
    const int last = code.back() - '0';
    return frames_.put_atom("(" + std::to_string(last < 2 ? last + 9 : last - 1) + ")");
  }
  text_ = begin;
  take_unknown("ding");
}

// {a \over b}, of all in the braces, in the formula or since \left.
void LatexReader::take_infix(std::string_view name, FrameKind first) {
  frames_.end_atom();
  while (frames_.is_by(Opening::awaited)) frames_.close_top();
  std::optional<std::size_t> begin = frames_.begin_of_content();
  if (begin && !lefts_.empty()) begin = std::max(*begin, lefts_.back().end);
  if (begin && *begin <= writer_.size() && frames_.split(first, *begin)) return;
  frames_.put_atom(std::string(unknown_sign).append(name));
}

// \genfrac{left}{right}{thickness}{style}{above}{below}
void LatexReader::take_genfrac() {
  const FormulaText begin = text_;
  const std::string_view left = text_.take_name();
  const std::string_view right = text_.take_name();
  const std::string_view thickness = text_.take_name();
  text_.take_name();
  const bool has_known_fence = (left.empty() || left == "(") && (right.empty() || right == ")");
  if (!has_known_fence) {
    text_ = begin;
    return take_unknown("genfrac");
  }
  open_pair(is_zero_length(thickness) ? FrameKind::upper : FrameKind::numerator);
}

void LatexReader::open_pair(FrameKind first) {
  writer_.put("(");
  frames_.await(first, writer_.open_bracket());
}

void LatexReader::open_root() {
  writer_.put("√");
  text_.skip_gaps();
  if (text_.next() != '[') return frames_.await(FrameKind::root, writer_.open_bracket());
  text_.skip(1);
  writer_.put("[");
  frames_.push(FrameKind::degree, Opening::square, writer_.size(), true);
}

// The delimiter after \left or \right, empty for a point.
std::string_view LatexReader::take_delimiter() {
  text_.skip_gaps();
  if (text_.at_end() || mark::is_control(text_.next())) return {};
  if (text_.next() == '\\') {
    if (const std::string_view name = text_.letters(1); !name.empty()) {
      text_.skip(1 + name.size());
      const Command command = find_command(name);
      return command.kind == CommandKind::unknown ? name : command.text;
    }
    if (text_.length(1) == 0 || mark::is_control(text_.next(1))) return {};
    text_.skip(1);
    if (text_.next() == '|') {
      text_.skip(1);
      return "‖";
    }
  }
  const std::string_view written = text_.take(text_.length());
  return written == "." ? std::string_view() : written;
}

void LatexReader::take_left() {
  const std::string_view delimiter = take_delimiter();
  const std::size_t place = writer_.size();
  writer_.put(delimiter);
  lefts_.push_back({place, writer_.size(), delimiter == "{" ? delimiter.size() : 0});
}

// A brace without a partner is that of cases, which others write without.
void LatexReader::take_right() {
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

void LatexReader::begin_environment() {
  const std::string_view name = text_.take_name();
  const bool is_array = name.starts_with("array") || name.starts_with("tabular");
  std::string_view columns;
  if (is_array || name.starts_with("alignat")) columns = text_.take_columns();
  writer_.put(" ");
  text_.skip_gaps();
  const bool has_bars = name == "array" && is_determinant(columns, text_.rest());
  const auto has = [name](std::string_view word) { return name.find(word) != std::string_view::npos; };
  const bool is_matrix = is_array || has("matrix") || has("cases");
  open_cells(has_bars ? "vmatrix" : name, is_matrix ? FrameKind::matrix : FrameKind::environment,
             Opening::begin);
}

void LatexReader::open_cells(std::string_view environment, FrameKind kind, Opening by) {
  const auto [opening, closing] = fence_of(environment);
  // Others write cases without, so it is only drawn.
  if (!closing.empty() || writer_.keeps_spans()) writer_.put(opening);
  frames_.push(kind, by, writer_.size(), true);
  frames_.top().ending = closing;
}

// \matrix{1&2\cr3&4}
void LatexReader::open_matrix(std::string_view name) {
  text_.skip_gaps();
  if (text_.next() != '{') return take_unknown(name);
  text_.skip(1);
  open_cells(name, FrameKind::matrix, Opening::brace);
}

void LatexReader::end_environment() {
  text_.take_name();
  if (frames_.open_formula() == Opening::begin) frames_.close_formula();
  writer_.put(" ");
}

void LatexReader::take_not() {
  const std::string_view sign = take_delimiter();
  frames_.put_atom(sign.empty() ? std::string("¬") : std::string(sign) + std::string(negation));
}

}  // namespace qdedup::markup
