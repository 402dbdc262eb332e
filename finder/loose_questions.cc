#include "finder/loose_questions.h"

namespace qdedup::finder {

void LooseQuestions::add(QuestionId id, std::uint64_t sign_fingerprint, std::u32string_view han) {
  Question& question = groups_[sign_fingerprint].emplace_back(Question{id, han.size(), {}});
  write_wide_sketch(han, width, question.sketch.data());
  ++size_;
}

void LooseQuestions::add(const LooseQuestions& others) {
  for (const auto& [sign_fingerprint, group] : others.groups_) {
    std::vector<Question>& known = groups_[sign_fingerprint];
    known.insert(known.end(), group.begin(), group.end());
  }
  size_ += others.size_;
}

void LooseQuestions::find(std::uint64_t sign_fingerprint, const HanQuery& query,
                          std::vector<QuestionId>& found) const {
  const auto group = groups_.find(sign_fingerprint);
  if (group == groups_.end()) return;
  for (const Question& question : group->second) {
    if (query.may_be_like(question.sketch.data(), width, question.length)) found.push_back(question.id);
  }
}

}  // namespace qdedup::finder
