#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/question_id.h"
#include "finder/han_query.h"

namespace qdedup::finder {

// Some questions that can be added one by one, and are looked through: those with the same signs. About 90
// bytes a question.
class LooseQuestions {
 public:
  void add(QuestionId id, std::uint64_t sign_fingerprint, std::u32string_view han);
  void add(const LooseQuestions& others);

  // Adds the ids of those that may be duplicates of a question with these signs.
  void find(std::uint64_t sign_fingerprint, const HanQuery& query, std::vector<QuestionId>& found) const;

  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  static constexpr std::size_t width = sketch_widths - 1;

  struct Question {
    QuestionId id;
    std::size_t length;
    std::array<std::uint64_t, sketch_words(width)> sketch;
  };

  std::unordered_map<std::uint64_t, std::vector<Question>> groups_;
  std::size_t size_ = 0;
};

}  // namespace qdedup::finder
