#include "iteration/near_groups.h"

#include <algorithm>
#include <atomic>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

#include "base/containers.h"
#include "base/mixed_bits.h"
#include "base/parallel.h"
#include "db/bank_reading.h"
#include "iteration/question_batches.h"
#include "miner/union_find.h"
#include "refine/duplicate_test.h"
#include "refine/parts.h"

namespace qdedup::iteration {
namespace {

// Texts are looked up in batches of slices; each slice is handled by one thread.
constexpr std::size_t slices_per_batch = 64;

constexpr std::size_t usual_slice = 256;

struct HashedText {
  std::uint64_t hash;
  std::uint32_t number;
};

// A question on its way from the bank.
struct ReadQuestion {
  QuestionId id = 0;
  std::uint64_t sign_fingerprint = 0;
  std::uint32_t number = 0;
  std::string text;
  std::u32string compared;
  finder::Signature signature{};
};

std::uint64_t hash_of(std::u32string_view text) {
  return refine::text_hash({reinterpret_cast<const char*>(text.data()), text.size() * sizeof(char32_t)});
}

class NearSearch {
 public:
  // At most `max_pairs` are kept; 0: none, and only questions that are not connected yet are compared.
  struct Settings {
    ComparedText compared = han_or_signs;
    refine::DuplicateSettings duplicates{};
    unsigned threads = 0;
    std::size_t slice = usual_slice;
    std::size_t max_pairs = 0;
  };

  NearSearch(db::Bank& bank, std::unique_ptr<finder::NearFinder> finder, Settings settings,
             const Progress& progress)
      : bank_(bank), finder_(std::move(finder)), settings_(std::move(settings)), progress_(progress) {
    settings_.threads = thread_count(settings_.threads);
  }

  Status run() {
    QDEDUP_TRY(learn());
    QDEDUP_TRY(index());
    find();
    if (!has_room_) {
      return Error{ErrorCode::config, "more than " + std::to_string(settings_.max_pairs) +
                                          " pairs are near each other; ask for nearer ones"};
    }
    return {};
  }

  void join_past(const engine::Past& past) {
    for (const refine::Deletion& open : past.open.all()) join_ids({open.question, open.keeper});
    for (const std::vector<QuestionId>& cluster : past.reopened) join_ids(cluster);
  }

  [[nodiscard]] NearGroups groups() && {
    NearGroups groups{.fingerprints = std::move(sign_fingerprints_), .candidates = candidates_};
    for (std::uint32_t number = 0; number < ids_.size(); ++number) {
      groups.fingerprints[number] =
          mixed_bits(groups.fingerprints[number] + mixed_bits(sets_.root_of(number)));
    }
    return groups;
  }

  [[nodiscard]] NearPairs pairs() && {
    std::ranges::sort(pairs_);
    NearPairs found{std::move(ids_), std::move(pairs_), {}};
    found.firsts.resize(found.ids.size());
    // Equal texts without features are joined in sets_, though they are near nothing.
    miner::SizeCappedUnionFind near(found.ids.size(), found.ids.size() + 1);
    for (const NearPair& pair : found.pairs) near.join(pair.question, pair.near);
    std::vector<std::uint32_t> first_of_root(found.ids.size(), std::numeric_limits<std::uint32_t>::max());
    for (std::uint32_t number = 0; number < found.ids.size(); ++number) {
      std::uint32_t& first = first_of_root[near.root_of(number)];
      first = std::min(first, number);
      found.firsts[number] = first;
    }
    return found;
  }

 private:
  template <class Prepare, class Take>
  Status read_all(const Prepare& prepare, const Take& take) {
    std::uint32_t number = 0;
    const auto numbered = [&](const db::ScannedQuestion& question) {
      return std::optional(
          ReadQuestion{question.id, question.sign_fingerprint, number++, std::string(question.text), {}, {}});
    };
    return read_in_batches<ReadQuestion>(bank_, settings_.threads, numbered, prepare, take);
  }

  Status learn() {
    QDEDUP_ASSIGN_OR_RETURN(const std::uint64_t questions, bank_.count());
    finder_->expect(questions);
    QDEDUP_TRY(
        read_all([this](ReadQuestion& question) { question.compared = settings_.compared(question.text); },
                 [this](const ReadQuestion& question) {
                   finder_->learn(question.compared);
                   ids_.push_back(question.id);
                   sign_fingerprints_.push_back(
                       refine::compared_fingerprint(question.sign_fingerprint, settings_.duplicates));
                   texts_.push_back({hash_of(question.compared), question.number});
                   if (question.number % questions_per_batch == 0)
                     progress_("learn", question.number, 0, "questions");
                 }));
    finder_->finish_learning();
    sets_ = miner::SizeCappedUnionFind(ids_.size(), ids_.size() + 1);
    join_equal_texts();
    return {};
  }

  // Indexes only the first of several equal texts.
  Status index() {
    std::optional<finder::Nearness> nearness_of_equals;
    std::vector<bool> is_indexed(ids_.size());
    QDEDUP_TRY(read_all(
        [this](ReadQuestion& question) {
          if (first_of(question.number) == question.number)
            question.signature = finder_->signature(settings_.compared(question.text));
        },
        [&](const ReadQuestion& question) {
          const std::uint32_t number = question.number;
          if (number % questions_per_batch == 0) progress_("index", number, ids_.size(), "questions");
          if (!question.signature.empty()) {
            is_indexed[number] = true;
            if (!nearness_of_equals)
              nearness_of_equals = finder_->near(question.signature, question.signature);
            finder_->add(number, question.signature);
          } else if (const std::uint32_t first = first_of(number); is_indexed[first]) {
            keep({first, number, *nearness_of_equals});
          }
        }));
    return finder_->build(
        [this](std::uint32_t a, std::uint32_t b, finder::Nearness nearness) { take(a, b, nearness); },
        [this] { progress_("index", ids_.size(), ids_.size(), "questions"); });
  }

  void find() {
    const std::size_t slices = (finder_->size() + settings_.slice - 1) / settings_.slice;
    for (std::size_t begin = 0; begin < slices && has_room_; begin += slices_per_batch) {
      progress_("find", begin * settings_.slice, finder_->size(), "questions");
      find_in(begin, std::min(slices, begin + slices_per_batch));
    }
    finder_.reset();
  }

  void join_equal_texts() {
    std::ranges::sort(texts_, [](const HashedText& a, const HashedText& b) {
      return a.hash != b.hash ? a.hash < b.hash : a.number < b.number;
    });
    for (std::size_t i = 1; i < texts_.size(); ++i) {
      if (texts_[i].hash == texts_[i - 1].hash) sets_.join(texts_[i - 1].number, texts_[i].number);
    }
    release(texts_);
  }

  // Of those with an equal text. Valid while only they are joined.
  [[nodiscard]] std::uint32_t first_of(std::uint32_t number) const { return sets_.root_of(number); }

  void take(std::uint32_t a, std::uint32_t b, finder::Nearness nearness) {
    sets_.join(a, b);
    keep({std::min(a, b), std::max(a, b), nearness});
  }

  void keep(const NearPair& pair) {
    if (settings_.max_pairs == 0) return;
    has_room_ = has_room_ && pairs_.size() < settings_.max_pairs;
    if (has_room_) pairs_.push_back(pair);
  }

  void find_in(std::size_t first_slice, std::size_t last_slice) {
    std::vector<std::vector<NearPair>> pairs(last_slice - first_slice);
    std::vector<std::uint64_t> candidates(pairs.size());
    // More pairs than there is room for are not collected; those that are already suffice to refuse them all.
    std::atomic<std::size_t> collected = pairs_.size();
    const bool is_bounded = settings_.max_pairs > 0;
    parallel_for(pairs.size(), settings_.threads, [&](std::size_t i) {
      const std::size_t begin = (first_slice + i) * settings_.slice;
      candidates[i] = finder_->find(
          begin, std::min(begin + settings_.slice, finder_->size()),
          [&](std::uint32_t a, std::uint32_t b) {
            if (is_bounded) return collected.load(std::memory_order_relaxed) <= settings_.max_pairs;
            return sets_.root_of(a) != sets_.root_of(b);
          },
          [&](std::uint32_t a, std::uint32_t b, finder::Nearness nearness) {
            pairs[i].push_back({a, b, nearness});
            collected.fetch_add(1, std::memory_order_relaxed);
          });
    });
    for (const std::vector<NearPair>& of_slice : pairs) {
      for (const NearPair& pair : of_slice) take(pair.question, pair.near, pair.nearness);
    }
    candidates_ = std::accumulate(candidates.begin(), candidates.end(), candidates_);
  }

  // Joins those that exist and have a text.
  void join_ids(const std::vector<QuestionId>& ids) {
    std::optional<std::uint32_t> before;
    for (const QuestionId id : ids) {
      const auto found = std::ranges::lower_bound(ids_, id);
      if (found == ids_.end() || *found != id) continue;
      const auto number = static_cast<std::uint32_t>(found - ids_.begin());
      if (before) sets_.join(number, *before);
      before = number;
    }
  }

  db::Bank& bank_;
  std::unique_ptr<finder::NearFinder> finder_;
  Settings settings_;
  const Progress& progress_;
  std::vector<QuestionId> ids_;  // by number, like all below
  std::vector<std::uint64_t> sign_fingerprints_;
  std::vector<HashedText> texts_;  // until equal ones are joined
  miner::SizeCappedUnionFind sets_{0, 1};
  std::vector<NearPair> pairs_;
  bool has_room_ = true;
  std::uint64_t candidates_ = 0;
};

}  // namespace

std::u32string han_or_signs(std::string_view text) {
  refine::Parts parts = refine::parts_of(text);
  return parts.han.empty() ? std::move(parts.signs) : std::move(parts.han);
}

ComparedText finders_text(const refine::DuplicateSettings& settings) {
  if (settings.compare == refine::ComparedText::han) return han_or_signs;
  return refine::whole_text;
}

Result<NearGroups> near_groups(db::Bank& bank, std::unique_ptr<finder::NearFinder> finder,
                               const engine::Past& past, const refine::DuplicateSettings& settings,
                               unsigned threads, std::size_t slice, const Progress& progress) {
  NearSearch search(
      bank, std::move(finder),
      {.compared = finders_text(settings), .duplicates = settings, .threads = threads, .slice = slice},
      progress);
  QDEDUP_TRY(search.run());
  search.join_past(past);
  return std::move(search).groups();
}

Result<NearPairs> near_pairs(db::Bank& bank, std::unique_ptr<finder::NearFinder> finder,
                             const ComparedText& compared, unsigned threads, std::size_t max_pairs,
                             const Progress& progress) {
  NearSearch search(bank, std::move(finder),
                    {.compared = compared, .threads = threads, .max_pairs = max_pairs}, progress);
  QDEDUP_TRY(search.run());
  return std::move(search).pairs();
}

}  // namespace qdedup::iteration
