#include "refine/vocabulary_reader.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "base/containers.h"
#include "base/utf8.h"
#include "refine/unicode.h"

namespace qdedup::refine {
namespace {

Error list_error(std::string_view file, std::size_t line, std::string_view message) {
  return {ErrorCode::data, std::string(file) + ":" + std::to_string(line) + ": " + std::string(message)};
}

std::vector<std::u32string> words_of(std::string_view line) {
  constexpr std::string_view white = " \t\r";
  std::vector<std::u32string> words;
  std::size_t begin = line.find_first_not_of(white);
  while (begin != std::string_view::npos) {
    const std::size_t end = std::min(line.find_first_of(white, begin), line.size());
    words.push_back(to_utf32(line.substr(begin, end - begin)));
    begin = line.find_first_not_of(white, end);
  }
  return words;
}

// Reads a list and hands each line to `use`, a Status(const std::vector<std::u32string>&).
template <class Use>
Status each_line(std::string_view file, std::string_view text, Use use) {
  QDEDUP_ASSIGN_OR_RETURN(const std::vector<WordLine> lines, read_word_list(file, text));
  for (const WordLine& line : lines) {
    Status used = use(line.words);
    if (!used.ok()) return list_error(file, line.number, used.error().message);
  }
  return {};
}

Error word_error(const std::u32string& word, std::string_view message) {
  return {ErrorCode::data, to_utf8(word) + ": " + std::string(message)};
}

Status check_chinese(const std::u32string& word) {
  const bool chinese = std::ranges::all_of(word, HanTable<std::uint8_t>::covers);
  return chinese ? Status() : word_error(word, "is not Chinese");
}

void add_both_ways(std::vector<std::pair<char32_t, char32_t>>& pairs, char32_t a, char32_t b) {
  pairs.emplace_back(a, b);
  pairs.emplace_back(b, a);
}

// Every two characters of a group are a pair.
Status add_pairs(const std::vector<std::u32string>& group,
                 std::vector<std::pair<char32_t, char32_t>>& pairs) {
  for (const std::u32string& word : group) {
    if (word.size() != 1) return word_error(word, "is not one character");
  }
  for (std::size_t i = 0; i < group.size(); ++i) {
    for (std::size_t j = i + 1; j < group.size(); ++j) {
      if (group[i] == group[j]) return word_error(group[i], "stands twice");
      add_both_ways(pairs, group[i].front(), group[j].front());
    }
  }
  return {};
}

}  // namespace

Result<std::vector<WordLine>> read_word_list(std::string_view file, std::string_view text) {
  if (!text.starts_with("# ")) return list_error(file, 1, "no comment that says where the words come from");
  std::vector<WordLine> lines;
  std::size_t number = 0;
  while (!text.empty()) {
    ++number;
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!is_utf8(line)) return list_error(file, number, "not UTF-8");
    if (line.starts_with('#')) continue;
    if (std::vector<std::u32string> words = words_of(line); !words.empty()) {
      lines.push_back({number, std::move(words)});
    }
  }
  if (lines.empty()) return list_error(file, number, "no words");
  return lines;
}

Word& VocabularyReader::entry(const std::u32string& spelling) {
  const auto [found, is_new] = words_.try_emplace(spelling);
  if (is_new) {
    const char32_t meaning = spelling.size() == 1 ? spelling.front() : next_meaning_++;
    found->second = {WordKind::content, meaning, spelling.size()};
  }
  return found->second;
}

Status VocabularyReader::set_kind(const std::u32string& spelling, WordKind kind) {
  QDEDUP_TRY(check_chinese(spelling));
  if (!has_kind_.insert(spelling).second) return word_error(spelling, "stands twice in the lists of kinds");
  entry(spelling).kind = kind;
  return {};
}

Status VocabularyReader::read_synonyms(std::string_view text) {
  return each_line("synonyms.txt", text, [this](const Words& group) -> Status {
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

Status VocabularyReader::read_kind(std::string_view file, std::string_view text, WordKind kind) {
  return each_line(file, text, [this, kind](const Words& words) -> Status {
    for (const std::u32string& word : words) QDEDUP_TRY(set_kind(word, kind));
    return {};
  });
}

Status VocabularyReader::read_queries(std::string_view text) {
  return each_line("queries.txt", text, [this](const Words& words) -> Status {
    for (const std::u32string& word : words) {
      QDEDUP_TRY(set_kind(word, WordKind::query));
      vocabulary_.asked_[entry(word).meaning] = entry(words.front()).meaning;
    }
    return {};
  });
}

Status VocabularyReader::add_person_words(const std::u32string& section, const Words& words) {
  for (const std::u32string& word : words) {
    if (section == U"surname" && word.size() == 1) {
      vocabulary_.names_.add_surname(word.front());
    } else if (section == U"given" && word.size() == 1) {
      vocabulary_.names_.add_given(word.front());
    } else if (section == U"title" && word.size() == 2) {
      vocabulary_.names_.add_title(word);
    } else if (section == U"person") {
      QDEDUP_TRY(set_kind(word, WordKind::person));
    } else {
      return word_error(word, "does not fit its section");
    }
  }
  return {};
}

Status VocabularyReader::read_people(std::string_view text) {
  return each_line("people.txt", text, [this](const Words& line) -> Status {
    return add_person_words(line.front(), Words(line.begin() + 1, line.end()));
  });
}

Status VocabularyReader::add_opposites(const Words& line) {
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
}

Status VocabularyReader::read_opposites(std::string_view text) {
  return each_line("opposites.txt", text, [this](const Words& line) { return add_opposites(line); });
}

Status VocabularyReader::read_misspellings(std::string_view text) {
  return each_line("misspellings.txt", text,
                   [this](const Words& group) { return add_pairs(group, vocabulary_.confusables_); });
}

Status VocabularyReader::add_homophones(const Words& group) {
  const std::size_t reading = vocabulary_.readings_.size();
  for (const std::u32string& word : group) {
    if (word.size() != 1) return word_error(word, "is not one character");
    if (!vocabulary_.readings_.try_emplace(word.front(), reading).second)
      return word_error(word, "stands twice");
  }
  return {};
}

Status VocabularyReader::read_exchanges(std::string_view text) {
  return each_line("exchanges.txt", text,
                   [this](const Words& group) { return add_pairs(group, vocabulary_.exchanges_); });
}

Status VocabularyReader::read_homophones(std::string_view text) {
  return each_line("homophones.txt", text, [this](const Words& group) { return add_homophones(group); });
}

// The words of the vocabulary that begin with a character.
std::vector<Vocabulary::ListedWord>& VocabularyReader::listed_with(char32_t first) {
  if (vocabulary_.first_[first] == 0) {
    vocabulary_.words_.emplace_back();
    vocabulary_.first_.set(first, static_cast<std::uint16_t>(vocabulary_.words_.size()));
  }
  return vocabulary_.words_[vocabulary_.first_[first] - 1U];
}

// What one of several synonyms does all of them do, if it matters.
void VocabularyReader::share_kinds() {
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

Vocabulary VocabularyReader::finish() && {
  share_kinds();
  sort_unique(vocabulary_.opposites_);
  sort_unique(vocabulary_.sides_);
  sort_unique(vocabulary_.exchanges_);
  sort_unique(vocabulary_.confusables_);
  for (const auto& [spelling, word] : words_)
    listed_with(spelling.front()).push_back({spelling.substr(1), word});
  for (auto& listed : vocabulary_.words_) {
    std::ranges::stable_sort(listed, std::greater<>(), [](const auto& word) { return word.rest.size(); });
  }
  return std::move(vocabulary_);
}

}  // namespace qdedup::refine
