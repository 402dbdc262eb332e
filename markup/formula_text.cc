#include "markup/formula_text.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/ascii.h"
#include "base/utf8.h"
#include "markup/byte_set.h"
#include "markup/marks.h"
#include "markup/tables.h"
#include "refine/unicode.h"

namespace qdedup::markup {
namespace {

constexpr std::size_t nowhere = std::string_view::npos;

// Does a Han character of the blocks that are in use begin with it?
bool is_han_lead(char c) {
  return static_cast<unsigned char>(c) >= 0xE4 && static_cast<unsigned char>(c) <= 0xE9;
}

std::string_view number_in(std::string_view text) {
  constexpr std::string_view digits = "0123456789";
  const std::size_t begin = std::min(text.find_first_of(digits), text.size());
  return text.substr(begin, text.find_last_of(digits) + 1 - begin);
}

constexpr ByteSet latex_bytes("\\$\x0F");

// Bytes that may begin something else than plain text.
constexpr ByteSet special_bytes = [] {
  ByteSet special("\\{}$^_~&'[]!\xC2\xC3\xC7\xCA\xCB\xCE\xE1\xE2\xE3\xEF\xF0");
  for (char c = 0; c < 0x20; ++c) special.add(c);
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

std::size_t length_at(std::string_view text, std::size_t at) {
  std::size_t end = at + 1;
  while (end < text.size() && continues_character(text[end])) ++end;
  return end - at;
}

// Does the text end with a letter, Latin or Greek, a digit or a bracket?
bool is_base(std::string_view text) {
  if (text.empty()) return false;
  const char last = text.back();
  const char lead = text.size() > 1 ? text[text.size() - 2] : ' ';
  return is_alphanumeric(last) || last == ')' || last == '}' || text.ends_with("∁") || lead == '\xCE' ||
         lead == '\xCF';
}

// What stands beside a tilde.
enum class Side : std::uint8_t { nothing, word, formula, operand };

// The last character of `text`, or the first one.
Side side_of(std::string_view text, bool is_last) {
  if (text.empty()) return Side::nothing;
  const char byte = is_last ? text.back() : text[0];
  const std::string_view operands = is_last ? ")%" : "(-+";
  if (is_digit(byte) || operands.find(byte) != nowhere) return Side::operand;
  if (byte == '$') return Side::formula;
  if (static_cast<unsigned char>(byte) < 0x80) return is_letter(byte) ? Side::word : Side::nothing;
  const char lead = is_last ? text[0] : byte;
  if (is_han_lead(lead)) return Side::word;
  const std::string_view bracket = is_last ? "）" : "（";
  const bool is_punctuation = lead == '\xE3' || text.starts_with("\xEF\xBC") || text.starts_with("\xE2\x80");
  return is_punctuation && text != bracket ? Side::nothing : Side::operand;
}

std::string_view letters_at(std::string_view text, std::size_t at) {
  const std::string_view rest = text.substr(std::min(at, text.size()));
  return rest.substr(0, static_cast<std::size_t>(std::ranges::find_if_not(rest, is_letter) - rest.begin()));
}

bool holds_latex(std::string_view text) {
  for (std::size_t at = latex_bytes.find_in(text); at < text.size(); at = latex_bytes.find_in(text, at + 1)) {
    if (text[at] != '\\' || find_command(letters_at(text, at + 1)).kind != CommandKind::unknown) return true;
  }
  return false;
}

}  // namespace

FormulaText::FormulaText(std::string_view text)
    : text_(text), has_latex_(latex_bytes.find_in(text) < text.size()) {}

std::size_t FormulaText::length(std::size_t ahead) const {
  return at_ + ahead < text_.size() ? length_at(text_, at_ + ahead) : 0;
}

std::string_view FormulaText::letters(std::size_t ahead) const { return letters_at(text_, at_ + ahead); }

bool FormulaText::is_latex() {
  if (!is_latex_) is_latex_ = holds_latex(text_);
  return *is_latex_;
}

bool FormulaText::is_special(std::size_t at) const {
  if (is_white_space(text_[at])) return text_[at] != ' ' && is_letter(byte_at(at + 1));
  return special_bytes.has(text_[at]) && !is_plain_punctuation(text_.substr(at, 3));
}

bool FormulaText::is_power() const {
  return is_alphanumeric(next(1)) || std::string_view("{\\-+").find(next(1)) != nowhere;
}

bool FormulaText::is_index() const {
  const char script = next(1);
  std::size_t base = at_;
  while (script == '{' && base > 0 && text_[base - 1] == ' ') --base;
  return is_base(text_.substr(0, base)) && (is_alphanumeric(script) || script == '{' || script == '\\');
}

bool FormulaText::is_prime() const {
  if (at_ == 0 || !is_letter(text_[at_ - 1])) return false;
  const bool is_word = at_ > 1 && is_letter(text_[at_ - 2]);
  return !is_word && (has_latex_ ? !is_small_letter(next(1)) : next(1) == '(');
}

// Between operands and between words stands the sign; a formula is tied to a word, and to a line that is to
// be filled in.
bool FormulaText::is_tied_space() const {
  if (!has_latex_) return false;
  const Side before = side_of(text_.substr(0, at_).substr(at_ - std::min<std::size_t>(at_, 3)), true);
  const std::string_view rest = text_.substr(at_ + 1, 4);
  const Side behind = side_of(rest.substr(0, 3), false);
  if (before == Side::nothing || behind == Side::nothing) return true;
  const bool is_before_line = behind == Side::formula && rest.find("\\u") != nowhere;
  return is_before_line || (before != behind && before != Side::operand && behind != Side::operand);
}

bool FormulaText::is_thousands() const {
  constexpr std::size_t digits = 3;
  return std::ranges::all_of(rest().substr(0, digits), is_digit) && is_digit(next(digits - 1)) &&
         !is_digit(next(digits));
}

bool FormulaText::is_in_dash() const { return at_ > 0 && text_[at_ - 1] == '-' && next(2) == '-'; }

// sin{x}, as bare LaTeX that has lost a backslash.
bool FormulaText::follows_function() const {
  constexpr std::array<std::string_view, 7> functions = {"sin", "cos", "tan", "cot", "log", "lg", "ln"};
  std::string_view before = text_.substr(0, at_);
  if (const std::size_t power = before.size() - std::min<std::size_t>(before.size(), 2);
      before.substr(power).starts_with('^')) {
    before = before.substr(0, power);
  }
  return std::ranges::any_of(functions, [before](auto function) { return before.ends_with(function); });
}

std::string_view FormulaText::bare_command() const {
  constexpr std::size_t longest = 24;
  constexpr std::array<std::string_view, 4> endings = {"dfrac", "tfrac", "frac", "sqrt"};
  std::size_t begin = at_;
  while (begin > 0 && at_ - begin < longest && is_letter(text_[begin - 1])) --begin;
  const char before = begin > 0 ? text_[begin - 1] : ' ';
  if (begin == at_ || before == '\\' || before == '^' || before == '_') return {};
  const std::string_view name = text_.substr(begin, at_ - begin);
  if (next() == '[') return name.ends_with("sqrt") ? name.substr(name.size() - 4) : std::string_view();
  const CommandKind kind = find_command(name).kind;
  if (kind == CommandKind::accent || kind == CommandKind::drawn) return name;
  const auto* const ending =
      std::ranges::find_if(endings, [name](std::string_view one) { return name.ends_with(one); });
  return ending == endings.end() ? std::string_view() : *ending;
}

// Money is not in a formula: no digit follows its end, but for one that begins with a command, and its
// Chinese, if any, is in brackets or a script.
bool FormulaText::has_single_end() const {
  std::size_t depth = 0;
  for (std::size_t at = at_ + 1; at < text_.size(); ++at) {
    const char c = text_[at];
    if (c == '\\') {
      ++at;
    } else if (c == '$') {
      return at > at_ + 1 && (text_[at_ + 1] == '\\' || !is_digit(byte_at(at + 1)));
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

bool FormulaText::has_double_end() {
  if (!doubles_end_) doubles_end_ = text_.find("$$", at_ + 2) == nowhere;
  return !doubles_end_;
}

void FormulaText::skip_gaps() {
  while (at_ < text_.size() && is_white_space(text_[at_])) ++at_;
}

void FormulaText::skip_star() {
  if (next() == '*') ++at_;
}

void FormulaText::skip_word() {
  while (at_ < text_.size() && (text_[at_] == '_' || is_letter(text_[at_]))) ++at_;
}

std::string_view FormulaText::take_columns() {
  constexpr std::size_t longest = 200;
  skip_gaps();
  if (next() != '{') return {};
  const std::string_view columns = text_.substr(at_, longest);
  std::size_t depth = 0;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i] == '{') ++depth;
    if (columns[i] == '}' && --depth == 0) return take(i + 1).substr(1, i - 1);
  }
  return {};
}

void FormulaText::skip_leading() {
  const std::string_view leading = text_.substr(at_, 12);
  const std::size_t end = leading.find(']');
  if (leading.starts_with("[") && end != nowhere && end > 2 && is_letter(leading[end - 1]) &&
      is_alphanumeric(leading[1])) {
    at_ += end + 1;
  }
}

std::string_view FormulaText::take(std::size_t bytes) {
  const std::string_view taken = text_.substr(at_, bytes);
  at_ += taken.size();
  return taken;
}

std::string_view FormulaText::take_plain() {
  std::size_t end = special_bytes.find_in(text_, at_ + 1);
  while (end < text_.size() && !is_special(end)) end = special_bytes.find_in(text_, end + 1);
  return take(end - at_);
}

std::string_view FormulaText::take_script() {
  const bool is_number = next() == '-' || next() == '+' || is_digit(next());
  const std::size_t end = at_ + length();
  return take((is_number && !is_base_of_logarithm() ? end_of_number(end) : end) - at_);
}

// \log_23 is that of 3 to the base 2, but \log_10 is as it looks.
bool FormulaText::is_base_of_logarithm() const {
  return text_.substr(0, at_).ends_with("\\log_") && number_in(text_.substr(at_, 3)) != "10";
}

// Where a number ends whose first digit, or sign, stands before `at`.
std::size_t FormulaText::end_of_number(std::size_t at) const {
  while (is_digit(byte_at(at))) ++at;
  if (byte_at(at) != '.' || !is_digit(byte_at(at + 1))) return at;
  for (++at; is_digit(byte_at(at));) ++at;
  return at;
}

std::optional<refine::ScriptCharacter> FormulaText::script() const {
  constexpr ByteSet leads("\xC2\xCA\xCB\xE1\xE2");
  if (at_end() || !leads.has(next())) return std::nullopt;
  return refine::script_character(refine::to_utf32(text_.substr(at_, length())).front());
}

std::string FormulaText::take_script_run(bool is_raised) {
  std::string bases;
  for (auto found = script(); found && found->is_raised == is_raised; found = script()) {
    bases += found->base;
    skip(length());
  }
  return bases;
}

std::string_view FormulaText::take_name() {
  constexpr std::size_t longest = 32;
  skip_gaps();
  const std::size_t end = text_.substr(at_, longest).find('}');
  if (next() != '{' || end == nowhere) return {};
  return take(end + 1).substr(1, end - 1);
}

std::optional<std::pair<std::string_view, std::string_view>> FormulaText::take_numbers() {
  const std::size_t middle = end_of_number_in_braces(at_);
  const std::size_t end = middle == nowhere ? nowhere : end_of_number_in_braces(middle);
  if (end == nowhere) return std::nullopt;
  const std::string_view first = number_in(take(middle - at_));
  return std::pair(first, number_in(take(end - middle)));
}

// Where the braces end that hold a number, perhaps after white space, at `at`; `nowhere` for others.
std::size_t FormulaText::end_of_number_in_braces(std::size_t at) const {
  constexpr std::size_t longest = 16;
  while (at < text_.size() && is_white_space(text_[at])) ++at;
  const std::string_view braces = text_.substr(std::min(at, text_.size()), longest);
  const std::size_t end = braces.find_first_not_of(" 0123456789", 1);
  const bool is_number = braces.starts_with('{') && end != nowhere && braces[end] == '}' &&
                         std::ranges::any_of(braces.substr(0, end), is_digit);
  return is_number ? at + end + 1 : nowhere;
}

std::optional<std::string_view> FormulaText::take_markdown() {
  constexpr std::size_t longest_text = 200;
  constexpr std::size_t longest_address = 2000;
  if (!rest().starts_with("![")) return std::nullopt;
  const std::size_t middle = rest().substr(0, longest_text).find("](");
  if (middle == nowhere) return std::nullopt;
  const std::string_view address = rest().substr(middle + 2, longest_address);
  const std::size_t end = address.find_first_of("() \n");
  if (end == nowhere || address[end] != ')') return std::nullopt;
  at_ += middle + 2 + end + 1;
  return address.substr(0, end);
}

}  // namespace qdedup::markup
