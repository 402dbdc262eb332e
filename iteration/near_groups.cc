#include "iteration/near_groups.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

#include "db/bank_reading.h"
#include "finder/grams.h"
#include "iteration/parallel.h"
#include "refine/parts.h"

namespace qdedup::iteration {
namespace {

constexpr std::size_t questions_per_batch = 16'384;
// Texts are looked up in batches of slices; each slice has a thread for itself.
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

// The Han part; the signs where there is none. Signs such as the letters of options would make all questions
// near.
std::u32string compared_text(std::string_view text) {
  refine::Parts parts = refine::parts_of(text);
  return parts.han.empty() ? std::move(parts.signs) : std::move(parts.han);
}

std::uint64_t hash_of(std::u32string_view text) {
  return refine::text_hash({reinterpret_cast<const char*>(text.data()), text.size() * sizeof(char32_t)});
}

// Reads the whole bank in batches: `prepare` is called for all questions of a batch on all threads, then
// `take` for one after the other, with its number.
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

// Numbers from 0 on in disjoint sets, each named by its smallest number. A join makes the ways that it goes
// shorter (path halving): logarithmic, taken over many joins.
class DisjointNumbers {
 public:
  explicit DisjointNumbers(std::size_t count) : above_(count) { std::iota(above_.begin(), above_.end(), 0U); }

  [[nodiscard]] std::size_t size() const { return above_.size(); }

  // The smallest number of the set, found in as many steps as joins have left of the way there, which stays
  // as it is. On any number of threads while nothing is joined.
  [[nodiscard]] std::uint32_t set_of(std::uint32_t number) const {
    while (above_[number] != number) number = above_[number];
    return number;
  }

  void join(std::uint32_t a, std::uint32_t b) {
    a = shortened(a);
    b = shortened(b);
    above_[std::max(a, b)] = std::min(a, b);
  }

 private:
  // set_of, and makes the way there shorter for the next time.
  std::uint32_t shortened(std::uint32_t number) {
    while (above_[number] != number) {
      above_[number] = above_[above_[number]];
      number = above_[number];
    }
    return number;
  }

  std::vector<std::uint32_t> above_;
};

class NearGrouping {
 public:
  NearGrouping(db::Bank& bank, std::unique_ptr<finder::SignatureScheme> scheme, const NearMeans& means,
               const Progress& progress)
      : bank_(bank),
        scheme_(std::move(scheme)),
        index_(scheme_->make_index(finder::SignatureScheme::max_index_keys)),
        threads_(thread_count(means.threads)),
        texts_per_slice_(means.slice),
        progress_(progress) {}

  Status learn() {
    QDEDUP_ASSIGN_OR_RETURN(const std::uint64_t questions, bank_.count());
    scheme_->expect(questions);
    QDEDUP_TRY(read_all(
        bank_, threads_,
        [](ReadQuestion& question, std::size_t) { question.compared = compared_text(question.text); },
        [this](const ReadQuestion& question, std::size_t number) {
          scheme_->learn(question.compared);
          ids_.push_back(question.id);
          sign_fingerprints_.push_back(question.sign_fingerprint);
          texts_.push_back({hash_of(question.compared), static_cast<std::uint32_t>(number)});
          if (number % questions_per_batch == 0) progress_("learn", number, 0, "questions");
        }));
    sets_ = DisjointNumbers(ids_.size());
    join_equal_texts();
    return {};
  }

  // Of equal texts only the first.
  Status index() {
    index_->reserve(ids_.size());
    QDEDUP_TRY(read_all(
        bank_, threads_,
        [this](ReadQuestion& question, std::size_t number) {
          if (is_first(number)) question.signature = scheme_->signature(compared_text(question.text));
        },
        [this](const ReadQuestion& question, std::size_t number) {
          if (is_first(number)) index_->add(static_cast<std::uint32_t>(number), question.signature);
          if (number % questions_per_batch == 0) progress_("index", number, ids_.size(), "questions");
        }));
    return index_->build([this](std::uint32_t a, std::uint32_t b) { sets_.join(a, b); },
                         [this] { progress_("index", ids_.size(), ids_.size(), "questions"); });
  }

  void find() {
    const std::size_t slices = (index_->size() + texts_per_slice_ - 1) / texts_per_slice_;
    for (std::size_t begin = 0; begin < slices; begin += slices_per_batch) {
      progress_("find", begin * texts_per_slice_, index_->size(), "questions");
      find_in(begin, std::min(slices, begin + slices_per_batch));
    }
    index_.reset();
  }

  void join_past(const engine::Past& past) {
    for (const refine::Deletion& open : past.open.all()) join_ids({open.question, open.keeper});
    for (const std::vector<QuestionId>& cluster : past.reopened) join_ids(cluster);
  }

  [[nodiscard]] NearGroups groups() && {
    NearGroups groups{.fingerprints = std::move(sign_fingerprints_), .candidates = candidates_};
    for (std::uint32_t number = 0; number < ids_.size(); ++number) {
      groups.fingerprints[number] =
          finder::mixed_bits(groups.fingerprints[number] + finder::mixed_bits(sets_.set_of(number)));
    }
    return groups;
  }

 private:
  void join_equal_texts() {
    std::ranges::sort(texts_, [](const HashedText& a, const HashedText& b) {
      return a.hash != b.hash ? a.hash < b.hash : a.number < b.number;
    });
    for (std::size_t i = 1; i < texts_.size(); ++i) {
      if (texts_[i].hash == texts_[i - 1].hash) sets_.join(texts_[i].number, texts_[i - 1].number);
    }
    texts_ = {};
  }

  // While no others are joined than those with equal texts.
  [[nodiscard]] bool is_first(std::size_t number) const {
    return sets_.set_of(static_cast<std::uint32_t>(number)) == number;
  }

  void find_in(std::size_t first_slice, std::size_t last_slice) {
    std::vector<Pairs> pairs(last_slice - first_slice);
    std::vector<std::uint64_t> candidates(pairs.size());
    parallel_for(pairs.size(), threads_, [&](std::size_t i) {
      const std::size_t begin = (first_slice + i) * texts_per_slice_;
      candidates[i] = index_->find(
          begin, std::min(begin + texts_per_slice_, index_->size()),
          [this](std::uint32_t a, std::uint32_t b) { return sets_.set_of(a) != sets_.set_of(b); },
          [&](std::uint32_t a, std::uint32_t b) { pairs[i].emplace_back(a, b); });
    });
    for (const Pairs& of_slice : pairs) {
      for (const auto& [a, b] : of_slice) sets_.join(a, b);
    }
    candidates_ = std::accumulate(candidates.begin(), candidates.end(), candidates_);
  }

  // Those that are there and have a text.
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
  std::unique_ptr<finder::SignatureScheme> scheme_;
  std::unique_ptr<finder::NearIndex> index_;
  unsigned threads_;
  std::size_t texts_per_slice_;
  const Progress& progress_;
  std::vector<QuestionId> ids_;  // by number, as all below
  std::vector<std::uint64_t> sign_fingerprints_;
  std::vector<HashedText> texts_;  // until equal ones are joined
  DisjointNumbers sets_{0};
  std::uint64_t candidates_ = 0;
};

}  // namespace

Result<NearGroups> near_groups(db::Bank& bank, std::unique_ptr<finder::SignatureScheme> scheme,
                               const engine::Past& past, const NearMeans& means, const Progress& progress) {
  NearGrouping grouping(bank, std::move(scheme), means, progress);
  QDEDUP_TRY(grouping.learn());
  QDEDUP_TRY(grouping.index());
  grouping.find();
  grouping.join_past(past);
  return std::move(grouping).groups();
}

}  // namespace qdedup::iteration
