#include "tests/reference/arriving.h"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>
#include <vector>

namespace qdedup::reference {

void Arrivals::put(QuestionId id, const std::string& text, std::optional<std::int64_t> arrived_at) {
  Question& question = bank_[id];
  question.text = text;
  if (arrived_at) question.arrived_at = arrived_at;
  changed_.insert(id);
}

void Arrivals::remove(QuestionId id) {
  bank_.erase(id);
  changed_.insert(id);
}

const Arrivals::Question* Arrivals::find(QuestionId id) const {
  for (const auto* questions : {&bank_, &arrived_}) {
    if (const auto found = questions->find(id); found != questions->end()) return &found->second;
  }
  return nullptr;
}

QuestionId Arrivals::representative(QuestionId question) const {
  while (hangs_on_.contains(question)) question = hangs_on_.at(question);
  return question;
}

std::size_t Arrivals::members(QuestionId representative_id) const {
  return static_cast<std::size_t>(std::ranges::count_if(
      hangs_on_, [&](const auto& each) { return representative(each.first) == representative_id; }));
}

std::map<QuestionId, QuestionId> Arrivals::representatives() const {
  std::map<QuestionId, QuestionId> all;
  for (const auto& [question, on] : hangs_on_) all[question] = representative(question);
  return all;
}

std::set<QuestionId> Arrivals::arrived() const {
  std::set<QuestionId> all;
  for (const auto& [id, question] : arrived_) all.insert(id);
  return all;
}

// The one in the largest class, then that whose representative arrived first, then has the smallest id; of
// several in that class the smallest.
QuestionId Arrivals::best_of(const std::set<QuestionId>& others) const {
  QuestionId best = 0;
  std::tuple<std::int64_t, std::int64_t, QuestionId> best_rank;
  for (const QuestionId other : others) {
    const QuestionId root = representative(other);
    const auto in_bank = bank_.find(root);
    const std::int64_t arrived_at = in_bank == bank_.end() ? 0 : in_bank->second.arrived_at.value_or(0);
    const std::tuple rank(-static_cast<std::int64_t>(members(root)), arrived_at, root);
    if (best == 0 || rank < best_rank) std::tie(best, best_rank) = std::pair(other, rank);
  }
  return best;
}

Arrivals::Fate Arrivals::add(QuestionId id, const std::string& text, std::int64_t now) {
  constexpr std::size_t kept_pairs = 4;
  const auto before = arrived_.find(id);
  if (before != arrived_.end() && before->second.text == text) return Fate::joined;
  if (find(id) != nullptr) return Fate::refused;
  std::set<QuestionId> kept;
  std::set<QuestionId> all;
  for (const auto& [other, question] : bank_) {
    if (duplicates_(text, question.text)) kept.insert(other);
  }
  all = kept;
  for (const auto& [other, question] : arrived_) {
    if (duplicates_(text, question.text)) all.insert(other);
  }
  (kept.empty() ? bank_ : arrived_)[id] = {text, now};
  if (!all.empty()) {
    const QuestionId on = best_of(all);
    hangs_on_[id] = on;
    std::map<QuestionId, Pair>& pairs = pairs_[id];
    pairs[on] = {text, find(on)->text};
    for (const QuestionId other : kept) {
      if (pairs.size() < kept_pairs) pairs[other] = {text, find(other)->text};
    }
  }
  return kept.empty() ? Fate::added : Fate::joined;
}

// Which pairs of the question do not hold any more.
void Arrivals::look_at(QuestionId id, std::set<QuestionId>& unsettled) {
  const Question* const present = find(id);
  for (auto& [question, pairs] : pairs_) {
    for (auto pair = pairs.begin(); pair != pairs.end();) {
      const bool is_question = question == id;
      const bool concerns = is_question || (pair->first == id && !pair->second.expired);
      const std::string& text = is_question ? pair->second.own_text : pair->second.other_text;
      const bool is_lost = concerns && (present == nullptr || present->text != text);
      if (is_lost) unsettled.insert(question);
      pair = is_lost ? pairs.erase(pair) : std::next(pair);
    }
  }
  if (present != nullptr) return;
  for (const auto& [question, on] : hangs_on_) {
    const auto& pairs = pairs_[question];
    const bool was_handed_over =
        std::ranges::any_of(pairs, [](const auto& pair) { return pair.second.expired; });
    if (on == id && was_handed_over) unsettled.insert(question);
  }
}

void Arrivals::settle(QuestionId question, std::set<QuestionId>& unsettled) {
  const auto place = hangs_on_.find(question);
  if (place == hangs_on_.end()) return;
  std::set<QuestionId> others;
  for (const auto& [other, pair] : pairs_[question]) {
    if (!pair.expired) others.insert(other);
  }
  if (others.contains(place->second)) return;
  for (const QuestionId other : others) {
    if (representative(other) != representative(question)) continue;
    place->second = other;
    return;
  }
  if (!others.empty()) {
    place->second = best_of(others);
    return;
  }
  hangs_on_.erase(place);
  if (arrived_.erase(question) > 0) look_at(question, unsettled);
}

void Arrivals::follow() {
  std::set<QuestionId> unsettled;
  for (const QuestionId id : changed_) {
    if (bank_.contains(id)) arrived_.erase(id);
    look_at(id, unsettled);
  }
  changed_.clear();
  while (!unsettled.empty()) {
    const QuestionId question = *unsettled.begin();
    unsettled.erase(unsettled.begin());
    settle(question, unsettled);
  }
}

void Arrivals::expire(std::int64_t moment) {
  std::vector<QuestionId> going;
  for (const auto* questions : {&arrived_, &bank_}) {
    for (const auto& [id, question] : *questions) {
      if (question.arrived_at && *question.arrived_at < moment) going.push_back(id);
    }
  }
  const auto goes = [&](QuestionId id) { return std::ranges::find(going, id) != going.end(); };
  std::erase_if(going, [&](QuestionId id) {
    return bank_.contains(id) && std::ranges::any_of(hangs_on_, [&](const auto& each) {
             return representative(each.first) == id && !goes(each.first);
           });
  });
  for (const QuestionId id : going) {
    for (auto& [question, on] : hangs_on_) {
      if (on == id && hangs_on_.contains(id)) on = hangs_on_.at(id);
    }
    for (auto& [question, pairs] : pairs_) {
      if (pairs.contains(id)) pairs[id].expired = true;
    }
    pairs_.erase(id);
  }
  for (const QuestionId id : going) {
    hangs_on_.erase(id);
    arrived_.erase(id);
    if (bank_.erase(id) > 0) changed_.insert(id);
  }
  follow();
}

}  // namespace qdedup::reference
