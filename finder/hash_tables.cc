#include "finder/hash_tables.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

namespace qdedup::finder {
namespace {

// So many records that were added are looked through before they are folded in, and one more for so many.
constexpr std::size_t most_added = 4096;
constexpr std::size_t folded_per_added = 1024;
// A bucket has as many on average at least.
constexpr std::size_t records_per_bucket = 16;
constexpr std::size_t batch = 256;

bool by_hash(const HashRecord& a, const HashRecord& b) { return a.hash() < b.hash(); }

bool by_hash_and_id(const HashRecord& a, const HashRecord& b) {
  return a.hash() != b.hash() ? a.hash() < b.hash() : a.id() < b.id();
}

}  // namespace

HashTables::HashTables(const HashTablesSettings& settings, std::vector<HashRecord> records,
                       const std::function<void()>& moved)
    : settings_(settings), records_(std::move(records)) {
  for (HashBlocks& blocks : all_choices(settings.distance, settings.levels))
    tables_.push_back({.blocks = std::move(blocks), .begins = {}, .numbers = {}});
  fold(moved);
}

// Takes what was added into the tables, and leaves out what was removed.
void HashTables::fold(const std::function<void()>& moved) {
  folded_ -= static_cast<std::size_t>(
      std::ranges::count_if(std::span(records_).first(folded_), &HashRecord::removed));
  std::erase_if(records_, [](const HashRecord& record) { return record.removed(); });
  removed_ = 0;
  sort_records();
  folded_ = records_.size();
  build_tables(moved);
}

void HashTables::sort_records() {
  const auto added = records_.begin() + static_cast<std::ptrdiff_t>(folded_);
  std::sort(added, records_.end(), by_hash_and_id);
  std::inplace_merge(records_.begin(), added, records_.end(), by_hash_and_id);
}

void HashTables::build_tables(const std::function<void()>& moved) {
  note_firsts();
  for (std::size_t i = 0; i < tables_.size(); ++i) {
    moved();
    size_buckets(tables_[i]);
    count_buckets(tables_[i]);
    if (i > 0) fill_buckets(tables_[i]);
  }
}

void HashTables::size_buckets(Table& table) const {
  const auto wanted = static_cast<unsigned>(std::bit_width(folded_ / records_per_bucket));
  const unsigned bits = std::min(table.blocks.width(), wanted);
  table.shift = table.blocks.width() - bits;
  table.begins.assign((std::size_t{1} << bits) + 1, 0);
}

void HashTables::count_buckets(Table& table) const {
  for (const HashRecord& record : records_) ++table.begins[table.bucket_of(record.hash()) + 1];
  for (std::size_t i = 1; i < table.begins.size(); ++i) table.begins[i] += table.begins[i - 1];
}

void HashTables::fill_buckets(Table& table) const {
  table.numbers.resize(records_.size());
  std::vector<std::uint32_t> next(table.begins.begin(), table.begins.end() - 1);
  for (std::uint32_t number = 0; number < records_.size(); ++number)
    table.numbers[next[table.bucket_of(records_[number].hash())]++] = number;
}

void HashTables::note_firsts() {
  firsts_.clear();
  firsts_.reserve(records_.size() / stretch + 2);
  for (std::size_t i = 0; i < records_.size(); i += stretch)
    firsts_.push_back(static_cast<std::uint32_t>(records_[i].hash() >> 32U));
  if (!records_.empty()) firsts_.push_back(static_cast<std::uint32_t>(records_.back().hash() >> 32U));
}

// All hashes of a stretch lie between its first and that of the next, so they share the leading bits that
// these two share.
bool HashTables::may_be_near(std::uint32_t number, std::uint64_t hash) const {
  const std::uint32_t first = firsts_[number / stretch];
  const int shared = std::countl_zero(first ^ firsts_[number / stretch + 1]);
  const std::uint64_t different = first ^ static_cast<std::uint32_t>(hash >> 32U);
  return static_cast<unsigned>(std::popcount(different >> (32 - shared))) <= settings_.distance;
}

// Whether a near hash that differs in these bits is found by this table: the first in which both are in one
// bucket for certain.
bool HashTables::is_found_by(std::size_t table, std::uint64_t difference) const {
  return std::ranges::find_if(tables_, [&](const Table& one) { return one.blocks.spare(difference); }) -
             tables_.begin() ==
         static_cast<std::ptrdiff_t>(table);
}

std::size_t HashTables::find_in_order(std::uint64_t hash,
                                      const std::function<void(const HashRecord&)>& found) const {
  const Table& table = tables_.front();
  const std::size_t bucket = table.bucket_of(hash);
  const auto all =
      std::span(records_).subspan(table.begins[bucket], table.begins[bucket + 1] - table.begins[bucket]);
  for (const HashRecord& record : all) {
    const std::uint64_t difference = record.hash() ^ hash;
    if (static_cast<unsigned>(std::popcount(difference)) <= settings_.distance && !record.removed() &&
        table.blocks.spare(difference))
      found(record);
  }
  return all.size();
}

std::size_t HashTables::find_in(std::size_t table, std::uint64_t hash,
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
      const std::uint64_t difference = record.hash() ^ hash;
      if (static_cast<unsigned>(std::popcount(difference)) <= settings_.distance && !record.removed() &&
          is_found_by(table, difference))
        found(record);
    }
  }
  return all.size();
}

std::size_t HashTables::find_added(std::uint64_t hash,
                                   const std::function<void(const HashRecord&)>& found) const {
  for (const HashRecord& record : std::span(records_).subspan(folded_)) {
    if (static_cast<unsigned>(std::popcount(record.hash() ^ hash)) <= settings_.distance && !record.removed())
      found(record);
  }
  return records_.size() - folded_;
}

std::size_t HashTables::find(std::uint64_t hash, const std::function<void(const HashRecord&)>& found) const {
  std::size_t candidates = find_added(hash, found) + find_in_order(hash, found);
  for (std::size_t table = 1; table < tables_.size(); ++table) candidates += find_in(table, hash, found);
  return candidates;
}

std::vector<QuestionId> HashTables::query(std::uint64_t hash) const {
  std::vector<QuestionId> ids;
  find(hash, [&](const HashRecord& record) { ids.push_back(record.id()); });
  std::ranges::sort(ids);
  return ids;
}

void HashTables::add(const HashRecord& record) {
  records_.push_back(record);
  if (records_.size() - folded_ > most_added + folded_ / folded_per_added) fold();
}

std::vector<HashRecord>::iterator HashTables::record_of(std::uint64_t hash, QuestionId id) {
  const auto added = records_.begin() + static_cast<std::ptrdiff_t>(folded_);
  const auto is_it = [&](const HashRecord& record) { return record.hash() == hash && record.id() == id; };
  const auto [first, last] = std::equal_range(records_.begin(), added, HashRecord(hash, 0, 0), by_hash);
  const auto found = std::find_if(first, last, is_it);
  return found != last ? found : std::find_if(added, records_.end(), is_it);
}

bool HashTables::remove(std::uint64_t hash, QuestionId id) {
  const auto found = record_of(hash, id);
  if (id == 0 || found == records_.end()) return false;
  found->remove();
  if (++removed_ > records_.size() / 2 + most_added) fold();
  return true;
}

bool HashTables::arrived(std::uint64_t hash, QuestionId id, std::uint16_t arrival) {
  const auto found = record_of(hash, id);
  if (id == 0 || found == records_.end()) return false;
  found->set_arrival(std::max(found->arrival(), arrival));
  return true;
}

std::size_t HashTables::expire(std::uint16_t before) {
  std::size_t expired = 0;
  for (HashRecord& record : records_) {
    if (record.removed() || record.arrival() >= before) continue;
    record.remove();
    ++expired;
  }
  removed_ += expired;
  if (expired > 0) fold();
  return expired;
}

std::size_t HashTables::bytes() const {
  std::size_t sum = records_.capacity() * sizeof(HashRecord) + firsts_.capacity() * sizeof(std::uint32_t);
  for (const Table& table : tables_)
    sum += (table.begins.capacity() + table.numbers.capacity()) * sizeof(std::uint32_t);
  return sum;
}

}  // namespace qdedup::finder
