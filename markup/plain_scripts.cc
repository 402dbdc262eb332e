#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "markup/byte_set.h"
#include "markup/formula_frames.h"
#include "markup/tables.h"
#include "markup/tidying.h"

namespace qdedup::markup {
namespace {

constexpr std::array<std::string_view, 6> white_space = {" ", "\n", "\t", "\r", "\u00A0", "　"};

bool is_among(std::string_view word, const std::vector<std::string_view>& words) {
  return std::ranges::find(words, word) != words.end();
}

struct Insertion {
  std::size_t place;
  std::string_view text;
};

// Digits [begin, end).
struct Count {
  std::size_t begin;
  std::size_t end;

  [[nodiscard]] std::size_t digits() const { return end - begin; }
};

// Capitals and elements with their numbers, as far as they have been read.
struct Formula {
  std::size_t end = 0;
  std::size_t letters = 0;     // capitals and elements
  std::string written;         // without white space and marks
  std::vector<Count> counts;   // the plain ones
  bool ends_in_count = false;  // the last of these
  bool ends_lowered = false;   // or one that is lowered already
};

class PlainScripts {
 public:
  explicit PlainScripts(std::string_view text) : text_(text) {}

  // In order.
  std::vector<Insertion> find() && {
    static constexpr ByteSet beginnings("ABCDEFGHIJKLMNOPQRSTUVWXYZm\xC2");
    for (std::size_t at = beginnings.find_in(text_); at < text_.size(); at = beginnings.find_in(text_, at)) {
      at = take(at);
    }
    return std::move(insertions_);
  }

 private:
  // Returns where to go on.
  std::size_t take(std::size_t at) {
    if (text_[at] == 'm') return take_unit(at);
    if (text_[at] == '\xC2') return take_product(at);
    if (is_letter_before(at)) return take_in_word(at);
    if (const std::size_t end = take_genotype(at); end > 0) return end;
    if (const std::size_t end = take_raised_word(at); end > 0) return end;
    return take_formula(at);
  }

  [[nodiscard]] char byte_at(std::size_t at) const { return at < text_.size() ? text_[at] : '\n'; }
  [[nodiscard]] std::string_view rest_from(std::size_t at) const {
    return text_.substr(std::min(at, text_.size()));
  }
  [[nodiscard]] bool is_letter_before(std::size_t at) const { return at > 0 && is_letter(text_[at - 1]); }

  [[nodiscard]] std::size_t behind_gap(std::size_t at) const {
    while (at < text_.size()) {
      const std::string_view gap = prefix_in(white_space, text_.substr(at));
      if (gap.empty()) break;
      at += gap.size();
    }
    return at;
  }

  // One or two digits after white space, and no decimals.
  [[nodiscard]] std::optional<Count> count_at(std::size_t at) const {
    constexpr std::size_t max_digits = 2;
    const std::size_t begin = behind_gap(at);
    std::size_t end = begin;
    while (end - begin <= max_digits && is_digit(byte_at(end))) ++end;
    const bool has_decimals = byte_at(end) == '.' && is_digit(byte_at(end + 1));
    if (end == begin || end - begin > max_digits || has_decimals) return std::nullopt;
    return Count{begin, end};
  }

  // The length of the plus or minus at `at`, 0 for none.
  [[nodiscard]] std::size_t sign_at(std::size_t at) const {
    constexpr std::array<std::string_view, 10> signs = {"+", "-", "＋", "－", "﹢", "﹣", "−", "–", "‐", "‒"};
    return prefix_in(signs, rest_from(at)).size();
  }

  // --- Powers of units

  std::size_t take_unit(std::size_t metre) {
    constexpr std::string_view per_second = "/s";
    const bool is_acceleration = text_.substr(metre + 1).starts_with(per_second);
    const std::optional<Count> power = count_at(metre + 1 + (is_acceleration ? per_second.size() : 0));
    const bool is_power = power && power->digits() == 1 &&
                          (text_[power->begin] == '2' || (text_[power->begin] == '3' && !is_acceleration)) &&
                          !is_letter(byte_at(power->end));
    if (is_power && is_unit(metre)) insertions_.push_back({power->begin, "^"});
    return metre + 1;
  }

  // cm, km …; m alone after a number or a stroke: elsewhere it is a mass.
  [[nodiscard]] bool is_unit(std::size_t metre) const {
    constexpr std::string_view prefixes = "kdcmnh";
    if (!is_letter_before(metre)) return is_measured(metre);
    const bool has_prefix = prefixes.find(text_[metre - 1]) != std::string_view::npos;
    return has_prefix && !is_letter_before(metre - 1);
  }

  [[nodiscard]] bool is_measured(std::size_t at) const {
    while (at > 0 && text_[at - 1] == ' ') --at;
    return at > 0 && (is_digit(text_[at - 1]) || text_[at - 1] == '/');
  }

  // mol·L-1, kJ·mol-1, and s-1 after these; elsewhere a single letter may be a variable.
  std::size_t take_product(std::size_t dot) {
    constexpr std::array<std::string_view, 4> multiplied = {"mol", "g", "J", "L"};
    constexpr std::array<std::string_view, 5> divided = {"mol", "L", "mL", "min", "cm"};
    constexpr std::array<std::string_view, 3> divided_after_these = {"s", "h", "K"};
    constexpr std::string_view sign = "·";
    if (!text_.substr(dot).starts_with(sign)) return dot + 1;
    std::size_t before = dot;
    while (before > 0 && text_[before - 1] == ' ') --before;
    const std::string_view first = text_.substr(0, before);
    const bool is_chain = last_unit_end_ == before || first.ends_with("mol");
    const std::size_t begin = behind_gap(dot + sign.size());
    if (!is_chain && std::ranges::none_of(multiplied, [first](auto unit) { return first.ends_with(unit); }))
      return begin;
    std::size_t end = begin;
    while (is_letter(byte_at(end))) ++end;
    const std::string_view unit = text_.substr(begin, end - begin);
    const bool is_divided =
        std::ranges::find(divided, unit) != divided.end() ||
        (is_chain && std::ranges::find(divided_after_these, unit) != divided_after_these.end());
    const std::size_t power = end + sign_at(end);
    const bool is_below_zero =
        power > end && byte_at(end) != '+' && is_digit(byte_at(power)) && !is_digit(byte_at(power + 1));
    if (!is_divided || !is_below_zero) return begin;
    insertions_.push_back({end, "^("});
    insertions_.push_back({power + 1, ")"});
    last_unit_end_ = power + 1;
    return power + 1;
  }

  // --- Biology

  // XBXb, XbY and AaXBY: genes of the sex chromosomes are raised. IAIB, IAi: those of blood groups. Returns
  // the end, 0 for any other word.
  std::size_t take_genotype(std::size_t begin) {
    std::size_t at = begin;
    while (is_pair(at, at + 1) && byte_at(at) != 'X') at += 2;
    const std::size_t end = byte_at(at) == 'X' ? end_of_sex_linked(at) : end_of_blood_group(at);
    if (end == 0 || is_letter(byte_at(end)) || is_digit(byte_at(end))) return 0;
    while (at < end) {
      const bool has_gene = text_[at] != 'i' && at + 1 < end;
      if (has_gene) insertions_.push_back({at + 1, "^"});
      at += has_gene ? 2 : 1;
    }
    return end;
  }

  // aaXbY: a genotype may begin with small letters.
  std::size_t take_in_word(std::size_t at) {
    constexpr std::size_t most_letters = 8;
    std::size_t begin = at;
    while (text_[at] == 'X' && at - begin < most_letters && begin > 1 && is_pair(begin - 2, begin - 1))
      begin -= 2;
    const std::size_t end = begin < at && !is_letter_before(begin) ? take_genotype(begin) : 0;
    return std::max(end, at + 1);
  }

  // The same letter, capital or small?
  [[nodiscard]] bool is_pair(std::size_t one, std::size_t other) const {
    return is_letter(byte_at(one)) && (byte_at(one) | 0x20) == (byte_at(other) | 0x20);
  }

  [[nodiscard]] std::size_t end_of_sex_linked(std::size_t at) const {
    const char gene = byte_at(at + 1);
    if (!is_letter(gene) || gene == 'X' || gene == 'Y') return 0;
    if (byte_at(at + 2) == 'X') return is_pair(at + 1, at + 3) ? at + 4 : 0;
    if (byte_at(at + 2) != 'Y') return 0;
    return is_pair(at + 1, at + 3) ? at + 4 : at + 3;
  }

  [[nodiscard]] std::size_t end_of_blood_group(std::size_t at) const {
    constexpr std::array<std::string_view, 6> types = {"IAIA", "IAIB", "IBIB", "IAi", "IBi", "IBIA"};
    const std::string_view type = prefix_in(types, rest_from(at));
    return type.empty() ? 0 : at + type.size();
  }

  // PrPSc: words whose last letters are raised (markup/data/chemistry.txt).
  std::size_t take_raised_word(std::size_t begin) {
    for (const auto& [base, raised] : chemical_words().raised) {
      if (!text_.substr(begin).starts_with(base)) continue;
      const std::size_t middle = begin + base.size();
      std::size_t end = middle;
      while (is_letter(byte_at(end))) ++end;
      if (is_digit(byte_at(end)) || !is_among(text_.substr(middle, end - middle), raised)) continue;
      const bool is_single = end == middle + 1;
      insertions_.push_back({middle, is_single ? "^" : "^("});
      if (!is_single) insertions_.push_back({end, ")"});
      return end;
    }
    return 0;
  }

  // --- Formulas

  std::size_t take_formula(std::size_t begin) {
    const Formula formula = read_formula(begin);
    if (is_known(formula)) mark(formula);
    if (byte_at(formula.end) == '^' && bears_charges(formula)) mark_raised_charge(formula.end);
    std::size_t end = std::max(formula.end, begin + 1);
    while (is_letter(byte_at(end)) && is_letter_before(end)) ++end;
    return end;
  }

  [[nodiscard]] Formula read_formula(std::size_t at) const {
    Formula formula;
    formula.end = at;
    read_letters(formula);
    while (formula.letters > 0 && byte_at(formula.end) == '(') {
      Formula longer = formula;
      ++longer.end;
      read_letters(longer);
      if (longer.letters == formula.letters || byte_at(longer.end) != ')') break;
      ++longer.end;
      read_count(longer);
      formula = std::move(longer);
      read_letters(formula);
    }
    return formula;
  }

  void read_letters(Formula& formula) const {
    constexpr std::size_t max_letters = 64;
    for (auto symbol = symbol_at(formula.end); !symbol.empty() && formula.letters < max_letters;
         symbol = symbol_at(formula.end)) {
      ++formula.letters;
      formula.written += symbol;
      formula.end += symbol.size();
      read_count(formula);
    }
  }

  // A capital, or an element of two letters; empty for any other.
  [[nodiscard]] std::string_view symbol_at(std::size_t at) const {
    if (!is_capital(byte_at(at))) return {};
    const bool has_second = is_letter(byte_at(at + 1)) && !is_capital(byte_at(at + 1));
    const std::string_view symbol = text_.substr(at, has_second ? 2 : 1);
    return !has_second || is_among(symbol, chemical_words().elements) ? symbol : std::string_view();
  }

  void read_count(Formula& formula) const {
    formula.ends_lowered = text_.substr(formula.end).starts_with(lowered_sign);
    if (formula.ends_lowered) formula.end += lowered_sign.size();
    const std::optional<Count> count = count_at(formula.end);
    formula.ends_in_count = count.has_value() && !formula.ends_lowered;
    if (count) formula.end = count->end;
    if (!formula.ends_in_count) return;
    formula.counts.push_back(*count);
    formula.written += text_.substr(count->begin, count->digits());
  }

  // No word goes on where it ends.
  [[nodiscard]] bool is_known(const Formula& formula) const {
    const char next = byte_at(formula.end);
    if (formula.letters == 0 || is_capital(next) || (is_letter(next) && !formula.ends_in_count)) return false;
    return formula.letters > 1 || has_index_alone(formula) || charge_end(formula) > 0;
  }

  static bool has_index_alone(const Formula& formula) {
    constexpr std::string_view digits = "0123456789";
    const std::string_view symbol =
        std::string_view(formula.written).substr(0, formula.written.find_first_of(digits));
    return symbol.size() == 1 ? symbol[0] > 'D' : is_among(symbol, chemical_words().molecules);
  }

  // Where the sign of a charge ends that follows, 0 for none.
  [[nodiscard]] std::size_t charge_end(const Formula& formula) const {
    const std::size_t begin = behind_gap(formula.end);
    const std::size_t end = begin + sign_at(begin);
    if (end == begin) return 0;
    const bool has_number = formula.ends_in_count || formula.ends_lowered;
    if (!has_number && !is_among(formula.written, chemical_words().ions)) return 0;
    return may_be_added(behind_gap(end)) ? 0 : end;
  }

  // What a charge that is raised already may follow: an element of two letters, or a number.
  [[nodiscard]] bool bears_charges(const Formula& formula) const {
    if (formula.letters == 0) return false;
    return formula.ends_in_count || formula.ends_lowered ||
           (formula.letters == 1 && is_among(formula.written, chemical_words().elements));
  }

  // Fe^3+, SO4^2-: with braces it would have been one.
  void mark_raised_charge(std::size_t at) {
    if (!is_digit(byte_at(at + 1)) || is_digit(byte_at(at + 2))) return;
    const std::size_t sign = at + 2;
    const std::size_t end = sign + sign_at(sign);
    if (end == sign || may_be_added(behind_gap(end))) return;
    insertions_.push_back({at + 1, "("});
    insertions_.push_back({end, ")"});
  }

  // A letter, a number, a bracket, a root or a Greek letter; > makes an arrow of the minus.
  [[nodiscard]] bool may_be_added(std::size_t at) const {
    constexpr std::array<std::string_view, 9> beginnings = {"(", "[", "{", "（", "√", "∠", "△", "|", ">"};
    const bool is_greek = byte_at(at) == '\xCE' || byte_at(at) == '\xCF';
    return is_letter(byte_at(at)) || is_digit(byte_at(at)) || is_greek ||
           !prefix_in(beginnings, rest_from(at)).empty();
  }

  void mark(const Formula& formula) {
    const std::size_t sign_end = charge_end(formula);
    const std::size_t inner = formula.counts.size() - (formula.ends_in_count ? 1 : 0);
    for (std::size_t i = 0; i < inner; ++i) insertions_.push_back({formula.counts[i].begin, lowered_sign});
    if (formula.ends_in_count) return mark_last(formula, sign_end);
    if (sign_end > 0) insertions_.push_back({formula.end, "^"});
  }

  // SO42-: of two digits before a sign the second belongs to it, and so does the only one of a single
  // element.
  void mark_last(const Formula& formula, std::size_t sign_end) {
    const Count& last = formula.counts.back();
    const bool is_charge = sign_end > 0 && last.digits() == 1 && formula.letters == 1;
    if (!is_charge) insertions_.push_back({last.begin, lowered_sign});
    if (sign_end == 0) return;
    if (last.digits() == 1 && !is_charge) return insertions_.push_back({last.end, "^"});
    insertions_.push_back({last.end - 1, "^("});
    insertions_.push_back({sign_end, ")"});
  }

  std::string_view text_;
  std::vector<Insertion> insertions_;
  std::size_t last_unit_end_ = std::string_view::npos;  // of one with a power below zero
};

}  // namespace

void mark_plain_scripts(std::string& text) {
  const std::vector<Insertion> insertions = PlainScripts(text).find();
  if (insertions.empty()) return;
  std::string marked;
  std::size_t at = 0;
  for (const auto& [place, mark] : insertions) {
    marked.append(text, at, place - at).append(mark);
    at = place;
  }
  text = marked.append(text, at);
}

}  // namespace qdedup::markup
