#include "tests/reference/classing.h"

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

namespace qdedup::reference {

QuestionId Classes::representative(QuestionId question) const {
  while (held_.contains(question)) question = held_.at(question).by;
  return question;
}

bool Classes::represents(QuestionId question) const {
  return !held_.contains(question) && std::ranges::any_of(held_, [&](const auto& member) {
    return representative(member.first) == question;
  });
}

// The partner in the largest class, then the oldest, then that with the smallest representative; of several
// in that class the smallest.
QuestionId Classes::best_of(const std::set<QuestionId>& partners) const {
  QuestionId best = 0;
  std::tuple<std::int64_t, std::int64_t, QuestionId> best_rank;
  for (const QuestionId partner : partners) {
    std::int64_t members = 0;
    std::int64_t since = std::numeric_limits<std::int64_t>::max();
    for (const auto& [question, held] : held_) {
      if (representative(question) != representative(partner)) continue;
      ++members;
      since = std::min(since, held.since);
    }
    const std::tuple rank(-members, since, representative(partner));
    if (best == 0 || rank < best_rank) std::tie(best, best_rank) = std::pair(partner, rank);
  }
  return best;
}

void Classes::settle(QuestionId question, std::set<QuestionId> partners, std::int64_t iteration) {
  const auto held = held_.find(question);
  if (held != held_.end()) {
    if (partners.contains(held->second.by)) return;
    for (const QuestionId partner : partners) {
      if (representative(partner) != representative(question)) continue;
      held->second.by = partner;
      return;
    }
    held_.erase(held);
  } else if (represents(question) && !partners.empty()) {
    partners = {*partners.begin()};
  }
  if (!partners.empty()) held_[question] = {best_of(partners), iteration};
}

void Classes::settle(const std::set<QuestionId>& questions, const Pairs& pairs, std::int64_t iteration) {
  for (const QuestionId question : questions) {
    const auto found = pairs.find(question);
    settle(question, found == pairs.end() ? std::set<QuestionId>() : found->second, iteration);
  }
}

std::map<QuestionId, QuestionId> Classes::representatives() const {
  std::map<QuestionId, QuestionId> all;
  for (const auto& [question, held] : held_) all[question] = representative(question);
  return all;
}

}  // namespace qdedup::reference
