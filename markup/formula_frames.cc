#include "markup/formula_frames.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "base/ascii.h"
#include "markup/marks.h"
#include "markup/style.h"
#include "markup/visible_text.h"

namespace qdedup::markup {
namespace {

// A character over a base, by what MathML writes it as; empty for what is no accent.
std::string_view accent_of(std::string_view written) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 29> accents = {{
      {"→", "→"},      {"⃗", "→"},       {"←", "←"},      {"¯", "ˉ"},      {"‾", "ˉ"},      {"ˉ", "ˉ"},
      {"_", "ˉ"},      {"―", "ˉ"},      {"^", "ˆ"},      {"ˆ", "ˆ"},      {"~", "˷"},      {"˜", "˷"},
      {"˙", "ˑ"},      {".", "ˑ"},      {"⌢", "⌢"},      {"⇀", "→"},      {"-", "ˉ"},      {"−", "ˉ"},
      {"·", "ˑ"},      {"\u0302", "ˆ"}, {"\u0303", "˷"}, {"\u0304", "ˉ"}, {"\u0305", "ˉ"}, {"\u0307", "ˑ"},
      {"\u0308", "˸"}, {"¨", "˸"},      {"∧", "ˆ"},      {"\u20D6", "←"}, {"↔", "↔"},
  }};
  const auto* const found = std::ranges::find(accents, written, &decltype(accents)::value_type::first);
  return found == accents.end() ? std::string_view() : found->second;
}

// Degrees and primes are no powers: what they are written as, empty for anything else.
std::string unit_or_prime(std::string_view content) {
  constexpr std::string_view prime = "′";
  constexpr std::string_view ring = "∘";
  if (content.starts_with(ring)) return "°" + std::string(content.substr(ring.size()));
  if (content.starts_with("°")) return std::string(content);
  if (content == "o" || content == "。") return "°";
  constexpr std::array<std::string_view, 3> written = {prime, "'", "’"};
  std::string primes;
  for (std::string_view rest = content; !rest.empty();) {
    const std::string_view found = prefix_in(written, rest);
    if (found.empty()) return {};
    rest.remove_prefix(found.size());
    primes += prime;
  }
  return primes;
}

// Nothing, or low lines: what is underlined is to be filled in.
bool is_to_fill_in(std::string_view content) {
  return shows_nothing(content) || content.find_first_not_of("_ \x01") == std::string_view::npos;
}

bool is_math(Opening by) { return by >= Opening::dollar; }

}  // namespace

bool FormulaFrames::in_environment() const {
  return !math_frames_.empty() && frames_[math_frames_.back()].by == Opening::begin;
}

bool FormulaFrames::in_matrix() const {
  return (in_environment() && frames_[math_frames_.back()].kind == FrameKind::matrix) ||
         (!frames_.empty() && frames_.back().kind == FrameKind::matrix);
}

void FormulaFrames::push(FrameKind kind, Opening by, std::size_t place, bool is_formula) {
  if (by == Opening::mark) mark_frames_.push_back(frames_.size());
  if (is_math(by)) math_frames_.push_back(frames_.size());
  const std::size_t sign = kind == FrameKind::root ? radical.size() : 0;
  const bool is_script = kind == FrameKind::raised || kind == FrameKind::lowered;
  if (!is_script) forget_raised();  // {}_1 has a base of its own
  const std::size_t begin =
      kind == FrameKind::lowered ? begin_of_scripts(place - lowered_sign.size(), is_formula) : place - sign;
  frames_.push_back({kind, by, place, is_formula, 0, begin, {}});
}

void FormulaFrames::close_top() {
  const Frame frame = frames_.back();
  frames_.pop_back();
  if (frame.by == Opening::mark) mark_frames_.pop_back();
  if (is_math(frame.by)) math_frames_.pop_back();
  close(frame);
}

void FormulaFrames::end_atom() {
  while (is_by(Opening::single)) close_top();
}

void FormulaFrames::await_again() {
  if (is_by(Opening::single)) frames_.back().by = Opening::awaited;
}

std::optional<Opening> FormulaFrames::open_formula() const {
  if (math_frames_.empty()) return std::nullopt;
  const std::size_t number = math_frames_.back();
  if (!mark_frames_.empty() && mark_frames_.back() > number) return std::nullopt;
  return frames_[number].by;
}

void FormulaFrames::close_formula() {
  const std::size_t number = math_frames_.back();
  while (frames_.size() > number) close_top();
  end_atom();
}

void FormulaFrames::end_marked(bool ends_both) {
  if (mark_frames_.empty()) return;
  const std::size_t number = mark_frames_.back();
  while (frames_.size() > number + 1) close_top();
  const FrameKind kind = frames_.back().kind;
  const bool is_first = kind == FrameKind::numerator || kind == FrameKind::upper ||
                        kind == FrameKind::accented || kind == FrameKind::radicand;
  if (!ends_both && !is_first) return;
  close_top();
  if (ends_both && is_first) close_top();
  if (ends_both) end_atom();
}

void FormulaFrames::close(const Frame& frame) {
  switch (frame.kind) {
    case FrameKind::literal_brace:
      return writer_.put("}");
    case FrameKind::raised:
    case FrameKind::lowered:
      return close_script(frame);
    case FrameKind::numerator:
      close_part(frame, "/");
      return open_second(frame, FrameKind::denominator);
    case FrameKind::upper:
      close_part(frame, " ");
      return open_second(frame, FrameKind::bottom);
    case FrameKind::denominator:
      close_part(frame, ")");
      return writer_.add_span(Span::Kind::fraction, frame.begin);
    case FrameKind::bottom:
      close_part(frame, ")");
      return writer_.add_span(Span::Kind::binomial, frame.begin);
    case FrameKind::degree:
      return close_degree(frame);
    case FrameKind::bracketed:
    case FrameKind::argument:
      return writer_.close_bracket(frame.place);
    case FrameKind::root:
      return close_root(frame);
    case FrameKind::base:
      close_part(frame, "");
      return writer_.add_span(Span::Kind::accent, frame.begin);
    case FrameKind::label_above:
    case FrameKind::label_below:
      return close_label(frame);
    case FrameKind::labelled:
      return close_labelled(frame);
    case FrameKind::arrow_above:
    case FrameKind::arrow_below:
      return close_arrow_label(frame);
    case FrameKind::drawn:
      return close_drawn(frame);
    case FrameKind::circled:
    case FrameKind::later_argument:
      return writer_.put(")");
    case FrameKind::dropped:
      return close_dropped(frame);
    case FrameKind::gap:
      close_dropped(frame);
      return writer_.end_number();
    case FrameKind::accented:
      return open_late(frame, FrameKind::accent, 2);
    case FrameKind::accent:
      return close_accent(frame);
    case FrameKind::radicand:
      return open_late(frame, FrameKind::late_degree, 0);
    case FrameKind::late_degree:
      return close_late_degree(frame);
    case FrameKind::words:
      return writer_.add_span(Span::Kind::words, frame.place);
    case FrameKind::formula:
      return writer_.add_span(Span::Kind::formula, frame.place);
    case FrameKind::environment:
    case FrameKind::matrix:
      writer_.add_span(Span::Kind::environment, frame.place);
      return writer_.put(frame.ending);
    case FrameKind::table:
      return writer_.add_span(Span::Kind::table, frame.place);
    case FrameKind::row:
      return writer_.add_span(Span::Kind::row, frame.place);
    case FrameKind::cell:
      return writer_.add_span(Span::Kind::cell, frame.place);
    case FrameKind::group:
      return;
  }
}

// Ends what is bracketed unless it is single.
void FormulaFrames::end_argument(const Frame& frame) {
  writer_.add_span(Span::Kind::argument, frame.place + 1);
  writer_.close_bracket(frame.place);
}

// The same, and writes what follows it.
void FormulaFrames::close_part(const Frame& frame, std::string_view end) {
  end_argument(frame);
  writer_.put(end);
}

void FormulaFrames::close_degree(const Frame& frame) {
  writer_.add_span(Span::Kind::argument, frame.place);
  writer_.put("]");
  await(FrameKind::root, writer_.open_bracket());
  frames_.back().begin = frame.place - radical.size() - 1;
}

void FormulaFrames::close_root(const Frame& frame) {
  end_argument(frame);
  const bool has_degree = frame.begin + radical.size() < frame.place;
  writer_.add_span(has_degree ? Span::Kind::nth_root : Span::Kind::root, frame.begin);
}

// The denominator is opened as the numerator was.
void FormulaFrames::open_second(const Frame& first, FrameKind kind) {
  const bool is_as_first = first.by == Opening::mark || first.by == Opening::rest;
  const Opening by = is_as_first ? first.by : Opening::awaited;
  push(kind, by, writer_.open_bracket(), is_formula());
  frames_.back().begin = first.place - 1;
}

// Opens what stands behind the first half here and belongs before it, or over it; `reserved` bytes are kept
// free.
void FormulaFrames::open_late(const Frame& first, FrameKind kind, std::size_t reserved) {
  end_argument(first);
  first_places_.push_back(first.place);
  push(kind, Opening::mark, writer_.reserve(reserved), is_formula());
  if (kind == FrameKind::late_degree) writer_.put("[");
}

std::size_t FormulaFrames::take_first_place() {
  const std::size_t place = first_places_.back();
  first_places_.pop_back();
  return place;
}

void FormulaFrames::close_late_degree(const Frame& frame) {
  writer_.add_span(Span::Kind::argument, frame.place + 1);
  writer_.put("]");
  const std::size_t first = take_first_place();
  if (writer_.move_to(first, frame.place)) {
    writer_.add_span(Span::Kind::nth_root, first - radical.size());
  }
  writer_.end_number();
}

void FormulaFrames::close_script(const Frame& frame) {
  constexpr std::size_t longest_unit = 12;
  const std::string_view content = writer_.content(frame.place);
  const std::size_t sign = frame.kind == FrameKind::raised ? 1 : lowered_sign.size();
  if (content.size() <= longest_unit && shows_nothing(content)) {
    if (frame.begin < frame.place - sign) last_raised_ = {frame.begin, frame.place - sign};
    return writer_.fill(frame.place - sign, std::string(sign, mark::erased));
  }
  if (is_charge_of_raised(frame, content))
    return writer_.fill(frame.place - sign, std::string(sign, mark::erased));
  if (frame.kind == FrameKind::raised && content.size() <= longest_unit) {
    if (const std::string own = unit_or_prime(content); !own.empty()) {
      const std::size_t begin = frame.place - sign;
      writer_.cut(begin);
      writer_.put(own);
      return own.starts_with("°") ? forget_raised() : note_raised(begin);
    }
  }
  end_argument(frame);
  const bool is_raised = frame.kind == FrameKind::raised;
  writer_.add_span(is_raised ? Span::Kind::raised : Span::Kind::lowered, frame.place - sign);
  if (is_raised) return note_raised(frame.place - sign);
  if (frame.begin < frame.place - sign) writer_.move_to(frame.begin, frame.place - sign);
}

void FormulaFrames::put_atom(std::string_view text) {
  writer_.put(text);
  end_atom();
}

void FormulaFrames::put_prime() {
  const std::size_t begin = last_raised_.end == writer_.size() ? last_raised_.begin : writer_.size();
  writer_.put("′");
  note_raised(begin);
  end_atom();
}

void FormulaFrames::put_script(bool is_raised, std::string_view content) {
  writer_.put(is_raised ? "^" : lowered_sign);
  push(is_raised ? FrameKind::raised : FrameKind::lowered, Opening::brace, writer_.open_bracket(),
       is_formula());
  writer_.put(content);
  close_top();
}

// Where the lowered belongs that begins at `lowered`: before what is raised right before it, once for each
// that is.
std::size_t FormulaFrames::begin_of_scripts(std::size_t lowered, bool is_formula) {
  if (last_raised_.end == 0 || !writer_.is_empty(last_raised_.end, lowered, is_formula)) return lowered;
  return std::exchange(last_raised_, {}).begin;
}

// Mg^{2^{+}}: the sign of a charge that is raised once more than its number.
bool FormulaFrames::is_charge_of_raised(const Frame& frame, std::string_view content) const {
  if (frame.kind != FrameKind::raised || (content != "+" && content != "-")) return false;
  if (frames_.empty() || frames_.back().kind != FrameKind::raised) return false;
  const std::string_view outer = writer_.content(frames_.back().place);
  const std::size_t digits = outer.find_first_not_of("0123456789");
  return digits != std::string_view::npos && digits > 0 && outer[digits] == '^';
}

void FormulaFrames::close_dropped(const Frame& frame) {
  writer_.cut(frame.place);
  forget_raised();
  if (frame.arguments < 2) return;
  await(FrameKind::dropped, writer_.size());
  frames_.back().arguments = frame.arguments - 1;
}

// What stands over the base is an accent, which is written before it, or else like what is raised. Three
// bytes before the base are kept free for the former, two behind it for the latter.
void FormulaFrames::close_accent(const Frame& frame) {
  const std::size_t base = take_first_place();
  const std::string_view over = writer_.content(frame.place);
  if (const std::string_view sign = accent_of(over); !sign.empty()) {
    writer_.cut(frame.place);
    forget_raised();
    writer_.fill(base - 3, sign);
    writer_.end_number();
    return writer_.add_span(Span::Kind::accent, base - 3);
  }
  if (over.empty()) return writer_.end_number();
  writer_.add_span(Span::Kind::argument, frame.place + 2);
  writer_.fill(frame.place, "^");
  writer_.close_bracket(frame.place + 1);
  writer_.add_span(Span::Kind::over, base);
}

// An accent is written before its base. Any other label belongs behind it, but for Chinese, which stays.
void FormulaFrames::close_label(const Frame& frame) {
  const std::string_view label = writer_.content(frame.place);
  const std::size_t sign = frame.kind == FrameKind::label_above ? 1 : lowered_sign.size();
  const std::size_t begin = frame.place - sign;
  if (const std::string_view accent = accent_of(label);
      frame.kind == FrameKind::label_above && !accent.empty()) {
    writer_.cut(begin);
    forget_raised();
    writer_.put(accent);
    await(FrameKind::base, writer_.open_bracket());
    frames_.back().begin = begin;
    return;
  }
  if (label.empty() || has_han(label)) {
    writer_.fill(begin, std::string(sign, mark::erased));
    return await(FrameKind::group, writer_.size());
  }
  end_argument(frame);
  writer_.add_span(frame.kind == FrameKind::label_above ? Span::Kind::raised : Span::Kind::lowered, begin);
  await(FrameKind::labelled, writer_.size());
  frames_.back().begin = begin;
}

void FormulaFrames::close_labelled(const Frame& frame) {
  constexpr std::string_view digits = "0123456789";
  const std::string_view base = writer_.content(frame.place);
  const bool is_number = !base.empty() && digits.find(base[0]) != std::string_view::npos;
  if (!writer_.move_to(frame.begin, frame.place)) return;
  if (is_number) writer_.fill(frame.begin - 1, " ");  // 3\underset{a}{1} is not 31
}

void FormulaFrames::close_arrow_label(const Frame& frame) {
  const bool is_above = frame.kind == FrameKind::arrow_above;
  const std::size_t sign = is_above ? 1 : lowered_sign.size();
  const std::string_view label = writer_.content(frame.place);
  if (label.empty() || has_han(label)) {
    writer_.fill(frame.place - sign, std::string(sign, mark::erased));
  } else {
    end_argument(frame);
    writer_.add_span(is_above ? Span::Kind::raised : Span::Kind::lowered, frame.place - sign);
  }
}

void FormulaFrames::close_drawn(const Frame& frame) {
  constexpr std::size_t nearness = 1024;
  const std::string_view content = writer_.content(frame.place);
  if (is_to_fill_in(content.substr(0, nearness))) {
    writer_.put(drawn::on_nothing(frame.ending));
  } else {
    const bool has_several = content.size() > nearness || has_several_characters(content);
    std::size_t end = writer_.size();  // of what is drawn on, without white space
    while (writer_.is_empty(end - 1, end, true)) --end;
    const bool has_gap = end < writer_.size();
    writer_.cut(end);
    if (has_several && !writer_.keeps_spans())
      writer_.fill(frame.place - mark::drawn_begin.size(), mark::drawn_begin);
    writer_.put(frame.ending);
    if (has_gap) writer_.put(" ");
  }
  writer_.end_number();
}

std::optional<std::size_t> FormulaFrames::begin_of_content() const {
  if (frames_.empty()) return std::nullopt;
  const Frame& frame = frames_.back();
  if (frame.by != Opening::brace && frame.kind != FrameKind::formula) return std::nullopt;
  switch (frame.kind) {
    case FrameKind::raised:
    case FrameKind::lowered:
    case FrameKind::numerator:
    case FrameKind::denominator:
    case FrameKind::upper:
    case FrameKind::bottom:
    case FrameKind::root:
    case FrameKind::base:
    case FrameKind::label_above:
    case FrameKind::label_below:
    case FrameKind::arrow_above:
    case FrameKind::arrow_below:
      return frame.place + 1;  // after a bracket
    default:
      return frame.place;
  }
}

bool FormulaFrames::split(FrameKind first, std::size_t place) {
  constexpr std::size_t brackets = 2;
  if (!writer_.make_room(place, brackets)) return false;
  writer_.fill(place, "(");
  const Frame part{first, Opening::rest, place + 1, true};
  close(part);
  return true;
}

void FormulaFrames::close_rest() {
  while (is_by(Opening::rest)) close_top();
}

}  // namespace qdedup::markup
