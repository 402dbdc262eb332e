#include "finder/hamming_index.h"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <span>
#include <utility>

#include "base/parse_number.h"

namespace qdedup::finder {
namespace {

constexpr unsigned hash_bits = 64;
constexpr std::size_t records_per_bucket = 16;  // on average, at least
constexpr std::size_t batch = 256;

// The bits of a hash that are a block, counted from the right.
struct Block {
  unsigned begin;
  unsigned end;

  Block(unsigned number, unsigned blocks)
      : begin(hash_bits - hash_bits * (number + 1) / blocks), end(hash_bits - hash_bits * number / blocks) {}

  // How many of its leading bits number the buckets of so many records.
  [[nodiscard]] unsigned bucket_bits(std::size_t records) const {
    return std::clamp(static_cast<unsigned>(std::bit_width(records / records_per_bucket)), 1U, end - begin);
  }
};

// All numbers of `bits` bits of which at most `radius` are set.
std::vector<std::uint32_t> sparse_numbers(unsigned bits, unsigned radius) {
  std::vector<std::uint32_t> numbers = {0};
  for (std::size_t begin = 0, end = 1; radius > 0; --radius) {
    for (std::size_t i = begin; i < end; ++i) {
      for (unsigned bit = 0; bit < static_cast<unsigned>(std::countr_zero(numbers[i] | 1U << bits)); ++bit)
        numbers.push_back(numbers[i] | 1U << bit);
    }
    begin = std::exchange(end, numbers.size());
  }
  return numbers;
}

// Of one table, in records looked at.
double look_up_cost(HammingPlan plan, std::size_t hashes) {
  constexpr double of_bucket = 8;
  const unsigned bits = Block(0, plan.tables()).bucket_bits(hashes);
  const auto buckets = static_cast<double>(sparse_numbers(bits, plan.radius).size());
  return buckets * (of_bucket + static_cast<double>(hashes) / static_cast<double>(std::size_t{1} << bits));
}

}  // namespace

HammingPlan HammingPlan::of(unsigned distance, std::size_t hashes) {
  constexpr unsigned max_radius = 3;
  HammingPlan best{.distance = distance, .radius = 0};
  for (unsigned radius = 1; radius <= std::min(distance, max_radius); ++radius) {
    const HammingPlan plan{.distance = distance, .radius = radius};
    if (plan.tables() * look_up_cost(plan, hashes) < best.tables() * look_up_cost(best, hashes)) best = plan;
  }
  return best;
}

std::optional<std::uint64_t> parse_hash(std::string_view digits) {
  constexpr std::size_t hash_digits = 16;
  return digits.size() == hash_digits ? parse_number<std::uint64_t>(digits, 16) : std::nullopt;
}

HammingIndex::HammingIndex(HammingPlan plan, std::vector<HashRecord> records,
                           const std::function<void()>& moved)
    : plan_(plan), records_(std::move(records)) {
  std::ranges::sort(records_);
  note_firsts();
  for (unsigned block = 0; block < plan.tables(); ++block) {
    moved();
    add_table(block);
  }
}

void HammingIndex::note_firsts() {
  firsts_.reserve(records_.size() / stretch + 2);
  for (std::size_t i = 0; i < records_.size(); i += stretch)
    firsts_.push_back(static_cast<std::uint32_t>(records_[i].hash >> 32U));
  if (!records_.empty()) firsts_.push_back(static_cast<std::uint32_t>(records_.back().hash >> 32U));
}

// The first table determines the order of the records.
void HammingIndex::add_table(unsigned block_number) {
  const Block block(block_number, plan_.tables());
  const unsigned bits = block.bucket_bits(records_.size());
  Table& table = tables_.emplace_back();
  table.shift = block.end - bits;
  table.mask = (std::uint64_t{1} << bits) - 1;
  table.flips = sparse_numbers(bits, plan_.radius);
  table.begins.resize((std::size_t{1} << bits) + 1);
  for (const HashRecord& record : records_) ++table.begins[table.bucket_of(record.hash) + 1];
  std::partial_sum(table.begins.begin(), table.begins.end(), table.begins.begin());
  if (block_number == 0) return;
  table.places.resize(records_.size());
  std::vector<std::uint32_t> next = table.begins;
  for (std::uint32_t place = 0; place < records_.size(); ++place)
    table.places[next[table.bucket_of(records_[place].hash)]++] = place;
}

// All hashes of a stretch lie between its first one and that of the next stretch, so they share the leading
// bits that these two have in common.
bool HammingIndex::may_be_near(std::uint32_t place, std::uint64_t hash) const {
  const std::uint32_t first = firsts_[place / stretch];
  const int shared = std::countl_zero(first ^ firsts_[place / stretch + 1]);
  const std::uint64_t different = first ^ static_cast<std::uint32_t>(hash >> 32U);
  return is_within(different >> (32 - shared));
}

bool HammingIndex::is_within(std::uint64_t difference) const {
  return static_cast<unsigned>(std::popcount(difference)) <= plan_.distance;
}

// Whether this table is the one that reports a near hash which differs in these bits: the first one where it
// is in a bucket that is looked at.
bool HammingIndex::is_found_by(std::size_t table, std::uint64_t difference) const {
  const auto looks_at = [&](const Table& one) {
    return static_cast<unsigned>(std::popcount(one.bucket_of(difference))) <= plan_.radius;
  };
  return std::ranges::find_if(tables_, looks_at) - tables_.begin() == static_cast<std::ptrdiff_t>(table);
}

void HammingIndex::find_in(std::size_t table, std::span<const Range> buckets, std::uint64_t hash,
                           const std::function<void(const HashRecord&)>& found) const {
  std::array<std::uint32_t, batch> likely{};
  std::size_t count = 0;
  const auto look_at_likely = [&] {
    for (const std::uint32_t place : std::span(likely).first(std::exchange(count, 0))) {
      const std::uint64_t difference = records_[place].hash ^ hash;
      if (is_within(difference) && is_found_by(table, difference)) found(records_[place]);
    }
  };
  const std::vector<std::uint32_t>& places = tables_[table].places;
  for (const Range& bucket : buckets) {
    for (std::uint32_t i = bucket.begin; i < bucket.end; ++i) {
      const std::uint32_t place = places.empty() ? i : places[i];
      if (!may_be_near(place, hash)) continue;
      __builtin_prefetch(&records_[place]);
      likely[count++] = place;
      if (count == batch) look_at_likely();
    }
  }
  look_at_likely();
}

std::size_t HammingIndex::find_in(std::size_t table_number, std::uint64_t hash,
                                  const std::function<void(const HashRecord&)>& found) const {
  const Table& table = tables_[table_number];
  const std::size_t bucket = table.bucket_of(hash);
  std::size_t candidates = 0;
  std::array<Range, batch> ranges{};
  for (std::size_t begin = 0; begin < table.flips.size(); begin += batch) {
    const auto flips = std::span(table.flips).subspan(begin, std::min(batch, table.flips.size() - begin));
    for (const std::uint32_t flip : flips) __builtin_prefetch(&table.begins[bucket ^ flip]);
    for (std::size_t i = 0; i < flips.size(); ++i) {
      ranges[i] = {table.begins[bucket ^ flips[i]], table.begins[(bucket ^ flips[i]) + 1]};
      candidates += ranges[i].end - ranges[i].begin;
      if (!table.places.empty()) __builtin_prefetch(table.places.data() + ranges[i].begin);
    }
    find_in(table_number, std::span(ranges).first(flips.size()), hash, found);
  }
  return candidates;
}

std::size_t HammingIndex::find(std::uint64_t hash,
                               const std::function<void(const HashRecord&)>& found) const {
  std::size_t candidates = 0;
  for (std::size_t table = 0; table < tables_.size(); ++table) candidates += find_in(table, hash, found);
  return candidates;
}

}  // namespace qdedup::finder
