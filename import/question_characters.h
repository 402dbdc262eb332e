#pragma once

#include <cstdint>
#include <string_view>

#include "db/bank_import.h"
#include "refine/character_counts.h"
#include "refine/unicode.h"

namespace qdedup::import {

// Counts the characters of questions for the bank, each distinct one of a text once.
class QuestionCharacters final : public db::CharacterTally {
 public:
  void enter(std::string_view text) override;
  void enter(const refine::DecodedText& text);
  void leave(std::string_view text) override;
  void add(const db::CharacterSums& changes) override;
  db::CharacterSums take() override;

 private:
  refine::CharacterChanges changes_;
  std::int64_t questions_ = 0;
};

// The bank's sums, as the contrast check takes them.
refine::CharacterCounts character_counts(const db::CharacterSums& sums);

}  // namespace qdedup::import
