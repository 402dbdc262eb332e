#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/question_id.h"
#include "finder/text_scheme.h"

namespace qdedup::reference {

// The slow twin of finder::TextIndex: keeps the texts, and holds each against every other by the scheme's
// measure.
class NearTexts {
 public:
  explicit NearTexts(const finder::TextScheme& scheme) : scheme_(scheme) {}

  void add(QuestionId id, std::uint64_t arrival, std::u32string text) {
    texts_[id] = {arrival, std::move(text)};
  }
  bool remove(QuestionId id) { return texts_.erase(id) > 0; }
  bool arrived(QuestionId id, std::uint64_t arrival);
  std::size_t expire(std::uint64_t before);
  [[nodiscard]] std::size_t size() const { return texts_.size(); }

  // All that are near, whether they share a key or not; and those that do.
  [[nodiscard]] std::vector<QuestionId> near(const std::u32string& text) const;
  [[nodiscard]] std::vector<QuestionId> near_by_key(const std::u32string& text) const;

 private:
  struct Text {
    std::uint64_t arrival;
    std::u32string text;
  };

  const finder::TextScheme& scheme_;
  std::map<QuestionId, Text> texts_;
};

}  // namespace qdedup::reference
