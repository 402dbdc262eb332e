#include "review/pair_view.h"

#include <algorithm>
#include <string>
#include <vector>

#include "refine/pair_marks.h"
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

// What is different about the two sides.
struct Side {
  Markup open;
  Markup open_difference;
  Markup open_faint_difference;
  Markup close_difference;
  refine::CodePointRange refine::Finding::*range = nullptr;  // of a finding in this side's text
};

constexpr Side keep_side{R"(<section class="keep"><h4>Keep <b>)", "<ins>", R"(<ins class="faint">)", "</ins>",
                         &refine::Finding::keeper};
constexpr Side delete_side{R"(<section class="delete"><h4>Delete <b>)", "<del>", R"(<del class="faint">)",
                           "</del>", &refine::Finding::question};

bool touches(const refine::CodePointRange& range, const refine::Mark& mark) {
  return range.begin < mark.end && (range.end > mark.begin || range.begin == mark.begin);
}

// Why the pair is doubtful, after the characters that make it so; each reason once.
void append_doubts(Html& html, const refine::Mark& mark, const Side& side,
                   std::vector<refine::Finding>& doubts) {
  const auto here = std::stable_partition(doubts.begin(), doubts.end(), [&](const refine::Finding& doubt) {
    return !touches(doubt.*side.range, mark);
  });
  std::for_each(here, doubts.end(), [&](const refine::Finding& doubt) {
    html.markup(R"(<small class="why">)").text(doubt.kind).markup("</small>");
  });
  doubts.erase(here, doubts.end());
}

void append_text(Html& html, const std::u32string& question, const std::vector<refine::Mark>& marks,
                 const Side& side, std::vector<refine::Finding> doubts) {
  if (question.empty()) {
    html.markup(R"(<p class="gone">No text: this question is empty, or left the bank.</p>)");
    return;
  }
  html.markup(R"(<p class="text" lang="zh" dir="auto">)");
  const std::u32string_view text = question;
  std::size_t shown = 0;
  for (const refine::Mark& mark : differences_of(marks)) {
    html.text(text.substr(shown, mark.begin - shown));
    html.markup((mark.kinds & refine::faint) != 0 ? side.open_faint_difference : side.open_difference);
    append_difference(html, text.substr(mark.begin, mark.end - mark.begin));
    html.markup(side.close_difference);
    append_doubts(html, mark, side, doubts);
    shown = mark.end;
  }
  html.text(text.substr(shown)).markup("</p>");
}

void append_side(Html& html, const db::BankQuestion& question, const std::vector<refine::Mark>& marks,
                 const Side& side, const refine::Contrast& contrast) {
  html.markup(side.open).digits(question.id).markup("</b></h4>");
  append_text(html, refine::to_utf32(question.text), marks, side, contrast.reasons);
  if (question.answer) {
    html.markup(R"(<p class="answer">Answer: <span lang="zh" dir="auto">)");
    html.text(*question.answer).markup("</span></p>");
  }
  html.markup("</section>");
}

void append_sides(Html& html, const DeletionEntry& entry) {
  const refine::PairMarks marks = refine::mark_pair(entry.question.text, entry.keeper.text);
  html.markup(R"(<div class="sides">)");
  append_side(html, entry.keeper, marks.keeper, keep_side, entry.contrast);
  append_side(html, entry.question, marks.question, delete_side, entry.contrast);
  html.markup("</div>\n");
}

void append_likeness(Html& html, const DeletionEntry& entry) {
  const auto common = entry.length - std::min(entry.distance, entry.length);
  html.markup(R"(<p class="likeness"><b>)").percent(hundredths_of_percent(common, entry.length));
  html.markup(" %</b> similar, distance ").count(entry.distance);
  html.markup(" of ").count(entry.length).markup("</p>");
}

void append_tags(Html& html, const DeletionEntry& entry) {
  html.markup(R"(<ul class="tags">)");
  html.markup(R"(<li class="confidence">)").text(name(entry.confidence)).markup("</li>");
  for (const std::string_view reason : entry.reasons.all()) {
    html.markup("<li>").text(reason).markup("</li>");
  }
  if (!entry.question.text.empty() && entry.question.text == entry.keeper.text)
    html.markup("<li>same text</li>");
  html.markup("</ul>");
}

// The class that the stylesheet and the filter of the report go by.
Markup pair_class(const DeletionEntry& entry) {
  return entry.confidence == refine::Confidence::safe ? Markup("pair safe") : Markup("pair doubtful");
}

}  // namespace

void append_pair(Html& html, std::uint64_t number, const DeletionEntry& entry) {
  html.markup(R"(<article class=")").markup(pair_class(entry)).markup(R"(" id="q)").digits(entry.delete_id);
  html.markup(R"("><header><h3><a href="#q)").digits(entry.delete_id).markup("\">Pair ").count(number);
  html.markup("</a></h3>");
  append_likeness(html, entry);
  append_tags(html, entry);
  html.markup(R"(<p class="status">)").text(name(entry.status)).markup("</p></header>\n");
  append_sides(html, entry);
  if (!entry.note.empty()) {
    html.markup(R"(<p class="note"><b>Note</b> <span dir="auto">)").text(entry.note).markup("</span></p>");
  }
  html.markup("</article>\n");
}

}  // namespace qdedup::review
