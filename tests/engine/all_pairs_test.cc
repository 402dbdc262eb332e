// Sweeps of real questions by each kind of rule, against all pairs from the smallest id up.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/in_memory.h"
#include "refine/duplicate_test.h"
#include "refine/words.h"
#include "tests/reference/duplicates.h"
#include "tests/support/conformance_data.h"
#include "tests/support/rules.h"

namespace qdedup::engine {
namespace {

using refine::ComparedText;
using refine::DuplicateSettings;
using refine::FeatureKind;
using refine::SignRule;
using refine::Similarity;

// The twin of edit distances takes some 20 µs a pair, so that these have fewer questions.
struct RealSweep {
  std::size_t questions;
  DuplicateSettings rule;
};

const std::vector<RealSweep>& real_sweeps() {
  static const std::vector<RealSweep> sweeps = {
      {10'000, {.similarity = Similarity::jaccard}},
      {10'000, {.similarity = Similarity::cosine, .signs = SignRule::any, .gram = 3}},
      {2'000, {.signs = SignRule::any}},
      {10'000, {.similarity = Similarity::jaccard, .signs = SignRule::any, .compare = ComparedText::text}},
      {10'000,
       {.similarity = Similarity::jaccard,
        .signs = SignRule::any,
        .compare = ComparedText::text,
        .features = FeatureKind::words}},
      {10'000, {.similarity = Similarity::cosine, .compare = ComparedText::text}},
      {2'000, {.signs = SignRule::any, .compare = ComparedText::text}},
      {3'000, {.similarity = Similarity::lcs, .compare = ComparedText::text}},
      {3'000, {.min_similarity = 81, .similarity = Similarity::lcs, .signs = SignRule::any}},
      {10'000, {.min_similarity = 60, .similarity = Similarity::jaccard, .signs = SignRule::any, .gram = 1}},
  };
  return sweeps;
}

// What is compared of a question, with its features as numbers. Other tests hold that against its twin.
struct NumberedQuestion {
  QuestionId id;
  std::u32string signs;
  std::u32string text;
  std::vector<std::uint32_t> features;
};

class AllPairs {
 public:
  explicit AllPairs(const DuplicateSettings& rule) : rule_(rule) {}

  // By ascending id.
  void add(QuestionId id, const std::string& text) {
    const refine::Parts parts = refine::compared_parts(text, rule_);
    questions_.push_back({id, parts.signs, parts.han, numbers(parts.han)});
  }

  [[nodiscard]] std::vector<refine::Deletion> deletions() const {
    std::vector<refine::Deletion> deletions;
    std::vector<const NumberedQuestion*> kept;
    Marks marks(numbers_.size());
    for (const NumberedQuestion& question : questions_) {
      for (const std::uint32_t feature : question.features) marks[feature] = 1;
      const auto keeper = std::ranges::find_if(
          kept, [&](const NumberedQuestion* each) { return are_duplicates(*each, question, marks); });
      for (const std::uint32_t feature : question.features) marks[feature] = 0;
      if (keeper == kept.end()) {
        kept.push_back(&question);
      } else {
        deletions.push_back({question.id, (*keeper)->id});
      }
    }
    return deletions;
  }

 private:
  using Marks = std::vector<std::uint8_t>;  // for each feature, whether `b` has it

  [[nodiscard]] bool are_duplicates(const NumberedQuestion& a, const NumberedQuestion& b,
                                    const Marks& marks) const {
    if (a.signs != b.signs) return false;
    return refine::set_measure(rule_.similarity) ? are_alike_by_sets(a.features, b.features, marks)
                                                 : are_alike_by_distance(a.text, b.text);
  }

  // The distance is at least the difference of the lengths.
  [[nodiscard]] bool are_alike_by_distance(const std::u32string& a, const std::u32string& b) const {
    const std::size_t longer = std::max(a.size(), b.size());
    const std::size_t shorter = std::min(a.size(), b.size());
    if (shorter * 100 < static_cast<std::size_t>(rule_.min_similarity) * longer) return false;
    return reference::are_alike(a, b, rule_);
  }

  // No more is in common than the smaller set has.
  [[nodiscard]] bool are_alike_by_sets(const std::vector<std::uint32_t>& a,
                                       const std::vector<std::uint32_t>& b, const Marks& marks) const {
    const std::size_t percent = static_cast<std::size_t>(rule_.min_similarity);
    const std::size_t larger = std::max(a.size(), b.size());
    const std::size_t smaller = std::min(a.size(), b.size());
    if (larger == 0) return rule_.signs == SignRule::equal;
    if (smaller == 0) return false;
    const bool by_jaccard = rule_.similarity == Similarity::jaccard;
    if (smaller * (by_jaccard ? 100 : 10'000) < percent * (by_jaccard ? 1 : percent) * larger) return false;
    std::size_t count = 0;
    for (const std::uint32_t feature : a) count += marks[feature];
    if (by_jaccard) return 100 * count >= percent * (a.size() + b.size() - count);
    return 10'000 * count * count >= percent * percent * a.size() * b.size();
  }

  std::vector<std::uint32_t> numbers(const std::u32string& text) {
    std::vector<std::uint32_t> all;
    if (!refine::set_measure(rule_.similarity)) return all;
    const auto take = [&](std::u32string_view feature) {
      const auto number = static_cast<std::uint32_t>(numbers_.size());
      all.push_back(numbers_.try_emplace(std::u32string(feature), number).first->second);
    };
    if (rule_.features == FeatureKind::words) {
      std::ranges::for_each(refine::words_of(text), take);
    } else if (!text.empty() && text.size() < rule_.gram) {
      take(text);
    } else {
      for (std::size_t at = 0; at + rule_.gram <= text.size(); ++at)
        take(std::u32string_view(text).substr(at, rule_.gram));
    }
    std::ranges::sort(all);
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
  }

  DuplicateSettings rule_;
  std::vector<NumberedQuestion> questions_;
  std::map<std::u32string, std::uint32_t> numbers_;
};

std::map<QuestionId, std::string> first_questions(const std::filesystem::path& path, std::size_t count) {
  std::map<QuestionId, std::string> questions;
  std::ifstream file(path);
  for (std::string line; questions.size() < count && std::getline(file, line);) {
    const auto question = nlohmann::json::parse(line);
    questions[question.at("id")] = question.at("text").get<std::string>();
  }
  std::erase_if(questions, [](const auto& question) { return question.second.empty(); });
  return questions;
}

class SweepConformance : public testing::TestWithParam<std::size_t> {};

TEST_P(SweepConformance, ListWhatAllPairsGive) {
  const std::filesystem::path folder = conformance_data();
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no conformance data in " << folder;
  const auto& [count, rule] = real_sweeps()[GetParam()];
  const std::map<QuestionId, std::string> questions = first_questions(folder / "bank.jsonl", count);
  AllPairs twin(rule);
  std::vector<IdentifiedText> texts;
  for (const auto& [id, text] : questions) {
    twin.add(id, text);
    texts.push_back({id, {text}});
  }
  const refine::CharacterCounts characters;
  std::vector<refine::Deletion> listed;
  for (const refine::AnnotatedDeletion& row : sweep(texts, {}, {{rule, {}}, characters}).deletions)
    listed.push_back({row.question, row.keeper});
  EXPECT_FALSE(listed.empty());
  EXPECT_EQ(listed, twin.deletions()) << rule_text(rule);
}

INSTANTIATE_TEST_SUITE_P(Rules, SweepConformance, testing::Range(std::size_t{0}, real_sweeps().size()));

}  // namespace
}  // namespace qdedup::engine
