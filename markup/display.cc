#include "markup/display.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/ascii.h"
#include "base/utf8.h"
#include "markup/formula_reader.h"
#include "markup/html_reader.h"
#include "markup/marks.h"
#include "refine/alignment.h"
#include "refine/placed_marks.h"
#include "refine/unicode.h"

namespace qdedup::markup {
namespace {

using Kind = Piece::Kind;

// A span of a drawn text, and the spans within it.
struct SpanNode {
  Span::Kind kind;
  std::size_t begin;  // code points
  std::size_t end;
  std::size_t number;                      // of a figure
  std::vector<std::size_t> children = {};  // places among the nodes
};

// The spans of a drawn text as a tree. Spans that overlap, or are nested deeper than `max_depth`, are left
// out. Linear, but for sorting.
class SpanTree {
 public:
  SpanTree(ReadText&& drawn, std::size_t max_depth);

  // The whole text first, then each after the one that holds it.
  [[nodiscard]] std::vector<SpanNode>&& nodes() && { return std::move(nodes_); }
  // The drawn text without mark::erased.
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  void place_code_points(const std::string& drawn);
  void add(const Span& span);

  std::size_t max_depth_;
  std::string text_;
  std::vector<std::size_t> places_;  // for each byte that was drawn, the number of its code point
  std::vector<SpanNode> nodes_;
  std::vector<std::pair<Span, std::size_t>> open_;  // and their places among the nodes
};

bool holds(const Span& outer, const Span& inner) {
  return inner.begin >= outer.begin && inner.end <= outer.end;
}

SpanTree::SpanTree(ReadText&& drawn, std::size_t max_depth) : max_depth_(max_depth) {
  place_code_points(drawn.text);
  nodes_.push_back({Span::Kind::argument, 0, places_.back(), 0});
  std::ranges::reverse(drawn.spans);  // the outer one of two that are alike comes first
  std::ranges::stable_sort(drawn.spans, [](const Span& a, const Span& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
  });
  for (const Span& span : drawn.spans) add(span);
}

void SpanTree::place_code_points(const std::string& drawn) {
  std::size_t count = 0;
  for (const char c : drawn) {
    places_.push_back(count);
    if (c == mark::erased) continue;
    text_ += c;
    // A byte within a character has the place after that character's.
    if (!continues_character(c)) ++count;
  }
  places_.push_back(count);
}

void SpanTree::add(const Span& span) {
  while (!open_.empty() && !holds(open_.back().first, span)) {
    if (open_.back().first.end > span.begin) return;
    open_.pop_back();
  }
  if (open_.size() >= max_depth_) return;
  const std::size_t parent = open_.empty() ? 0 : open_.back().second;
  nodes_[parent].children.push_back(nodes_.size());
  open_.emplace_back(span, nodes_.size());
  nodes_.push_back({span.kind, places_[span.begin], places_[span.end], span.number});
}

// As collapse_white_space() does, borders aside, but every byte stays where it is.
void erase_white_space(std::string& text) {
  std::size_t first = std::string::npos;  // of the white space here
  bool is_begin = true;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == mark::erased) continue;
    if (!is_white_space(text[at])) {
      is_begin = false;
      first = std::string::npos;
    } else if (is_begin || first != std::string::npos) {
      if (text[at] == '\n' && first != std::string::npos) text[first] = '\n';
      text[at] = mark::erased;
    } else {
      first = at;
    }
  }
  if (first != std::string::npos) text[first] = mark::erased;
}

// How an accent is drawn, by how it is written in an extracted text.
char32_t drawn_accent(char32_t sign) {
  switch (sign) {
    case U'˷':
      return U'~';
    case U'ˑ':
      return U'˙';
    case U'˸':
      return U'¨';
    default:
      return sign;
  }
}

// Draws the nodes. The depth of calls is bounded by that of the tree.
class Drawer {
 public:
  Drawer(std::vector<SpanNode>&& nodes, std::u32string text)
      : nodes_(std::move(nodes)), compared_(std::move(text)), shown_(compared_) {}

  Display draw() && {
    flow(nodes_.front());
    std::ranges::replace(shown_, U'\uE000', U'_');
    return {std::move(shown_), std::move(compared_), std::move(pieces_), {}};
  }

 private:
  // The last atom of a row of a formula, which a script belongs to.
  using Atom = std::optional<std::size_t>;

  // The children of a node and the texts between them, in order: calls `take(begin, end, child)`, with null
  // for a text.
  template <class Take>
  void each_part(const SpanNode& node, const Take& take) {
    std::size_t at = node.begin;
    for (const std::size_t number : node.children) {
      const SpanNode& child = nodes_[number];
      if (at < child.begin) take(at, child.begin, nullptr);
      take(child.begin, child.end, &child);
      at = child.end;
    }
    if (at < node.end) take(at, node.end, nullptr);
  }

  void open(Kind kind, std::size_t begin = 0, std::size_t end = 0) { pieces_.push_back({kind, begin, end}); }
  void close() { pieces_.push_back({Kind::end}); }

  // --- Outside of formulas

  void flow(const SpanNode& node) {
    each_part(node,
              [this](std::size_t begin, std::size_t end, const SpanNode* child) { flow(begin, end, child); });
  }

  void flow(std::size_t begin, std::size_t end, const SpanNode* child) {
    if (child != nullptr) return flow_child(*child);
    if (std::exchange(is_after_table_, false)) {
      while (begin < end && is_white_space(compared_[begin])) ++begin;
    }
    if (begin < end) open(Kind::text, begin, end);
  }

  void flow_child(const SpanNode& node) {
    switch (node.kind) {
      case Span::Kind::figure:
        return put_figure(node);
      case Span::Kind::raised:
      case Span::Kind::lowered:
        open(node.kind == Span::Kind::raised ? Kind::sup : Kind::sub, node.begin, lead_end(node));
        for (const std::size_t number : node.children) flow(nodes_[number]);
        return close();
      case Span::Kind::table:
        return draw_table(node);
      case Span::Kind::formula:
      case Span::Kind::fraction:
      case Span::Kind::binomial:
      case Span::Kind::root:
      case Span::Kind::nth_root:
      case Span::Kind::over:
      case Span::Kind::accent:
      case Span::Kind::environment: {
        open(Kind::math);
        Atom last;
        math_child(node, last);
        return close();
      }
      default:
        return flow(node);
    }
  }

  void put_figure(const SpanNode& node) {
    pieces_.push_back({Kind::figure, node.begin, node.end, node.number});
    is_after_table_ = false;
  }

  // What stands beside rows and cells is in one of its own.
  void draw_table(const SpanNode& table) {
    drop_white_space();
    open(Kind::table);
    each_part(table, [this](std::size_t begin, std::size_t end, const SpanNode* row) {
      if (is_blank(begin, end, row)) return;
      open(Kind::tr);
      if (row != nullptr && row->kind == Span::Kind::row) {
        each_part(*row,
                  [this](std::size_t b, std::size_t e, const SpanNode* cell) { draw_cell(b, e, cell); });
      } else {
        draw_cell(begin, end, row);
      }
      close();
    });
    close();
    is_after_table_ = true;
  }

  void draw_cell(std::size_t begin, std::size_t end, const SpanNode* cell) {
    if (is_blank(begin, end, cell)) return;
    open(Kind::td);
    flow(begin, end, cell);
    close();
  }

  [[nodiscard]] bool is_blank(std::size_t begin, std::size_t end, const SpanNode* node) const {
    return node == nullptr && std::all_of(at(begin), at(end), is_white_space);
  }

  [[nodiscard]] std::u32string::const_iterator at(std::size_t place) const {
    return compared_.begin() + static_cast<std::ptrdiff_t>(place);
  }

  // A table is a block: what separates it from the text before is not shown.
  void drop_white_space() {
    is_after_table_ = false;
    if (pieces_.empty() || pieces_.back().kind != Kind::text) return;
    Piece& text = pieces_.back();
    while (text.end > text.begin && is_white_space(compared_[text.end - 1])) --text.end;
    if (text.begin == text.end) pieces_.pop_back();
  }

  // --- Formulas

  void row_of(const SpanNode& node, Atom& last) {
    each_part(node, [this, &last](std::size_t begin, std::size_t end, const SpanNode* child) {
      child != nullptr ? math_child(*child, last) : tokens(begin, end, last);
    });
  }

  void row_of(const SpanNode& node) {
    Atom last;
    row_of(node, last);
  }

  void group(const SpanNode& argument) { group(argument, 0, 0); }
  void group(const SpanNode& argument, std::size_t lead_begin, std::size_t lead_end) {
    open(Kind::mrow, lead_begin, lead_end);
    row_of(argument);
    close();
  }

  // Where the signs end that stand before what the structure holds.
  [[nodiscard]] std::size_t lead_end(const SpanNode& node) const {
    return node.children.empty() ? node.end : nodes_[node.children.front()].begin;
  }

  [[nodiscard]] bool has_arguments(const SpanNode& node, std::size_t count) const {
    return node.children.size() == count && std::ranges::all_of(node.children, [this](std::size_t number) {
             return nodes_[number].kind == Span::Kind::argument;
           });
  }

  void math_child(const SpanNode& node, Atom& last) {
    const std::size_t first = pieces_.size();
    switch (node.kind) {
      case Span::Kind::raised:
      case Span::Kind::lowered:
        return has_arguments(node, 1) ? draw_script(node, last) : row_of(node, last);
      case Span::Kind::figure:
        open(Kind::mtext);
        put_figure(node);
        close();
        break;
      case Span::Kind::words:
        if (!node.children.empty() || node.begin == node.end) return row_of(node, last);
        words(node.begin, node.end);
        break;
      case Span::Kind::environment:
        draw_environment(node);
        break;
      default:
        if (!draw_structure(node)) return row_of(node, last);
    }
    last = first;
  }

  // False where it is none.
  bool draw_structure(const SpanNode& node) {
    const auto argument = [&](std::size_t i) -> const SpanNode& { return nodes_[node.children[i]]; };
    const bool is_one = has_arguments(node, 1);
    const bool is_pair = has_arguments(node, 2);
    if (node.kind == Span::Kind::root && is_one) {
      open(Kind::msqrt, node.begin, lead_end(node));
      row_of(argument(0));
    } else if (node.kind == Span::Kind::accent && is_one) {
      open(Kind::mover);
      group(argument(0));
      shown_[node.begin] = drawn_accent(shown_[node.begin]);
      open(Kind::mo, node.begin, node.begin + 1);
    } else if (node.kind == Span::Kind::binomial && is_pair) {
      draw_binomial(node);
      return true;
    } else if ((node.kind == Span::Kind::fraction || node.kind == Span::Kind::over) && is_pair) {
      open(node.kind == Span::Kind::over ? Kind::mover : Kind::mfrac, node.begin, lead_end(node));
      group(argument(0));
      group(argument(1));
    } else if (node.kind == Span::Kind::nth_root && is_pair) {
      open(Kind::mroot, node.begin, lead_end(node));
      group(argument(1));
      group(argument(0));
    } else {
      return false;
    }
    close();
    return true;
  }

  void draw_binomial(const SpanNode& node) {
    open(Kind::mrow);
    open(Kind::mo, node.begin, node.begin + 1);
    open(Kind::mtable);
    for (const std::size_t number : node.children) {
      begin_row();
      row_of(nodes_[number]);
      end_row();
    }
    close();
    open(Kind::mo, node.end - 1, node.end);
    close();
  }

  void begin_row() {
    open(Kind::mtr);
    open(Kind::mtd);
  }

  void end_row() {
    close();
    close();
  }

  void draw_environment(const SpanNode& node) {
    open(Kind::mtable);
    begin_row();
    Atom last;
    each_part(node, [&](std::size_t begin, std::size_t end, const SpanNode* child) {
      const bool is_row = child != nullptr && child->kind == Span::Kind::next_row;
      const bool is_cell = child != nullptr && child->kind == Span::Kind::next_cell;
      if (is_row && std::all_of(at(end), at(node.end), is_white_space)) return;
      if (!is_row && !is_cell) {
        return child != nullptr ? math_child(*child, last) : tokens(begin, end, last);
      }
      last.reset();
      close();
      if (is_row) close();
      if (is_row) open(Kind::mtr);
      open(Kind::mtd);
    });
    end_row();
    close();
  }

  // A script belongs to the atom before; a raised one to a lowered one and its base. A further script has an
  // empty base, so that no chain of them is deep.
  void draw_script(const SpanNode& node, Atom& last) {
    const bool is_raised = node.kind == Span::Kind::raised;
    const bool is_both = is_raised && last && pieces_[*last].kind == Kind::msub;
    if (is_both) {
      pieces_[*last].kind = Kind::msubsup;
      pieces_.pop_back();
    } else {
      if (!last || pieces_[*last].kind == Kind::msub) {
        last = pieces_.size();
        open(Kind::mrow);
        close();
      }
      const auto base = pieces_.begin() + static_cast<std::ptrdiff_t>(*last);
      pieces_.insert(base, {is_raised ? Kind::msup : Kind::msub});
    }
    group(nodes_[node.children.front()], node.begin, lead_end(node));
    close();
    if (is_raised) last.reset();
  }

  void words(std::size_t begin, std::size_t end) {
    open(Kind::mtext);
    open(Kind::text, begin, end);
    close();
  }

  static bool is_name_letter(char32_t c) {
    return is_letter(c) || (c >= 0xC0 && c < 0x250 && c != U'×' && c != U'÷') || (c >= 0x391 && c < 0x400);
  }
  static bool is_joined(char32_t c) { return c >= 0x300 && c < 0x370; }      // to the character before
  static bool is_of_words(char32_t c) { return c >= 0x2E80 && c < 0xE000; }  // Chinese, and its punctuation

  void tokens(std::size_t begin, std::size_t end, Atom& last) {
    while (begin < end) {
      const char32_t c = compared_[begin];
      std::size_t next = begin + 1;
      if (is_white_space(c)) {
        begin = next;
        continue;
      }
      last = pieces_.size();
      if (is_digit(c)) {
        next = end_of_number(begin, end);
        open(Kind::mn, begin, next);
      } else if (is_of_words(c)) {
        while (next < end && is_of_words(compared_[next])) ++next;
        words(begin, next);
      } else {
        while (next < end && is_joined(compared_[next])) ++next;
        open(is_name_letter(c) ? Kind::mi : Kind::mo, begin, next);
      }
      begin = next;
    }
  }

  [[nodiscard]] std::size_t end_of_number(std::size_t at, std::size_t end) const {
    while (at < end && is_digit(compared_[at])) ++at;
    const bool has_decimals = at + 1 < end && compared_[at] == U'.' && is_digit(compared_[at + 1]);
    if (has_decimals) ++at;
    while (has_decimals && at < end && is_digit(compared_[at])) ++at;
    return at;
  }

  std::vector<SpanNode> nodes_;
  std::u32string compared_;
  std::u32string shown_;
  std::vector<Piece> pieces_;
  bool is_after_table_ = false;
};

// The floating figures, in the order in which an extracted text has their signs, and where they are shown.
std::vector<std::pair<std::u32string, std::size_t>> floating_figures(const Display& display) {
  std::vector<std::pair<std::u32string, std::size_t>> floating;
  for (const Piece& piece : display.pieces) {
    if (piece.kind != Kind::figure || display.figures[piece.figure].in_place) continue;
    floating.emplace_back(refine::to_utf32(signs_of(display.figures[piece.figure])), piece.begin);
  }
  std::ranges::stable_sort(floating, {}, &std::pair<std::u32string, std::size_t>::first);
  return floating;
}

}  // namespace

std::string_view name(Piece::Kind kind) {
  constexpr std::array<std::string_view, 24> names = {"",        "text",  "figure", "mn",    "mi",     "mo",
                                                      "mtext",   "math",  "mrow",   "mfrac", "msup",   "msub",
                                                      "msubsup", "msqrt", "mroot",  "mover", "mtable", "mtr",
                                                      "mtd",     "sup",   "sub",    "table", "tr",     "td"};
  return names.at(static_cast<std::size_t>(kind));
}

bool Display::has_structure() const {
  return std::ranges::any_of(pieces, [](const Piece& piece) { return piece.kind != Kind::text; });
}

Display draw(std::string_view original, std::span<const std::string> images) {
  const std::string well_formed = refine::to_utf8(refine::to_utf32(original));
  const MarkedText marked = read_html(well_formed, true);
  ReadText drawn = read_formulas(marked, images, true);
  if (marked.has_markup) erase_white_space(drawn.text);
  std::vector<Figure> figures = std::move(drawn.figures);
  SpanTree tree(std::move(drawn), max_drawn_depth);
  if (tree.text().size() > max_drawn_bytes) return {};
  std::u32string text = refine::to_utf32(tree.text());
  Display display = Drawer(std::move(tree).nodes(), std::move(text)).draw();
  display.figures = std::move(figures);
  return display;
}

std::vector<std::size_t> places_in(const Display& display, std::string_view extracted) {
  constexpr std::size_t max_differences = 300;
  constexpr char32_t object_replacement = 0xFFFC;
  const std::u32string text = refine::to_utf32(extracted);
  std::vector<std::size_t> places(text.size(), std::string::npos);
  std::u32string_view body = text;
  const auto floating = floating_figures(display);
  for (auto figure = floating.rbegin(); figure != floating.rend() && body.ends_with(figure->first);
       ++figure) {
    body.remove_suffix(figure->first.size());
    std::fill_n(places.begin() + static_cast<std::ptrdiff_t>(body.size()), figure->first.size(),
                figure->second);
  }
  refine::SingleFigures single(body);
  std::ranges::replace_if(single.text, refine::SingleFigures::is_figure, object_replacement);
  for (const refine::AlignedStretch& stretch :
       refine::align(single.text, display.compared, max_differences)) {
    for (std::size_t i = stretch.a_begin; stretch.same && i < stretch.a_end; ++i) {
      const std::size_t place = stretch.b_begin + (i - stretch.a_begin);
      std::fill(places.begin() + static_cast<std::ptrdiff_t>(single.begins[i]),
                places.begin() + static_cast<std::ptrdiff_t>(single.begins[i + 1]), place);
    }
  }
  return places;
}

std::vector<refine::Mark> marks_on(const Display& display, const std::vector<std::size_t>& places,
                                   const std::vector<refine::Mark>& marks) {
  std::vector<unsigned> kinds(display.text.size(), 0U);
  for (const refine::Mark& mark : marks) {
    for (std::size_t i = mark.begin; i < mark.end && i < places.size(); ++i) {
      if (places[i] != std::string::npos) kinds[places[i]] |= mark.kinds;
    }
  }
  return refine::marks_of(kinds);
}

}  // namespace qdedup::markup
