#include "refine/vocabulary.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <map>
#include <set>

#include "base/ascii.h"
#include "base/containers.h"
#include "base/utf8.h"
#include "refine/rule_words.h"
#include "refine/unicode.h"

namespace qdedup::refine {
namespace {

using ListLine = std::vector<std::u32string>;  // its words, in order

// Hands each line of a list of words, separated by white space, to `use`, a Status(const ListLine&); a line
// that starts with # is a comment, an empty line nothing. Fails when the list does not start with a comment
// that says where its words come from, when it has no words, or when a line is not UTF-8; the message starts
// with file:line.
template <class Use>
Status each_line(std::string_view file, std::string_view text, Use use) {
  std::size_t number = 1;
  const auto failure = [&](const std::string& message) {
    return Error{ErrorCode::data, std::string(file) + ":" + std::to_string(number) + ": " + message};
  };
  if (!text.starts_with("# ")) return failure("no comment that says where the words come from");
  bool has_words = false;
  for (number = 0; !text.empty();) {
    ++number;
    const std::string_view line = take_until(text, '\n');
    if (!is_utf8(line)) return failure("not UTF-8");
    if (line.starts_with('#')) continue;
    ListLine words;
    for (const std::string_view word : words_in(line)) words.push_back(to_utf32(word));
    if (words.empty()) continue;
    has_words = true;
    Status used = use(words);
    if (!used.ok()) return failure(used.error().message);
  }
  return has_words ? Status() : failure("no words");
}

Error word_error(const std::u32string& word, std::string_view message) {
  return {ErrorCode::data, to_utf8(word) + ": " + std::string(message)};
}

Status check_chinese(const std::u32string& word) {
  const bool chinese = std::ranges::all_of(word, HanTable<std::uint8_t>::covers);
  return chinese ? Status() : word_error(word, "is not Chinese");
}

// Every two characters of a group are a pair, both ways.
Status add_pairs(const ListLine& group, std::vector<std::pair<char32_t, char32_t>>& pairs) {
  for (const std::u32string& word : group) {
    if (word.size() != 1) return word_error(word, "is not one character");
  }
  for (std::size_t i = 0; i < group.size(); ++i) {
    for (std::size_t j = i + 1; j < group.size(); ++j) {
      if (group[i] == group[j]) return word_error(group[i], "stands twice");
      pairs.emplace_back(group[i].front(), group[j].front());
      pairs.emplace_back(group[j].front(), group[i].front());
    }
  }
  return {};
}

bool contains_pair(const std::vector<std::pair<char32_t, char32_t>>& pairs, char32_t a, char32_t b) {
  return std::ranges::binary_search(pairs, std::pair(a, b));
}

}  // namespace

// Reads the lists of refine/data into a Vocabulary, one after another. Each fails with file:line and what is
// wrong there.
class VocabularyReader {
 public:
  Result<Vocabulary> read(const WordFiles& files) && {
    QDEDUP_TRY(read_synonyms(files.synonyms));
    QDEDUP_TRY(read_kind("fillers.txt", files.fillers, WordKind::filler));
    QDEDUP_TRY(read_kind("plain_words.txt", files.plain_words, WordKind::content));
    QDEDUP_TRY(read_queries(files.queries));
    QDEDUP_TRY(read_kind("calculation_fillers.txt", files.calculation_fillers, WordKind::calculation_filler));
    QDEDUP_TRY(read_kind("classifiers.txt", files.classifiers, WordKind::classifier));
    QDEDUP_TRY(read_kind("negations.txt", files.negations, WordKind::negation));
    QDEDUP_TRY(read_kind("number_words.txt", files.number_words, WordKind::number));
    QDEDUP_TRY(read_kind("units.txt", files.units, WordKind::unit));
    QDEDUP_TRY(read_kind("relations.txt", files.relations, WordKind::relation));
    QDEDUP_TRY(read_kind("complements.txt", files.complements, WordKind::complement));
    QDEDUP_TRY(read_kind("quantities.txt", files.quantities, WordKind::quantity));
    QDEDUP_TRY(read_people(files.people));
    QDEDUP_TRY(read_opposites(files.opposites));
    QDEDUP_TRY(read_pairs("misspellings.txt", files.misspellings, vocabulary_.confusables_));
    QDEDUP_TRY(read_pairs("exchanges.txt", files.exchanges, vocabulary_.exchanges_));
    QDEDUP_TRY(read_homophones(files.homophones));
    finish();
    return std::move(vocabulary_);
  }

 private:
  Word& entry(const std::u32string& spelling) {
    const auto [found, is_new] = words_.try_emplace(spelling);
    if (is_new) {
      const char32_t meaning = spelling.size() == 1 ? spelling.front() : next_meaning_++;
      found->second = {WordKind::content, meaning, spelling.size()};
    }
    return found->second;
  }

  Status set_kind(const std::u32string& spelling, WordKind kind) {
    QDEDUP_TRY(check_chinese(spelling));
    if (!has_kind_.insert(spelling).second) return word_error(spelling, "stands twice in the lists of kinds");
    entry(spelling).kind = kind;
    return {};
  }

  Status read_synonyms(std::string_view text) {
    return each_line("synonyms.txt", text, [this](const ListLine& group) -> Status {
      if (group.size() < 2) return word_error(group.front(), "has no synonym");
      const char32_t meaning = next_meaning_++;
      for (const std::u32string& word : group) {
        QDEDUP_TRY(check_chinese(word));
        if (words_.contains(word)) return word_error(word, "stands twice");
        words_[word] = {WordKind::content, meaning, word.size()};
      }
      return {};
    });
  }

  Status read_kind(std::string_view file, std::string_view text, WordKind kind) {
    return each_line(file, text, [this, kind](const ListLine& words) -> Status {
      for (const std::u32string& word : words) QDEDUP_TRY(set_kind(word, kind));
      return {};
    });
  }

  Status read_queries(std::string_view text) {
    return each_line("queries.txt", text, [this](const ListLine& words) -> Status {
      for (const std::u32string& word : words) {
        QDEDUP_TRY(set_kind(word, WordKind::query));
        vocabulary_.asked_[entry(word).meaning] = entry(words.front()).meaning;
      }
      return {};
    });
  }

  Status read_people(std::string_view text) {
    return each_line("people.txt", text, [this](const ListLine& line) -> Status {
      for (std::size_t i = 1; i < line.size(); ++i) QDEDUP_TRY(add_person_word(line.front(), line[i]));
      return {};
    });
  }

  Status add_person_word(const std::u32string& section, const std::u32string& word) {
    if (section == U"surname" && word.size() == 1) {
      vocabulary_.names_.add(PersonNames::surname, word.front());
    } else if (section == U"given" && word.size() == 1) {
      vocabulary_.names_.add(PersonNames::given, word.front());
    } else if (section == U"title" && word.size() == 2) {
      vocabulary_.names_.titles_.insert(word);
    } else if (section == U"person") {
      return set_kind(word, WordKind::person);
    } else {
      return word_error(word, "does not fit its section");
    }
    return {};
  }

  Status read_opposites(std::string_view text) {
    return each_line("opposites.txt", text, [this](const ListLine& line) -> Status {
      const auto slash = std::ranges::find(line, U"/");
      if (slash == line.begin() || slash == line.end() || slash + 1 == line.end()) {
        return word_error(line.front(), "has no opposite");
      }
      for (auto a = line.begin(); a != slash; ++a) {
        for (auto b = slash + 1; b != line.end(); ++b) {
          QDEDUP_TRY(check_chinese(*a));
          QDEDUP_TRY(check_chinese(*b));
          if (entry(*a).meaning == entry(*b).meaning) return word_error(*a, "is its own opposite");
          vocabulary_.opposites_.emplace_back(entry(*a).meaning, entry(*b).meaning);
          vocabulary_.sides_.insert(vocabulary_.sides_.end(), {entry(*a).meaning, entry(*b).meaning});
        }
      }
      return {};
    });
  }

  static Status read_pairs(std::string_view file, std::string_view text,
                           std::vector<std::pair<char32_t, char32_t>>& pairs) {
    return each_line(file, text, [&pairs](const ListLine& group) { return add_pairs(group, pairs); });
  }

  Status read_homophones(std::string_view text) {
    return each_line("homophones.txt", text, [this](const ListLine& group) -> Status {
      const std::size_t reading = vocabulary_.readings_.size();
      for (const std::u32string& word : group) {
        if (word.size() != 1) return word_error(word, "is not one character");
        if (!vocabulary_.readings_.try_emplace(word.front(), reading).second)
          return word_error(word, "stands twice");
      }
      return {};
    });
  }

  // The words of the vocabulary that begin with a character.
  Vocabulary::ListedWords& listed_with(char32_t first) {
    if (vocabulary_.first_[first] == 0) {
      vocabulary_.words_.emplace_back();
      vocabulary_.first_.set(first, static_cast<std::uint16_t>(vocabulary_.words_.size()));
    }
    return vocabulary_.words_[vocabulary_.first_[first] - 1U];
  }

  // What one of several synonyms does all of them do, if it matters.
  void share_kinds() {
    std::map<char32_t, WordKind> kinds;
    for (const auto& [spelling, word] : words_) {
      if (word.kind >= WordKind::negation && word.kind <= WordKind::person)
        kinds.emplace(word.meaning, word.kind);
    }
    for (auto& [spelling, word] : words_) {
      const auto shared = kinds.find(word.meaning);
      if (word.kind == WordKind::content && shared != kinds.end()) word.kind = shared->second;
    }
  }

  void finish() {
    share_kinds();
    sort_unique(vocabulary_.opposites_);
    sort_unique(vocabulary_.sides_);
    sort_unique(vocabulary_.exchanges_);
    sort_unique(vocabulary_.confusables_);
    for (const auto& [spelling, word] : words_) {
      auto& [seconds, listed] = listed_with(spelling.front());
      if (spelling.size() > 1) seconds.set(Vocabulary::place_of_second(spelling[1]));
      listed.push_back({spelling.substr(1), word});
    }
    for (auto& [seconds, listed] : vocabulary_.words_) {
      std::ranges::stable_sort(listed, std::greater<>(), [](const auto& word) { return word.rest.size(); });
    }
  }

  std::map<std::u32string, Word> words_;
  std::set<std::u32string> has_kind_;
  char32_t next_meaning_ = 0x110000;
  Vocabulary vocabulary_;
};

std::size_t PersonNames::title_length(std::u32string_view text) const {
  constexpr std::size_t length = 2;
  return text.size() >= length && titles_.contains(std::u32string(text.substr(0, length))) ? length : 0;
}

// What follows a surname in a name: a title, 小 with a given name, or a given name of one or two characters.
std::size_t PersonNames::after_surname(std::u32string_view text) const {
  if (const std::size_t title = title_length(text); title > 0) return title;
  if (text.size() < 2) return text.size() == 1 && is_given(text[0]) ? 1 : 0;
  if (text[0] == rule_words::little) return is_given(text[1]) ? 2 : 0;
  if (!is_given(text[0])) return 0;
  return is_given(text[1]) ? 2 : 1;
}

std::size_t PersonNames::length_at_start(std::u32string_view text) const {
  if (text.size() < 2) return 0;
  if (text[0] == rule_words::little || text[0] == rule_words::dear || text[0] == rule_words::old) {
    return (text[0] != rule_words::old && is_given(text[1])) || is_surname(text[1]) ? 2 : 0;
  }
  if (text[0] == text[1] && is_given(text[0])) return 2;
  if (!is_surname(text[0])) return 0;
  const std::size_t rest = after_surname(text.substr(1));
  return rest > 0 ? rest + 1 : 0;
}

Result<Vocabulary> Vocabulary::read(const WordFiles& files) { return VocabularyReader().read(files); }

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
  const auto& [seconds, listed] = words_[place - 1U];
  if (text.size() == 1 || !seconds[place_of_second(text[1])])
    return listed.back().rest.empty() ? &listed.back().word : nullptr;
  const auto fits = [rest = text.substr(1)](const ListedWord& word) {
    return word.rest.empty() || (rest[0] == word.rest[0] && rest.starts_with(word.rest));
  };
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
