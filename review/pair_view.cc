#include "review/pair_view.h"

#include <algorithm>
#include <string_view>

#include "refine/pair_marks.h"
#include "review/question_view.h"

namespace qdedup::review {

namespace {

void append_sides(Html& html, const DeletionEntry& entry, bool draws) {
  const refine::PairMarks marks = refine::mark_pair(entry.question.text, entry.keeper.text);
  html.markup(R"(<div class="sides">)");
  append_question(html, entry.keeper, marks.keeper, keep_side, entry.contrast, draws);
  append_question(html, entry.question, marks.question, delete_side, entry.contrast, draws);
  html.markup("</div>\n");
}

void append_likeness(Html& html, const DeletionEntry& entry) {
  const auto common = entry.row.length - std::min(entry.row.distance, entry.row.length);
  html.markup(R"(<p class="likeness"><b>)").percent(hundredths_of_percent(common, entry.row.length));
  html.markup(" %</b> similar");
  if (!entry.row.by_sets)
    html.markup(", distance ").count(entry.row.distance).markup(" of ").count(entry.row.length);
  html.markup("</p>");
}

void append_tags(Html& html, const DeletionEntry& entry) {
  html.markup(R"(<ul class="tags">)");
  html.markup(R"(<li class="confidence">)").text(name(entry.row.confidence)).markup("</li>");
  const auto hundredths_of_percent = static_cast<std::uint64_t>(entry.row.risk.ten_thousandths());
  html.markup(R"(<li class="risk">risk )").percent(hundredths_of_percent).markup(" %</li>");
  for (const std::string_view reason : entry.row.reasons.all()) {
    html.markup("<li>").text(reason).markup("</li>");
  }
  if (!entry.question.text.empty() && entry.question.text == entry.keeper.text)
    html.markup("<li>same text</li>");
  html.markup("</ul>");
}

// The class that the stylesheet and the filter of the report go by.
Markup pair_class(const DeletionEntry& entry) {
  return entry.row.confidence == refine::Confidence::safe ? Markup("pair safe") : Markup("pair doubtful");
}

}  // namespace

void append_pair(Html& html, std::uint64_t number, const DeletionEntry& entry, bool draws) {
  html.markup(R"(<article class=")").markup(pair_class(entry)).markup(R"(" id="q)").digits(entry.question.id);
  html.markup(R"("><header><h3><a href="#q)").digits(entry.question.id).markup("\">Pair ").count(number);
  html.markup("</a></h3>");
  append_likeness(html, entry);
  append_tags(html, entry);
  html.markup(R"(<p class="status">)").text(name(entry.row.status)).markup("</p></header>\n");
  append_sides(html, entry, draws);
  if (!entry.row.note.empty()) {
    html.markup(R"(<p class="note"><b>Note</b> <span dir="auto">)")
        .text(entry.row.note)
        .markup("</span></p>");
  }
  html.markup("</article>\n");
}

}  // namespace qdedup::review
