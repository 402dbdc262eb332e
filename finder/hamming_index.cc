#include "finder/hamming_index.h"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <span>
#include <utility>

namespace qdedup::finder {
namespace {

// The minimum average number of records per bucket.
constexpr std::size_t records_per_bucket = 16;
constexpr std::size_t batch = 256;

constexpr unsigned hash_bits = 64;
// A block of a key is never the entire hash, so that no shift is as wide as the number.
constexpr unsigned widest_block = 63;

// Advances to the next choice of numbers below `count`, in lexicographical order. False after the last.
bool advance_choice(std::vector<unsigned>& chosen, unsigned count) {
  const auto size = static_cast<unsigned>(chosen.size());
  for (unsigned place = size; place-- > 0;) {
    if (chosen[place] == count - size + place) continue;
    std::iota(chosen.begin() + place, chosen.end(), chosen[place] + 1);
    return true;
  }
  return false;
}

}  // namespace

HashBlocks::HashBlocks(unsigned count, const std::vector<unsigned>& chosen) {
  for (const unsigned block : chosen) {
    const unsigned end = hash_bits - hash_bits * block / count;
    const unsigned begin = hash_bits - hash_bits * (block + 1) / count;
    const unsigned width = std::min(end - begin, widest_block - width_);
    blocks_.push_back({end - width, width});
    mask_ |= ((std::uint64_t{1} << width) - 1) << (end - width);
    width_ += width;
  }
}

std::vector<HashBlocks> all_choices(unsigned distance, unsigned levels) {
  const unsigned count = distance + levels;
  std::vector<unsigned> chosen(levels);
  std::iota(chosen.begin(), chosen.end(), 0U);
  std::vector<HashBlocks> choices;
  do {
    choices.emplace_back(count, chosen);
  } while (advance_choice(chosen, count));
  return choices;
}

HammingIndex::HammingIndex(const HammingSettings& settings, std::vector<HashRecord> records,
                           const std::function<void()>& moved)
    : settings_(settings), records_(std::move(records)) {
  std::ranges::sort(records_);
  note_firsts();
  for (HashBlocks& blocks : all_choices(settings.distance, settings.levels)) {
    moved();
    add_table(std::move(blocks));
  }
}

void HammingIndex::note_firsts() {
  firsts_.reserve(records_.size() / stretch + 2);
  for (std::size_t i = 0; i < records_.size(); i += stretch)
    firsts_.push_back(static_cast<std::uint32_t>(records_[i].hash >> 32U));
  if (!records_.empty()) firsts_.push_back(static_cast<std::uint32_t>(records_.back().hash >> 32U));
}

// The first table determines the order of the records.
void HammingIndex::add_table(HashBlocks blocks) {
  const auto wanted = static_cast<unsigned>(std::bit_width(records_.size() / records_per_bucket));
  const unsigned bits = std::min(blocks.width(), wanted);
  const bool is_first = tables_.empty();
  Table& table = tables_.emplace_back();
  table.shift = blocks.width() - bits;
  table.blocks = std::move(blocks);
  table.begins.resize((std::size_t{1} << bits) + 1);
  for (const HashRecord& record : records_) ++table.begins[table.bucket_of(record.hash) + 1];
  std::partial_sum(table.begins.begin(), table.begins.end(), table.begins.begin());
  if (is_first) return;
  table.numbers.resize(records_.size());
  std::vector<std::uint32_t> next = table.begins;
  for (std::uint32_t number = 0; number < records_.size(); ++number)
    table.numbers[next[table.bucket_of(records_[number].hash)]++] = number;
}

// All hashes of a stretch lie between its first one and that of the next stretch, so they share the leading
// bits that these two have in common.
bool HammingIndex::may_be_near(std::uint32_t number, std::uint64_t hash) const {
  const std::uint32_t first = firsts_[number / stretch];
  const int shared = std::countl_zero(first ^ firsts_[number / stretch + 1]);
  const std::uint64_t different = first ^ static_cast<std::uint32_t>(hash >> 32U);
  return is_within(different >> (32 - shared));
}

bool HammingIndex::is_within(std::uint64_t difference) const {
  return static_cast<unsigned>(std::popcount(difference)) <= settings_.distance;
}

// Whether this table is the one that reports a near hash which differs in these bits: the first table where
// both are certainly in the same bucket.
bool HammingIndex::is_found_by(std::size_t table, std::uint64_t difference) const {
  return std::ranges::find_if(tables_, [&](const Table& one) { return one.blocks.spare(difference); }) -
             tables_.begin() ==
         static_cast<std::ptrdiff_t>(table);
}

std::size_t HammingIndex::find_in_order(std::uint64_t hash,
                                        const std::function<void(const HashRecord&)>& found) const {
  const Table& table = tables_.front();
  const std::size_t bucket = table.bucket_of(hash);
  const auto all =
      std::span(records_).subspan(table.begins[bucket], table.begins[bucket + 1] - table.begins[bucket]);
  for (const HashRecord& record : all) {
    const std::uint64_t difference = record.hash ^ hash;
    if (is_within(difference) && table.blocks.spare(difference)) found(record);
  }
  return all.size();
}

std::size_t HammingIndex::find_in(std::size_t table, std::uint64_t hash,
                                  const std::function<void(const HashRecord&)>& found) const {
  const std::vector<std::uint32_t>& begins = tables_[table].begins;
  const std::size_t bucket = tables_[table].bucket_of(hash);
  const auto all =
      std::span(tables_[table].numbers).subspan(begins[bucket], begins[bucket + 1] - begins[bucket]);
  std::array<std::uint32_t, batch> likely{};
  for (std::size_t begin = 0; begin < all.size(); begin += batch) {
    const auto numbers = all.subspan(begin, std::min(batch, all.size() - begin));
    for (const std::uint32_t number : numbers) __builtin_prefetch(&firsts_[number / stretch]);
    std::size_t count = 0;
    for (const std::uint32_t number : numbers) {
      if (!may_be_near(number, hash)) continue;
      __builtin_prefetch(&records_[number]);
      likely[count++] = number;
    }
    for (const std::uint32_t number : std::span(likely).first(count)) {
      const HashRecord& record = records_[number];
      const std::uint64_t difference = record.hash ^ hash;
      if (is_within(difference) && is_found_by(table, difference)) found(record);
    }
  }
  return all.size();
}

std::size_t HammingIndex::find(std::uint64_t hash,
                               const std::function<void(const HashRecord&)>& found) const {
  std::size_t candidates = find_in_order(hash, found);
  for (std::size_t table = 1; table < tables_.size(); ++table) candidates += find_in(table, hash, found);
  return candidates;
}

}  // namespace qdedup::finder
