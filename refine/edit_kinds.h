#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "refine/word_edits.h"

namespace qdedup::refine {

// What an edit does to a question: the kind of a Finding (refine/contrast.h).
struct KnownEdit {
  WordEdit edit;
  std::string kind;
};

// The kinds of the edits between two parts of questions, which `edits` are all of. An edit with several
// kinds comes several times, the first time with the one that matters most.
std::vector<KnownEdit> known_edits(const QuestionLayout& a, const QuestionLayout& b, const WordEdits& edits,
                                   bool calculates);

// A filler, a synonym or a misspelling, which make no other question?
bool is_harmless(std::string_view kind);

// May words of this kind come and go? Fillers, query words, measure words that only count,
// complements of verbs; and words that only tell the story, where something is to be calculated.
bool is_function_word(const Token& word, bool calculates);

// Is any of the words no function word?
bool carry_meaning(Words words, bool calculates);

// Is each character of one side written for that of the other by ear or by eye?
bool is_misspelling(const QuestionLayout& a, const QuestionLayout& b, const WordEdit& edit);

}  // namespace qdedup::refine
