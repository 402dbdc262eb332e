#include "iteration/near_pairs.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "finder/hash_tables.h"
#include "finder/simhash_scheme.h"
#include "finder/text_index.h"

namespace qdedup::iteration {
namespace {

// Ids begin with 1, numbers with 0.
QuestionId id_of(std::uint32_t number) { return QuestionId{number} + 1; }
std::uint32_t number_of(QuestionId id) { return static_cast<std::uint32_t>(id - 1); }

class HashedPairs final : public NearPairs {
 public:
  explicit HashedPairs(std::unique_ptr<finder::SimhashScheme> scheme) : scheme_(std::move(scheme)) {}

  void expect(std::size_t texts) override { records_.reserve(texts); }

  void add(std::uint32_t number, std::span<const std::uint32_t> signature) override {
    records_.emplace_back(finder::SimhashScheme::hash_of(signature), id_of(number), std::uint16_t{0});
  }

  // Of those with the same hash one is enough.
  Status complete(const Take& take, const std::function<void()>& moved) override {
    std::ranges::sort(records_, [](const finder::HashRecord& a, const finder::HashRecord& b) {
      return a.hash() != b.hash() ? a.hash() < b.hash() : a.id() < b.id();
    });
    std::size_t kept = 0;
    for (const finder::HashRecord& record : records_) {
      if (kept > 0 && records_[kept - 1].hash() == record.hash()) {
        take(number_of(record.id()), number_of(records_[kept - 1].id()));
      } else {
        records_[kept++] = record;
      }
    }
    records_.resize(kept);
    moved();
    tables_.emplace(scheme_->tables(), std::move(records_), moved);
    return {};
  }

  [[nodiscard]] std::size_t size() const override { return tables_->size(); }

  [[nodiscard]] std::uint64_t find(std::size_t begin, std::size_t end, const Wanted& wanted,
                                   const Take& take) const override {
    std::uint64_t candidates = 0;
    for (std::size_t place = begin; place < end; ++place) {
      const finder::HashRecord& record = tables_->at(place);
      const std::uint32_t number = number_of(record.id());
      candidates += tables_->find(record.hash(), [&](const finder::HashRecord& near) {
        const std::uint32_t other = number_of(near.id());
        if (other < number && wanted(number, other)) take(number, other);
      });
    }
    return candidates;
  }

 private:
  std::unique_ptr<finder::SimhashScheme> scheme_;
  std::vector<finder::HashRecord> records_;
  std::optional<finder::HashTables> tables_;
};

class KeyedPairs final : public NearPairs {
 public:
  KeyedPairs(std::unique_ptr<finder::TextScheme> scheme, std::size_t most_keys)
      : index_(std::move(scheme), most_keys), most_keys_(most_keys) {}

  void expect(std::size_t texts) override { index_.reserve(texts); }

  void add(std::uint32_t number, std::span<const std::uint32_t> signature) override {
    index_.add(id_of(number), 0, signature);
  }

  Status complete(const Take& /*take*/, const std::function<void()>& moved) override {
    if (index_.fold(moved)) return {};
    return Error{ErrorCode::config, "this finder would need more than " + std::to_string(most_keys_) +
                                        " keys for so many questions; it needs fewer with fewer --bands, or "
                                        "with a larger --window"};
  }

  [[nodiscard]] std::size_t size() const override { return index_.size(); }

  [[nodiscard]] std::uint64_t find(std::size_t begin, std::size_t end, const Wanted& wanted,
                                   const Take& take) const override {
    std::uint64_t candidates = 0;
    finder::TextIndex::Scratch scratch;
    for (std::size_t place = begin; place < end; ++place) {
      const std::uint32_t number = number_of(index_.id_at(place));
      candidates += index_.find_earlier(
          place, [&](QuestionId other) { return wanted(number, number_of(other)); },
          [&](QuestionId other) { take(number, number_of(other)); }, scratch);
    }
    return candidates;
  }

 private:
  finder::TextIndex index_;
  std::size_t most_keys_;
};

}  // namespace

std::unique_ptr<NearPairs> near_pairs_of(std::unique_ptr<finder::TextScheme> scheme, std::size_t most_keys) {
  if (auto* simhash = dynamic_cast<finder::SimhashScheme*>(scheme.get())) {
    (void)scheme.release();
    return std::make_unique<HashedPairs>(std::unique_ptr<finder::SimhashScheme>(simhash));
  }
  return std::make_unique<KeyedPairs>(std::move(scheme), most_keys);
}

}  // namespace qdedup::iteration
