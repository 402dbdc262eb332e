#include <algorithm>
#include <array>
#include <cstddef>
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

constexpr std::string_view decimal_digits = "0123456789";

bool is_proposition(char c) { return c >= 'p' && c <= 's'; }

// A look-alike of `length` bytes and what it becomes, before the `base` that it follows; no length where it
// stays as it is.
struct Mended {
  std::size_t length = 0;
  std::string_view text;
  std::size_t base = 0;
};

class Confusables {
 public:
  explicit Confusables(std::string_view text)
      : text_(text),
        has_tex_quotes_(text.find("``") != std::string_view::npos ||
                        text.find("‘‘") != std::string_view::npos) {}

  // The text with what is mended; empty where nothing is.
  std::string mend() && {
    static constexpr ByteSet beginnings("0UVv*/'\xC9\xCC\xCE\xE2");
    std::size_t kept = 0;
    for (std::size_t at = beginnings.find_in(text_); at < text_.size();) {
      const Mended mended = mended_at(at);
      const std::size_t base = at - mended.base;
      if (mended.length > 0 && base >= kept) {
        mended_.append(text_, kept, base - kept).append(mended.text).append(text_, base, mended.base);
        if (mended.base > 0 && is_digit(byte_at(at + mended.length))) mended_ += ' ';
        kept = at + mended.length;
      }
      at = beginnings.find_in(text_, std::max(kept, at + 1));
    }
    if (kept > 0) mended_.append(text_, kept);
    return std::move(mended_);
  }

 private:
  [[nodiscard]] Mended mended_at(std::size_t at) {
    switch (text_[at]) {
      case '0':
        return {is_letter_o(at) ? 1U : 0U, "O"};
      case 'U':
        return {is_union(at) ? 1U : 0U, "∪"};
      case 'V':
      case 'v':
        return {joins_propositions(at, 1) ? 1U : 0U, "∨"};
      case '*':
        return {is_star_of_set(at) ? 1U : 0U, "^*"};
      case '/':
        return strokes_at(at);
      case '\'':
        return primes_at(at, "'");
      default:
        return sign_at(at);
    }
  }

  [[nodiscard]] Mended sign_at(std::size_t at) {
    constexpr std::size_t length = 3;
    const std::string_view sign = text_.substr(at, length);
    if (sign.starts_with("Λ")) return {joins_propositions(at, 2) ? 2U : 0U, "∧"};
    if (sign[0] == '\xCC' || sign == "\u20D7") return accent_at(at);
    if (sign.starts_with("ɑ")) return {is_in_word(at, 2) ? 2U : 0U, "a"};
    if (sign.starts_with("ɡ")) return {2, "g"};
    if (sign == "═") return {length, is_at_end(at, sign) ? "" : "="};
    if (sign.starts_with("\xE2\x88")) return operator_at(at, sign);
    if (sign == "□") return {corners_at(at + length) == 3 ? length : 0, "△"};
    if (sign == "’") return primes_at(at, sign);
    if (sign == "‖") return {joins_lines(at, length) ? length : 0, "∥"};
    return {};
  }

  [[nodiscard]] Mended operator_at(std::size_t at, std::string_view sign) const {
    if (sign == "∨") return {has_no_operands(at, sign.size()) ? sign.size() : 0, "V"};
    if (sign == "∪") return {has_no_operands(at, sign.size()) ? sign.size() : 0, "U"};
    if (sign == "∘") return {is_degree(at, sign.size()) ? sign.size() : 0, "°"};
    return sign == "∁" ? complement_at(at, sign.size()) : Mended{};
  }

  [[nodiscard]] bool is_at(std::size_t at, std::string_view word) const {
    return text_.substr(std::min(at, text_.size())).starts_with(word);
  }
  [[nodiscard]] char byte_at(std::size_t at) const { return at < text_.size() ? text_[at] : '\n'; }
  [[nodiscard]] bool is_latin_before(std::size_t at) const { return at > 0 && is_letter(text_[at - 1]); }

  // Where the white space ends, or begins, that is next to `at`.
  [[nodiscard]] std::size_t behind_gap(std::size_t at) const {
    while (is_gap_byte(at)) ++at;
    return at;
  }
  [[nodiscard]] std::size_t before_gap(std::size_t at) const {
    while (at > 0 && is_gap_byte(at - 1)) --at;
    return at;
  }
  [[nodiscard]] bool is_gap_byte(std::size_t at) const {
    return at < text_.size() && (text_[at] == ' ' || text_[at] == '\t');
  }

  // --- Operands: letters, numbers, brackets, signs of sets, and blanks to be filled in

  [[nodiscard]] bool is_operand_before(std::size_t end) const {
    constexpr std::array<std::string_view, 8> last = {")", "]", "}", "|", "_", "）", "′", "∅"};
    const std::string_view before = text_.substr(0, before_gap(end));
    if (before.empty()) return false;
    if (is_letter(before.back()) || is_digit(before.back())) return true;
    const bool is_greek =
        before.size() > 1 && (before[before.size() - 2] == '\xCE' || before[before.size() - 2] == '\xCF');
    return is_greek || std::ranges::any_of(last, [before](auto sign) { return before.ends_with(sign); });
  }

  [[nodiscard]] bool is_operand_behind(std::size_t begin) const {
    constexpr std::array<std::string_view, 10> first = {"(", "[", "{", "|", "_", "（", "¬", "√", "∅", "∁"};
    const std::size_t at = behind_gap(begin);
    const char c = byte_at(at);
    return is_letter(c) || is_digit(c) || c == '\xCE' || c == '\xCF' ||
           std::ranges::any_of(first, [this, at](auto sign) { return is_at(at, sign); });
  }

  [[nodiscard]] bool has_no_operands(std::size_t at, std::size_t length) const {
    if (is_at_end(at, lowered_sign)) return true;
    return !is_operand_before(at) && !is_operand_behind(at + length);
  }

  [[nodiscard]] bool is_at_end(std::size_t end, std::string_view word) const {
    return text_.substr(0, end).ends_with(word);
  }

  // --- Propositions: p V q, (¬p) V q₁

  [[nodiscard]] bool joins_propositions(std::size_t at, std::size_t length) const {
    return is_proposition_before(before_gap(at)) && is_proposition_behind(behind_gap(at + length));
  }

  [[nodiscard]] bool is_proposition_before(std::size_t end) const {
    if (end > 0 && text_[end - 1] == ')') --end;
    while (end > 0 && is_digit(text_[end - 1])) --end;
    if (is_at_end(end, lowered_sign)) end -= lowered_sign.size();
    return end > 0 && is_proposition(text_[end - 1]) && !is_latin_before(end - 1);
  }

  [[nodiscard]] bool is_proposition_behind(std::size_t at) const {
    constexpr std::string_view logical_not = "¬";
    if (byte_at(at) == '(') ++at;
    if (is_at(at, logical_not)) at = behind_gap(at + logical_not.size());
    return is_proposition(byte_at(at)) && !is_letter(byte_at(at + 1));
  }

  // --- Others

  // 0₂ and Fe₂ 0₃, but not 10₂: a number has digits before its index.
  [[nodiscard]] bool is_letter_o(std::size_t at) const {
    if (!is_at(at + 1, lowered_sign) || !is_index(at + 1 + lowered_sign.size())) return false;
    const std::size_t end = before_gap(at);
    if (end == at && end > 0 && (is_digit(text_[end - 1]) || text_[end - 1] == '.')) return false;
    if (end == 0 || !is_digit(text_[end - 1])) return true;
    return is_index_of_element(end);
  }

  // One or two digits, the first of which is no zero.
  [[nodiscard]] bool is_index(std::size_t at) const {
    const std::size_t end = std::min(text_.find_first_not_of(decimal_digits, at), text_.size());
    return end > at && end - at <= 2 && text_[at] != '0';
  }

  // H₂, Fe₂
  [[nodiscard]] bool is_index_of_element(std::size_t end) const {
    constexpr std::string_view metals_and_hydrogen = "HKN";
    while (end > 0 && is_digit(text_[end - 1])) --end;
    if (!is_at_end(end, lowered_sign)) return false;
    end -= lowered_sign.size();
    if (end == 0) return false;
    if (is_capital(text_[end - 1])) return metals_and_hydrogen.find(text_[end - 1]) != std::string_view::npos;
    const std::vector<std::string_view>& elements = chemical_words().elements;
    return end > 1 && std::ranges::find(elements, text_.substr(end - 2, 2)) != elements.end();
  }

  // (-∞,1)U(2,+∞)
  [[nodiscard]] bool is_union(std::size_t at) const {
    constexpr std::size_t longest = 40;
    const std::size_t end = before_gap(at);
    const std::size_t begin = behind_gap(at + 1);
    const bool follows_interval =
        end > 0 && (text_[end - 1] == ')' || text_[end - 1] == ']' || is_at_end(end, "）"));
    if (!follows_interval) return false;
    if (byte_at(begin) != '(' && byte_at(begin) != '[' && !is_at(begin, "（")) return false;
    const std::string_view rest = text_.substr(begin, longest);
    const std::size_t comma = std::min(rest.find(','), rest.find("，"));
    return comma < std::min({rest.find(')'), rest.find(']'), rest.find("）")});
  }

  // How many capital letters follow, each perhaps after white space; five at most.
  [[nodiscard]] std::size_t corners_at(std::size_t at) const {
    constexpr std::size_t max_corners = 5;
    std::size_t corners = 0;
    for (; at < text_.size() && corners < max_corners; ++at) {
      if (!is_capital(text_[at]) && !is_gap_byte(at)) break;
      corners += is_capital(text_[at]) ? 1 : 0;
    }
    return corners;
  }

  // 30∘, as pages show it that are copied, but neither f∘g nor 2∘3.
  [[nodiscard]] bool is_degree(std::size_t at, std::size_t length) const {
    const char next = byte_at(at + length);
    const bool is_operation = is_digit(next) || next == '(' || (is_letter(next) && next != 'C');
    return at > 0 && is_digit(text_[at - 1]) && !is_operation;
  }

  // A run of quotation marks of one kind. Two close a quotation if two opened it.
  [[nodiscard]] Mended primes_at(std::size_t at, std::string_view quote) {
    constexpr std::string_view primes = "′′′";
    constexpr std::size_t most = 3;
    std::size_t count = 1;
    while (count <= most && is_at(at + count * quote.size(), quote)) ++count;
    const bool is_pair = count == 2 && !is_at_end(at, quote);
    const bool ends_quotation = is_pair && (has_tex_quotes_ || in_quotation_);
    if (is_pair) in_quotation_ = !in_quotation_ && (before_gap(at) < at || !is_operand_before(at));
    if (count > most || ends_quotation || !is_prime(at, count * quote.size())) return {};
    return {count * quote.size(), primes.substr(0, count * primes.size() / most)};
  }

  // A'B'C' and f''(x), but neither brother's nor 'a'
  [[nodiscard]] bool is_prime(std::size_t at, std::size_t length) const {
    if (!is_latin_before(at)) return is_behind_degrees(at);
    const char next = byte_at(at + length);
    const bool is_word = is_latin_before(at - 1) && !(is_capital(text_[at - 1]) && is_capital(text_[at - 2]));
    std::size_t begin = at - 1;
    while (begin > 0 && text_[begin - 1] == '\'') --begin;
    const bool is_quoted =
        (begin < at - 1 && !is_latin_before(begin)) || is_at_end(at - 1, "‘") || is_at_end(at - 1, "’");
    return !is_word && !is_quoted && !(is_letter(next) && !is_capital(next));
  }

  // 30°15'20''
  [[nodiscard]] bool is_behind_degrees(std::size_t at, bool is_second = true) const {
    const std::size_t begin = text_.substr(0, at).find_last_not_of(decimal_digits) + 1;
    if (begin == at) return false;
    for (const std::string_view minute : {"'", "’", "′"}) {
      if (is_second && is_at_end(begin, minute)) return is_behind_degrees(begin - minute.size(), false);
    }
    return is_at_end(before_gap(begin), "°");
  }

  // ∁_U A and ∁UA as C_U A
  [[nodiscard]] Mended complement_at(std::size_t at, std::size_t length) const {
    const std::size_t end = behind_gap(at + length);
    if (is_at(end, lowered_sign)) return {end - at, "C"};
    return {is_capital(byte_at(end)) ? end - at : 0, "C\uE000"};
  }

  // n∈N*
  [[nodiscard]] bool is_star_of_set(std::size_t at) const {
    constexpr std::string_view sets = "NZQR";
    const std::size_t end = before_gap(at);
    return end > 0 && sets.find(text_[end - 1]) != std::string_view::npos &&
           is_at_end(before_gap(end - 1), "∈");
  }

  // --- Letters with combining characters

  // pɑ̄n
  [[nodiscard]] bool is_in_word(std::size_t at, std::size_t length) const {
    const char behind = byte_at(at + length);
    return is_latin_before(at) || is_letter(behind) || behind == '\xCC';
  }

  // x̄ and 0.3̇ as \bar{x} and 0.\dot{3}; but vowels have tones, and one of several may end what is meant.
  [[nodiscard]] Mended accent_at(std::size_t at) const {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 5> accents = {
        {{"\u0304", "ˉ"}, {"\u0305", "ˉ"}, {"\u0302", "ˆ"}, {"\u20D7", "→"}, {"\u0307", "ˑ"}}};
    constexpr std::string_view vowels = "aeiouvAEIOU";
    const auto* const found =
        std::ranges::find_if(accents, [&](const auto& accent) { return is_at(at, accent.first); });
    if (found == accents.end() || at == 0) return {};
    const auto& [mark, sign] = *found;
    const char base = text_[at - 1];
    const bool is_tone = found < accents.begin() + 3 && mark != "\u0305" && vowels.find(base) < vowels.size();
    const bool is_base = mark == "\u0307" ? is_digit(base) : is_letter(base) && !is_latin_before(at - 1);
    const bool is_of_several = is_at_end(at - 1, mark) || is_at(at + mark.size() + 1, mark);
    if (!is_base || is_tone || is_of_several || is_at_end(at - 1, "√")) return {};
    return {mark.size(), sign, 1};
  }

  // --- Lines: AB//CD, l₁//l₂, →a//→b, 平面α//平面β; but no addresses and no comments of programs

  [[nodiscard]] Mended strokes_at(std::size_t at) const {
    const std::size_t second = behind_gap(at + 1);
    if (byte_at(second) != '/') return {};
    const std::size_t length = second + 1 - at;
    return {joins_lines(at, length) ? length : 0, "∥"};
  }

  [[nodiscard]] bool joins_lines(std::size_t at, std::size_t length) const {
    return is_line_before(before_gap(at)) && is_line_behind(behind_gap(at + length));
  }

  // Two corners, a letter, or one with an index.
  [[nodiscard]] bool is_line_before(std::size_t end) const {
    constexpr std::string_view arrow = "→";
    if (end > 0 && text_[end - 1] == ')') {
      constexpr std::size_t longest = 8;
      const std::size_t begin = end - std::min(end, longest);
      const std::size_t open = text_.substr(begin, end - begin).rfind('(');
      return open != std::string_view::npos && is_at_end(begin + open, arrow);
    }
    if (is_at_end(end, "′")) end -= std::string_view("′").size();
    while (end > 0 && is_digit(text_[end - 1])) --end;
    if (is_at_end(end, lowered_sign)) end -= lowered_sign.size();
    if (end > 1 && (text_[end - 2] == '\xCE' || text_[end - 2] == '\xCF')) return true;
    if (!is_latin_before(end)) return false;
    std::size_t begin = end - 1;
    if (is_capital(text_[begin])) {
      begin = before_gap(begin);
      begin -= begin > 0 && is_capital(text_[begin - 1]) ? 1 : 0;
    }
    return !is_latin_before(begin) && !is_at_end(begin, "‖");
  }

  [[nodiscard]] bool is_line_behind(std::size_t at) const {
    constexpr std::string_view arrow = "→";
    constexpr std::string_view plane = "平面";
    if (is_at(at, arrow) || is_at(at, plane)) return true;
    if (byte_at(at) == '\xCE' || byte_at(at) == '\xCF') return true;
    if (!is_letter(byte_at(at))) return false;
    const std::size_t next = is_capital(byte_at(at)) ? behind_gap(at + 1) : at + 1;
    const std::size_t end = is_capital(byte_at(at)) && is_capital(byte_at(next)) ? next + 1 : at + 1;
    return !is_letter(byte_at(end)) && !is_at(end, "‖");
  }

  std::string_view text_;
  bool has_tex_quotes_;        // ``like these''
  bool in_quotation_ = false;  // ''like these''
  std::string mended_;
};

}  // namespace

void mend_confusables(std::string& text) {
  std::string mended = Confusables(text).mend();
  if (!mended.empty()) text = std::move(mended);
}

}  // namespace qdedup::markup
