#include "refine/vocabulary.h"

#include <algorithm>
#include <cstdlib>

#include "refine/vocabulary_reader.h"

namespace qdedup::refine {
namespace {

Status read_kinds(VocabularyReader& reader, const WordFiles& files) {
  QDEDUP_TRY(reader.read_kind("fillers.txt", files.fillers, WordKind::filler));
  QDEDUP_TRY(reader.read_kind("plain_words.txt", files.plain_words, WordKind::content));
  QDEDUP_TRY(reader.read_queries(files.queries));
  QDEDUP_TRY(
      reader.read_kind("calculation_fillers.txt", files.calculation_fillers, WordKind::calculation_filler));
  QDEDUP_TRY(reader.read_kind("classifiers.txt", files.classifiers, WordKind::classifier));
  QDEDUP_TRY(reader.read_kind("negations.txt", files.negations, WordKind::negation));
  QDEDUP_TRY(reader.read_kind("number_words.txt", files.number_words, WordKind::number));
  QDEDUP_TRY(reader.read_kind("units.txt", files.units, WordKind::unit));
  QDEDUP_TRY(reader.read_kind("relations.txt", files.relations, WordKind::relation));
  QDEDUP_TRY(reader.read_kind("complements.txt", files.complements, WordKind::complement));
  return reader.read_kind("quantities.txt", files.quantities, WordKind::quantity);
}

bool contains_pair(const std::vector<std::pair<char32_t, char32_t>>& pairs, char32_t a, char32_t b) {
  return std::ranges::binary_search(pairs, std::pair(a, b));
}

}  // namespace

Result<Vocabulary> Vocabulary::read(const WordFiles& files) {
  VocabularyReader reader;
  QDEDUP_TRY(reader.read_synonyms(files.synonyms));
  QDEDUP_TRY(read_kinds(reader, files));
  QDEDUP_TRY(reader.read_people(files.people));
  QDEDUP_TRY(reader.read_opposites(files.opposites));
  QDEDUP_TRY(reader.read_misspellings(files.misspellings));
  QDEDUP_TRY(reader.read_exchanges(files.exchanges));
  QDEDUP_TRY(reader.read_homophones(files.homophones));
  return std::move(reader).finish();
}

const Vocabulary& Vocabulary::instance() {
  static const Result<Vocabulary> vocabulary = read(word_files());
  if (!vocabulary.ok()) std::abort();  // a test reads the lists, so that malformed ones cannot be shipped
  return *vocabulary;
}

Word Vocabulary::first_word(std::u32string_view text) const {
  Word first{WordKind::content, text.front(), 1};
  if (const Word* const listed = listed_word(text)) first = *listed;
  const std::size_t name = name_length(text);
  if (name > first.length) {
    return {WordKind::person, 0, name};
  }
  return first;
}

const Word* Vocabulary::listed_word(std::u32string_view text) const {
  const std::uint16_t place = first_[text.front()];
  if (place == 0) return nullptr;
  const std::vector<ListedWord>& listed = words_[place - 1U];
  const auto fits = [rest = text.substr(1)](const ListedWord& word) { return rest.starts_with(word.rest); };
  const auto found = std::ranges::find_if(listed, fits);
  return found == listed.end() ? nullptr : &found->word;
}

// The last of three characters may begin a longer word: 李强平均 is 李强 and 平均.
std::size_t Vocabulary::name_length(std::u32string_view text) const {
  const std::size_t length = names_.length_at_start(text);
  if (length < 3) return length;
  const Word* const next = listed_word(text.substr(length - 1));
  return next != nullptr && next->length > 1 ? length - 1 : length;
}

bool Vocabulary::opposites(char32_t a, char32_t b) const { return contains_pair(opposites_, a, b); }

bool Vocabulary::has_opposite(char32_t meaning) const { return std::ranges::binary_search(sides_, meaning); }

char32_t Vocabulary::asked_by(char32_t query) const { return asked_.at(query); }

bool Vocabulary::confusable(char32_t a, char32_t b) const { return contains_pair(confusables_, a, b); }

bool Vocabulary::exchangeable(char32_t a, char32_t b) const { return contains_pair(exchanges_, a, b); }

bool Vocabulary::homophones(char32_t a, char32_t b) const {
  const auto a_reading = readings_.find(a);
  const auto b_reading = readings_.find(b);
  return a_reading != readings_.end() && b_reading != readings_.end() &&
         a_reading->second == b_reading->second;
}

}  // namespace qdedup::refine
