#include "iteration/near_groups.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

#include "base/parallel.h"
#include "db/bank_reading.h"
#include "finder/grams.h"
#include "miner/union_find.h"
#include "refine/parts.h"

namespace qdedup::iteration {
namespace {

constexpr std::size_t questions_per_batch = 16'384;
// Texts are looked up in batches of slices; each slice is handled by one thread.
constexpr std::size_t slices_per_batch = 64;

using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

struct HashedText {
  std::uint64_t hash;
  std::uint32_t number;
};

// A question on its way from the bank.
struct ReadQuestion {
  QuestionId id = 0;
  std::uint64_t sign_fingerprint = 0;
  std::string text;
  std::u32string compared;
  finder::Signature signature{};
};

// The Han part, or the signs if there is none. Otherwise, signs such as the letters of options would make all
// questions near each other.
std::u32string compared_text(std::string_view text) {
  refine::Parts parts = refine::parts_of(text);
  return parts.han.empty() ? std::move(parts.signs) : std::move(parts.han);
}

std::uint64_t hash_of(std::u32string_view text) {
  return refine::text_hash({reinterpret_cast<const char*>(text.data()), text.size() * sizeof(char32_t)});
}

// Reads the whole bank in batches: calls `prepare` for all questions of a batch on all threads, then `take`
// for one after another, with its number.
Status read_all(db::Bank& bank, unsigned threads,
                const std::function<void(ReadQuestion&, std::size_t)>& prepare,
                const std::function<void(ReadQuestion&, std::size_t)>& take) {
  std::vector<ReadQuestion> batch;
  std::size_t taken = 0;
  const auto finish = [&] {
    parallel_for(batch.size(), threads, [&](std::size_t i) { prepare(batch[i], taken + i); });
    for (ReadQuestion& question : batch) take(question, taken++);
    batch.clear();
  };
  QDEDUP_TRY(db::scan_questions(bank, [&](const db::ScannedQuestion& question) -> Status {
    batch.push_back({question.id, question.sign_fingerprint, std::string(question.text), {}, {}});
    if (batch.size() == questions_per_batch) finish();
    return {};
  }));
  finish();
  return {};
}

class NearGrouping {
 public:
  NearGrouping(db::Bank& bank, std::unique_ptr<finder::NearFinder> finder, unsigned threads,
               std::size_t slice, const Progress& progress)
      : bank_(bank),
        finder_(std::move(finder)),
        threads_(thread_count(threads)),
        texts_per_slice_(slice),
        progress_(progress) {}

  Status learn() {
    QDEDUP_ASSIGN_OR_RETURN(const std::uint64_t questions, bank_.count());
    finder_->expect(questions);
    QDEDUP_TRY(read_all(
        bank_, threads_,
        [](ReadQuestion& question, std::size_t) { question.compared = compared_text(question.text); },
        [this](const ReadQuestion& question, std::size_t number) {
          finder_->learn(question.compared);
          ids_.push_back(question.id);
          sign_fingerprints_.push_back(question.sign_fingerprint);
          texts_.push_back({hash_of(question.compared), static_cast<std::uint32_t>(number)});
          if (number % questions_per_batch == 0) progress_("learn", number, 0, "questions");
        }));
    sets_ = miner::SizeCappedUnionFind(ids_.size(), ids_.size() + 1);
    join_equal_texts();
    return {};
  }

  // Indexes only the first of several equal texts.
  Status index() {
    QDEDUP_TRY(read_all(
        bank_, threads_,
        [this](ReadQuestion& question, std::size_t number) {
          if (is_first(number)) question.signature = finder_->signature(compared_text(question.text));
        },
        [this](const ReadQuestion& question, std::size_t number) {
          if (is_first(number)) finder_->add(static_cast<std::uint32_t>(number), question.signature);
          if (number % questions_per_batch == 0) progress_("index", number, ids_.size(), "questions");
        }));
    return finder_->build([this](std::uint32_t a, std::uint32_t b) { sets_.join(a, b); },
                          [this] { progress_("index", ids_.size(), ids_.size(), "questions"); });
  }

  void find() {
    const std::size_t slices = (finder_->size() + texts_per_slice_ - 1) / texts_per_slice_;
    for (std::size_t begin = 0; begin < slices; begin += slices_per_batch) {
      progress_("find", begin * texts_per_slice_, finder_->size(), "questions");
      find_in(begin, std::min(slices, begin + slices_per_batch));
    }
    finder_.reset();
  }

  void join_past(const engine::Past& past) {
    for (const refine::Deletion& open : past.open.all()) join_ids({open.question, open.keeper});
    for (const std::vector<QuestionId>& cluster : past.reopened) join_ids(cluster);
  }

  [[nodiscard]] NearGroups groups() && {
    NearGroups groups{.fingerprints = std::move(sign_fingerprints_), .candidates = candidates_};
    for (std::uint32_t number = 0; number < ids_.size(); ++number) {
      groups.fingerprints[number] =
          finder::mixed_bits(groups.fingerprints[number] + finder::mixed_bits(sets_.root_of(number)));
    }
    return groups;
  }

 private:
  void join_equal_texts() {
    std::ranges::sort(texts_, [](const HashedText& a, const HashedText& b) {
      return a.hash != b.hash ? a.hash < b.hash : a.number < b.number;
    });
    for (std::size_t i = 1; i < texts_.size(); ++i) {
      if (texts_[i].hash == texts_[i - 1].hash) sets_.join(texts_[i - 1].number, texts_[i].number);
    }
    texts_ = {};
  }

  // Valid while only questions with equal texts are joined.
  [[nodiscard]] bool is_first(std::size_t number) const {
    return sets_.root_of(static_cast<std::uint32_t>(number)) == number;
  }

  void find_in(std::size_t first_slice, std::size_t last_slice) {
    std::vector<Pairs> pairs(last_slice - first_slice);
    std::vector<std::uint64_t> candidates(pairs.size());
    parallel_for(pairs.size(), threads_, [&](std::size_t i) {
      const std::size_t begin = (first_slice + i) * texts_per_slice_;
      candidates[i] = finder_->find(
          begin, std::min(begin + texts_per_slice_, finder_->size()),
          [this](std::uint32_t a, std::uint32_t b) { return sets_.root_of(a) != sets_.root_of(b); },
          [&](std::uint32_t a, std::uint32_t b) { pairs[i].emplace_back(a, b); });
    });
    for (const Pairs& of_slice : pairs) {
      for (const auto& [a, b] : of_slice) sets_.join(a, b);
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
  unsigned threads_;
  std::size_t texts_per_slice_;
  const Progress& progress_;
  std::vector<QuestionId> ids_;  // by number, like all below
  std::vector<std::uint64_t> sign_fingerprints_;
  std::vector<HashedText> texts_;  // until equal ones are joined
  miner::SizeCappedUnionFind sets_{0, 1};
  std::uint64_t candidates_ = 0;
};

}  // namespace

Result<NearGroups> near_groups(db::Bank& bank, std::unique_ptr<finder::NearFinder> finder,
                               const engine::Past& past, unsigned threads, std::size_t slice,
                               const Progress& progress) {
  NearGrouping grouping(bank, std::move(finder), threads, slice, progress);
  QDEDUP_TRY(grouping.learn());
  QDEDUP_TRY(grouping.index());
  grouping.find();
  grouping.join_past(past);
  return std::move(grouping).groups();
}

}  // namespace qdedup::iteration
