#include "refine/difference_words.h"

#include <algorithm>

#include "refine/rule_words.h"
#include "refine/vocabulary.h"

namespace qdedup::refine {
namespace {

constexpr std::size_t longest_place_name = 5;  // in characters

// A single character may be part of a name although a list has it, but for signs, numbers and negations.
bool may_be_in_name(const Token& token) {
  const WordKind kind = token.word.kind;
  return is_unlisted(token) || (token.word.length == 1 && kind != WordKind::sign &&
                                kind != WordKind::number && kind != WordKind::negation);
}

// 万 of 宁化万福隆
bool is_within_name(const Token& token, Words words) {
  return token.word.kind == WordKind::number && &token != &words.front() && &token != &words.back() &&
         is_unlisted(*(&token - 1)) && is_unlisted(*(&token + 1));
}

}  // namespace

bool one_sided(const Difference& difference) { return difference.a.empty() || difference.b.empty(); }

Words added(const Difference& difference) { return difference.a.empty() ? difference.b : difference.a; }

bool is_query(const Token& token) {
  return token.word.kind == WordKind::query && token.word.meaning != rule_words::request;
}

bool is_unlisted(const Token& token) {
  return token.word.kind == WordKind::content && !Vocabulary::instance().has_opposite(token.word.meaning);
}

bool all_unlisted(const Difference& difference) {
  return std::ranges::all_of(difference.a, is_unlisted) && std::ranges::all_of(difference.b, is_unlisted);
}

bool any_unlisted(const Difference& difference) {
  return std::ranges::any_of(difference.a, is_unlisted) || std::ranges::any_of(difference.b, is_unlisted);
}

bool is_complement(const Difference& difference) {
  return difference.a.size() + difference.b.size() == 1 && added(difference).front().complements;
}

bool may_name_place(Words words) {
  std::size_t length = 0;
  for (const Token& token : words) length += token.word.length;
  return words.empty() || (length >= 2 && length <= longest_place_name &&
                           std::ranges::all_of(words, [words](const Token& token) {
                             return may_be_in_name(token) || is_within_name(token, words);
                           }));
}

bool may_be_phrase(Words words) {
  const auto unlisted = static_cast<std::size_t>(std::ranges::count_if(words, is_unlisted));
  return unlisted >= 2 && unlisted * 2 >= words.size() && std::ranges::all_of(words, [](const Token& token) {
           return token.word.length == 1 || is_unlisted(token);
         });
}

bool is_description(Words words) {
  const auto unlisted = static_cast<std::size_t>(std::ranges::count_if(words, is_unlisted));
  return unlisted >= 3 && unlisted * 4 >= words.size() * 3 &&
         std::ranges::all_of(words, [](const Token& token) {
           return is_unlisted(token) || (token.word.length == 1 && token.word.kind != WordKind::relation);
         });
}

}  // namespace qdedup::refine
