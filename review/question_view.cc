#include "review/question_view.h"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>

#include "base/utf8.h"
#include "db/fingerprints.h"
#include "refine/duplicate_test.h"
#include "refine/unicode.h"

namespace qdedup::review {

namespace {

// The stretches of a text that differ from the other one.
std::vector<refine::Mark> differences_of(const std::vector<refine::Mark>& marks) {
  std::vector<refine::Mark> differences;
  for (refine::Mark mark : marks) {
    mark.kinds &= refine::differs | refine::faint;
    if (mark.kinds == 0) continue;
    if (!differences.empty() && differences.back().end == mark.begin &&
        differences.back().kinds == mark.kinds) {
      differences.back().end = mark.end;
    } else {
      differences.push_back(mark);
    }
  }
  return differences;
}

// Line feeds that differ get a sign, because nobody sees them otherwise.
void append_difference(Html& html, std::u32string_view text) {
  while (!text.empty()) {
    const auto line = text.substr(0, text.find(U'\n'));
    html.text(line);
    text.remove_prefix(line.size());
    if (text.empty()) return;
    html.markup("<span class=\"newline\">\n</span>");
    text.remove_prefix(1);
  }
}

bool touches(const refine::CodePointRange& range, const refine::Mark& mark) {
  return range.begin < mark.end && (range.end > mark.begin || range.begin == mark.begin);
}

bool is_of_whole_texts(const refine::Finding& doubt) {
  return doubt.keeper.begin == doubt.keeper.end && doubt.question.begin == doubt.question.end;
}

// Why the pair is doubtful, after the characters that make it so; each reason once.
void append_doubts(Html& html, const refine::Mark& mark, const Side& side,
                   std::vector<refine::Finding>& doubts) {
  const auto here = std::stable_partition(doubts.begin(), doubts.end(), [&](const refine::Finding& doubt) {
    return is_of_whole_texts(doubt) || !touches(doubt.*side.range, mark);
  });
  std::for_each(here, doubts.end(), [&](const refine::Finding& doubt) {
    html.markup(R"(<small class="why">)").text(doubt.kind).markup("</small>");
  });
  doubts.erase(here, doubts.end());
}

// Shows a text with its differences.
class TextView {
 public:
  TextView(Html& html, std::u32string_view text, const std::vector<refine::Mark>& marks, const Side& side,
           std::vector<refine::Finding> doubts)
      : html_(html), text_(text), marks_(differences_of(marks)), side_(side), doubts_(std::move(doubts)) {}

  void append_all() { append(0, text_.size()); }

  void append(const markup::Display& display) {
    for (const markup::Piece& piece : display.pieces) {
      if (piece.kind == Kind::text) {
        append(piece.begin, piece.end);
      } else if (piece.kind == Kind::figure) {
        append_figure(piece, display.figures[piece.figure]);
      } else if (piece.kind == Kind::end) {
        end_element();
      } else {
        begin_element(piece);
        if (!piece.is_shown()) continue;
        html_.text(text_.substr(piece.begin, piece.end - piece.begin));
        end_element();
      }
    }
  }

 private:
  using Kind = markup::Piece::Kind;

  void append(std::size_t begin, std::size_t end) {
    for (auto mark = mark_behind(begin); mark != marks_.end() && mark->begin < end; ++mark) {
      const std::size_t first = std::max(begin, mark->begin);
      html_.text(text_.substr(begin, first - begin));
      begin = std::min(end, mark->end);
      html_.markup(is_faint(*mark) ? side_.open_faint_difference : side_.open_difference);
      append_difference(html_, text_.substr(first, begin - first));
      html_.markup(side_.close_difference);
      explain(*mark);
    }
    html_.text(text_.substr(begin, end - begin));
  }

  // The first that does not end before.
  [[nodiscard]] std::vector<refine::Mark>::const_iterator mark_behind(std::size_t begin) const {
    return std::ranges::upper_bound(marks_, begin, {}, &refine::Mark::end);
  }

  // The difference that a piece has; null for none.
  [[nodiscard]] const refine::Mark* difference_in(const markup::Piece& piece) const {
    const auto mark = mark_behind(piece.begin);
    return mark != marks_.end() && mark->begin < piece.end ? &*mark : nullptr;
  }

  static bool is_faint(const refine::Mark& mark) { return (mark.kinds & refine::faint) != 0; }

  void begin_element(const markup::Piece& piece) {
    open_.push_back(piece.kind);
    html_.markup("<").text(name(piece.kind));
    if (const refine::Mark* mark = difference_in(piece)) {
      html_.markup(is_faint(*mark) ? side_.faint_class : side_.difference_class);
      marked_.push_back(*mark);
    }
    html_.markup(">");
  }

  void append_figure(const markup::Piece& piece, const markup::Figure& figure) {
    const refine::Mark* mark = difference_in(piece);
    if (mark != nullptr) html_.markup(side_.open_difference);
    const std::string name = shown_name(figure);
    html_.markup(R"(<span class="figure">figure)").text(name.empty() ? name : " " + name).markup("</span>");
    if (mark == nullptr) return;
    html_.markup(side_.close_difference);
    explain(*mark);
  }

  void end_element() {
    html_.markup("</").text(name(open_.back())).markup(">");
    open_.pop_back();
    if (!open_.empty()) return;
    for (const refine::Mark& mark : marked_) append_doubts(html_, mark, side_, doubts_);
    marked_.clear();
  }

  // Reasons may not stand within a formula, so they follow it.
  void explain(const refine::Mark& mark) {
    if (!open_.empty()) return marked_.push_back(mark);
    append_doubts(html_, mark, side_, doubts_);
  }

  Html& html_;
  std::u32string_view text_;
  std::vector<refine::Mark> marks_;
  const Side& side_;
  std::vector<refine::Finding> doubts_;
  std::vector<Kind> open_;            // elements
  std::vector<refine::Mark> marked_;  // in what is open
};

// Where a range of the extracted text is in its drawing.
refine::CodePointRange range_on(const std::vector<std::size_t>& places, const refine::CodePointRange& range) {
  refine::CodePointRange found{std::string::npos, 0};
  for (std::size_t i = range.begin; i < std::min(range.end, places.size()); ++i) {
    if (places[i] == std::string::npos) continue;
    found.begin = std::min(found.begin, places[i]);
    found.end = std::max(found.end, places[i] + 1);
  }
  return found.end > 0 ? found : refine::CodePointRange{0, 0};
}

void append_drawing(Html& html, const markup::Display& display, const std::string& extracted,
                    const std::vector<refine::Mark>& marks, const Side& side,
                    std::vector<refine::Finding> doubts) {
  const std::vector<std::size_t> places = places_in(display, extracted);
  for (refine::Finding& doubt : doubts) doubt.*side.range = range_on(places, doubt.*side.range);
  TextView view(html, display.text, marks_on(display, places, marks), side, std::move(doubts));
  view.append(display);
}

void append_text(Html& html, const db::BankQuestion& question, const Drawing& drawing,
                 const std::vector<refine::Mark>& marks, const Side& side,
                 const std::vector<refine::Finding>& doubts) {
  if (question.text.empty()) {
    html.markup(R"(<p class="gone">No text: this question is empty, or left the bank.</p>)");
  } else if (drawing.text) {
    html.markup(R"(<div class="text drawn" lang="zh" dir="auto">)");
    append_drawing(html, *drawing.text, question.text, marks, side, doubts);
    html.markup("</div>");
  } else {
    html.markup(R"(<p class="text" lang="zh" dir="auto">)");
    TextView(html, refine::to_utf32(question.text), marks, side, doubts).append_all();
    html.markup("</p>");
  }
}

void append_answer(Html& html, const std::string& answer, const Drawing& drawing, const Side& side) {
  if (drawing.answer) {
    html.markup(R"(<div class="answer">Answer: <span lang="zh" dir="auto">)");
    append_drawing(html, *drawing.answer, answer, {}, side, {});
    html.markup("</span></div>");
  } else {
    html.markup(R"(<p class="answer">Answer: <span lang="zh" dir="auto">)");
    html.text(answer).markup("</span></p>");
  }
}

void append_original(Html& html, const db::OriginalQuestion& original) {
  if (!original.text && !original.answer) return;
  html.markup(R"(<details class="original"><summary>Original text</summary>)");
  for (const auto* each : {&original.text, &original.answer}) {
    if (*each) html.markup(R"(<p lang="zh" dir="auto">)").text(shown_original(**each)).markup("</p>");
  }
  html.markup("</details>");
}

std::optional<markup::Display> structured(markup::Display display) {
  if (!display.has_structure()) return std::nullopt;
  return display;
}

}  // namespace

std::string shown_original(const std::string& original) {
  constexpr std::size_t longest = refine::max_compared_bytes;
  if (original.size() <= longest) return original;
  const std::string_view shown = whole_characters(original, longest);
  return std::string(shown) + " … (" + std::to_string(original.size() - shown.size()) + " more bytes)";
}

Drawing draw(const db::BankQuestion& question) {
  Drawing drawing;
  if (!question.text.empty()) {
    drawing.text = structured(markup::draw(question.original_text(), db::images_of(question)));
  }
  if (const auto& answer = question.original_answer()) drawing.answer = structured(markup::draw(*answer));
  return drawing;
}

std::string shown_name(const markup::Figure& figure) {
  return figure.name.starts_with("data:") ? std::string() : figure.name;
}

void append_question(Html& html, const db::BankQuestion& question, const std::vector<refine::Mark>& marks,
                     const Side& side, const refine::Contrast& contrast, bool draws) {
  const Drawing drawing = draws ? draw(question) : Drawing();
  html.markup(side.open).digits(question.id).markup("</b></h4>");
  append_text(html, question, drawing, marks, side, contrast.reasons);
  if (question.answer) append_answer(html, *question.answer, drawing, side);
  append_original(html, question.original);
  html.markup("</section>");
}

}  // namespace qdedup::review
