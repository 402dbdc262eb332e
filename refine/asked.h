#pragma once

#include <cstdint>

#include "refine/question_layout.h"
#include "refine/word_edits.h"

namespace qdedup::refine {

// What a question asks for, as far as it can be counted.
struct Asked {
  std::int32_t queries = 0;  // query words
  std::int32_t joined = 0;   // things that are joined to another: 鸡和兔各多少只
  std::int32_t things = 0;   // in all
};

Asked asked_by(const QuestionLayout& layout);

// A query word, but for 求.
bool is_query(const Token& word);

// Does each ask something that the other does not: who, how, when or why? 为什么应维护, 应怎样维护
bool ask_for_others(const QuestionLayout& a, const QuestionLayout& b);

// Is one of the words 几分之几 or the like?
bool asks_for_share(const QuestionLayout& layout, Words words);

// Of two questions to be calculated, where only one says in which unit its answer is, and the other gives its
// numbers in it, this adds nothing, as in 一共多少(元): it becomes a filler.
void loosen_asked_units(QuestionLayout& a, QuestionLayout& b);

}  // namespace qdedup::refine
