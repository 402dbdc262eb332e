#pragma once

#include <optional>
#include <string>
#include <vector>

#include "db/bank.h"
#include "markup/display.h"
#include "refine/contrast.h"
#include "refine/pair_marks.h"
#include "review/html.h"

namespace qdedup::review {

// How a question with markup looks; nothing for what the extracted text shows as well.
struct Drawing {
  std::optional<markup::Display> text;
  std::optional<markup::Display> answer;
};

Drawing draw(const db::BankQuestion& question);

// The name by which people know a figure; empty for one without.
std::string shown_name(const markup::Figure& figure);

// An original as people are shown it: what is very long is cut, and says so.
std::string shown_original(const std::string& original);

// What is different about the two sides of a pair.
struct Side {
  Markup open;
  Markup open_difference;
  Markup open_faint_difference;
  Markup close_difference;
  Markup difference_class;  // of an element that is marked as a whole
  Markup faint_class;
  refine::CodePointRange refine::Finding::*range = nullptr;  // of a finding in this side's text
};

inline constexpr Side keep_side{R"(<section class="keep"><h4>Keep <b>)",
                                "<ins>",
                                R"(<ins class="faint">)",
                                "</ins>",
                                R"( class="ins")",
                                R"( class="ins faint")",
                                &refine::Finding::keeper};
inline constexpr Side delete_side{R"(<section class="delete"><h4>Delete <b>)",
                                  "<del>",
                                  R"(<del class="faint">)",
                                  "</del>",
                                  R"( class="del")",
                                  R"( class="del faint")",
                                  &refine::Finding::question};

// One side of a pair: text and answer with what differs, and as they were imported. What is doubtful stands
// after the characters that make it so.
void append_question(Html& html, const db::BankQuestion& question, const std::vector<refine::Mark>& marks,
                     const Side& side, const refine::Contrast& contrast, bool draws);

}  // namespace qdedup::review
