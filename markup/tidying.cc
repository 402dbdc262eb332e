#include "markup/tidying.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "markup/byte_set.h"
#include "markup/marks.h"
#include "markup/tables.h"

namespace qdedup::markup {
namespace {

// Bytes [begin, end) of a text.
struct Stretch {
  std::size_t begin;
  std::size_t end;
};

// Where the watermark ends that begins here, 0 where this one does not.
std::size_t end_of_watermark(std::string_view text, std::size_t begin, const Watermark& watermark) {
  constexpr std::size_t longest_gap = 100;
  if (!text.substr(begin).starts_with(watermark.begin)) return 0;
  const std::size_t gap = begin + watermark.begin.size();
  if (watermark.end.empty()) return gap;
  const std::string_view rest = text.substr(gap, longest_gap + watermark.end.size());
  const std::size_t end = rest.find(watermark.end);
  if (end == std::string_view::npos || rest.substr(0, end).find('\n') != std::string_view::npos) return 0;
  return gap + end + watermark.end.size();
}

// Tells nearly all places where no watermark begins, by four bytes.
class WatermarkFilter {
 public:
  WatermarkFilter() {
    for (const Watermark& watermark : watermarks()) may_begin_[slot_of(watermark.begin.data())] = true;
  }

  static constexpr std::size_t shortest = sizeof(std::uint32_t);

  // `bytes` are `shortest` at least.
  [[nodiscard]] bool may_begin(const char* bytes) const { return may_begin_[slot_of(bytes)]; }

 private:
  static std::size_t slot_of(const char* bytes) {
    std::uint32_t number = 0;
    std::memcpy(&number, bytes, sizeof number);
    return number * 0x9E3779B1U >> 20U;
  }

  std::array<bool, 4096> may_begin_{};
};

std::size_t end_of_any_watermark(std::string_view text, std::size_t begin) {
  for (const Watermark& watermark : watermarks()) {
    if (const std::size_t end = end_of_watermark(text, begin, watermark); end > 0) return end;
  }
  return 0;
}

// Takes out stretches, which are in order.
void remove(std::string& text, const std::vector<Stretch>& stretches) {
  std::string rest;
  std::size_t at = 0;
  for (const Stretch& stretch : stretches) {
    rest.append(text, at, stretch.begin - at);
    at = stretch.end;
  }
  if (at > 0) text = rest.append(text, at);
}

enum class Piece { white, comma, opening, closing, han, other };

struct Wide {
  std::string_view text;
  Piece piece;
};
constexpr std::array<Wide, 9> wide_pieces = {{{"，", Piece::comma},
                                              {"（", Piece::opening},
                                              {"）", Piece::closing},
                                              {"［", Piece::opening},
                                              {"］", Piece::closing},
                                              {"｛", Piece::opening},
                                              {"｝", Piece::closing},
                                              {"　", Piece::white},
                                              {"\u00A0", Piece::white}}};

// What stands at `at`, and how many bytes it has.
Piece piece_at(std::string_view text, std::size_t at, std::size_t& length) {
  const char c = text[at];
  length = 1;
  if (is_white_space(c)) return Piece::white;
  if (c == ',') return Piece::comma;
  if (c == '(' || c == '[' || c == '{') return Piece::opening;
  if (c == ')' || c == ']' || c == '}') return Piece::closing;
  const auto byte = static_cast<unsigned char>(c);
  if (byte < 0x80) return Piece::other;
  if (byte >= 0xE4 && byte <= 0xE9) {
    length = 3;
    return Piece::han;
  }
  if (byte != 0xEF && byte != 0xE3 && byte != 0xC2) return Piece::other;
  for (const Wide& candidate : wide_pieces) {
    if (!text.substr(at).starts_with(candidate.text)) continue;
    length = candidate.text.size();
    return candidate.piece;
  }
  return Piece::other;
}

// Finds the white space next to commas in brackets.
class CoordinateGaps {
 public:
  std::vector<Stretch> find(std::string_view text) {
    std::size_t length = 0;
    for (std::size_t at = 0; at < text.size(); at += length) {
      const Piece piece = piece_at(text, at, length);
      take(piece, at, length);
    }
    end_stretch();
    return std::move(confirmed_);
  }

 private:
  void take(Piece piece, std::size_t at, std::size_t length) {
    if (piece == Piece::white) {
      if (white_.end != at) white_.begin = at;
      white_.end = at + length;
      return;
    }
    const bool after_white = white_.end == at && white_.end > white_.begin;
    if (piece == Piece::comma && after_white && before_ == Piece::other) gaps_.push_back(white_);
    if (before_ == Piece::comma && after_white && piece != Piece::closing) gaps_.push_back(white_);
    if (piece == Piece::opening) open_.push_back(gaps_.size());
    if (piece == Piece::closing) close();
    if (piece == Piece::han) end_stretch();
    before_ = piece == Piece::closing ? Piece::other : piece;
  }

  void close() {
    if (open_.empty()) return;
    if (open_.back() < gaps_.size()) in_brackets_.push_back({open_.back(), gaps_.size()});
    open_.pop_back();
  }

  // Chinese ends what brackets may hold.
  void end_stretch() {
    open_.clear();
    if (gaps_.empty()) return;
    std::vector<int> depths(gaps_.size() + 1);
    for (const Stretch& pair : in_brackets_) {
      ++depths[pair.begin];
      --depths[pair.end];
    }
    int depth = 0;
    for (std::size_t i = 0; i < gaps_.size(); ++i) {
      depth += depths[i];
      if (depth > 0) confirmed_.push_back(gaps_[i]);
    }
    gaps_.clear();
    in_brackets_.clear();
  }

  Stretch white_{0, 0};
  Piece before_ = Piece::han;
  std::vector<Stretch> gaps_;         // beside commas
  std::vector<std::size_t> open_;     // for each open bracket, how many gaps stand before it
  std::vector<Stretch> in_brackets_;  // numbers of gaps
  std::vector<Stretch> confirmed_;
};

bool is_gap_byte(char c) { return is_white_space(c) || c == '\x80' || c == '\xA0'; }

// May white space stand beside a comma? In most texts none does.
bool has_gap_beside_comma(std::string_view text) {
  constexpr ByteSet comma_ends(",\x8C");  // the last byte of ，
  for (std::size_t at = comma_ends.find_in(text); at < text.size(); at = comma_ends.find_in(text, at + 1)) {
    const std::size_t begin = text[at] == ',' ? at : at - std::min<std::size_t>(at, 2);
    if (begin > 0 && is_gap_byte(text[begin - 1])) return true;
    const char next = at + 1 < text.size() ? text[at + 1] : ',';
    if (is_gap_byte(next) || next == '\xE3' || next == '\xC2') return true;
  }
  return false;
}

bool is_line_gap(char c) { return c == ' ' || c == '\t'; }

// White space beside the comma [begin, end), where that stands between two numbers.
std::vector<Stretch> gaps_in_list(std::string_view text, std::size_t begin, std::size_t end) {
  std::size_t before = begin;
  while (before > 0 && is_line_gap(text[before - 1])) --before;
  std::size_t next = end;
  while (next < text.size() && is_line_gap(text[next])) ++next;
  std::size_t behind = next;
  while (behind < text.size() && is_digit(text[behind])) ++behind;
  const bool may_be_thousands = behind - next == 3;
  if (before == 0 || !is_digit(text[before - 1]) || behind == next || may_be_thousands) return {};
  return {{before, begin}, {end, next}};
}

// The same for all commas.
std::vector<Stretch> gaps_in_lists(std::string_view text) {
  constexpr ByteSet comma_ends(",\x8C");
  constexpr std::string_view wide_comma = "，";
  std::vector<Stretch> gaps;
  for (std::size_t at = comma_ends.find_in(text); at < text.size(); at = comma_ends.find_in(text, at + 1)) {
    const std::size_t end = at + 1;
    const bool is_wide = text.substr(0, end).ends_with(wide_comma);
    if (text[at] != ',' && !is_wide) continue;
    for (const Stretch& gap : gaps_in_list(text, is_wide ? end - wide_comma.size() : at, end))
      gaps.push_back(gap);
  }
  return gaps;
}

// Finds pairs of brackets that stand directly inside another pair, white space aside.
class NeedlessBrackets {
 public:
  std::vector<Stretch> find(std::string_view text) {
    for (std::size_t at = 0; at < text.size(); ++at) {
      const char c = text[at];
      if (is_white_space(c)) continue;
      if (c == '(') open_.push_back({at, before_ == '('});
      if (c == ')' && !open_.empty()) close(at);
      if (c != ')') inner_ = {0, 0};
      before_ = c;
    }
    std::ranges::sort(found_, {}, &Stretch::begin);
    return std::move(found_);
  }

 private:
  struct Opening {
    std::size_t at;
    bool follows_opening;  // nothing stands between
  };

  void close(std::size_t at) {
    const Opening opening = open_.back();
    open_.pop_back();
    if (before_ == ')' && inner_.begin > opening.at && inner_follows_) {
      found_.push_back({inner_.begin, inner_.begin + 1});
      found_.push_back({inner_.end, inner_.end + 1});
    }
    inner_ = {opening.at, at};
    inner_follows_ = opening.follows_opening;
  }

  char before_ = 0;  // white space aside
  std::vector<Opening> open_;
  Stretch inner_{0, 0};  // the brackets that closed last, if they did just before
  bool inner_follows_ = false;
  std::vector<Stretch> found_;
};

}  // namespace

void remove_watermarks(std::string& text) {
  static const WatermarkFilter filter;
  std::vector<Stretch> found;
  for (std::size_t at = 0; at + WatermarkFilter::shortest <= text.size();) {
    const std::size_t end = filter.may_begin(text.data() + at) ? end_of_any_watermark(text, at) : 0;
    if (end > 0) found.push_back({at, end});
    at = std::max(end, at + 1);
  }
  remove(text, found);
}

void join_at_commas(std::string& text) {
  if (!has_gap_beside_comma(text)) return;
  remove(text, CoordinateGaps().find(text));
  remove(text, gaps_in_lists(text));
}

void join_brackets(std::string& text) {
  if (text.find(')') < text.rfind(')')) remove(text, NeedlessBrackets().find(text));
}

void collapse_white_space(std::string& text) {
  std::size_t end = 0;
  for (std::size_t at = 0; at < text.size();) {
    if (!is_white_space(text[at])) {
      text[end++] = text[at++];
      continue;
    }
    bool has_break = false;
    for (; at < text.size() && is_white_space(text[at]); ++at) has_break |= text[at] == '\n';
    const std::string_view rest = std::string_view(text).substr(at);
    const bool precedes_border = rest.starts_with(mark::cell_border) || rest.starts_with(mark::row_border);
    if (end > 0 && !rest.empty() && !precedes_border) text[end++] = has_break ? '\n' : ' ';
  }
  text.resize(end);
}

}  // namespace qdedup::markup
