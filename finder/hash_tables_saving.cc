#include <algorithm>
#include <bit>
#include <cstring>
#include <string>
#include <utility>

#include "finder/grams.h"
#include "finder/hash_tables.h"

namespace qdedup::finder {
namespace {

static_assert(std::endian::native == std::endian::little, "records are saved as they are in memory");

constexpr std::size_t records_per_piece = 65'536;

std::string header(const HashTablesSettings& settings) {
  return "qdedup hashes 1\ndistance " + std::to_string(settings.distance) + " levels " +
         std::to_string(settings.levels) + '\n';
}

template <class Number>
std::string_view bytes_of(const Number& number) {
  return {reinterpret_cast<const char*>(&number), sizeof number};
}

std::string_view bytes_of(std::span<const HashRecord> records) {
  return {reinterpret_cast<const char*>(records.data()), records.size_bytes()};
}

std::uint64_t number_at(std::string_view bytes, std::size_t at) {
  std::uint64_t number = 0;
  std::memcpy(&number, bytes.data() + at, sizeof number);
  return number;
}

std::uint64_t check_sum(std::span<const HashRecord> records) {
  constexpr std::uint64_t step = 0x9E3779B97F4A7C15U;
  std::uint64_t sum = records.size();
  for (const HashRecord& record : records) {
    sum = mixed_bits(sum + record.hash() + step);
    sum = mixed_bits(sum + static_cast<std::uint64_t>(record.id()) + step);
    sum = mixed_bits(sum + record.arrival() + step);
  }
  return sum;
}

Error damaged(const std::string& what) { return {ErrorCode::data, "the hashes cannot be used: " + what}; }

}  // namespace

void HashTables::save(const std::function<void(std::string_view)>& write) {
  fold();
  write(header(settings_));
  write(bytes_of(std::uint64_t{records_.size()}));
  const std::span<const HashRecord> all(records_);
  for (std::size_t at = 0; at < all.size(); at += records_per_piece)
    write(bytes_of(all.subspan(at, std::min(records_per_piece, all.size() - at))));
  write(bytes_of(check_sum(all)));
}

Result<HashTables> HashTables::load(std::string_view bytes, const HashTablesSettings& settings) {
  const std::string expected = header(settings);
  if (!bytes.starts_with(expected)) return damaged("they are none, or were saved with other settings");
  bytes.remove_prefix(expected.size());
  constexpr std::size_t around = 2 * sizeof(std::uint64_t);
  if (bytes.size() < around || (bytes.size() - around) % HashRecord::bytes != 0 ||
      (bytes.size() - around) / HashRecord::bytes != number_at(bytes, 0))
    return damaged("they are cut off");
  std::vector<HashRecord> records(number_at(bytes, 0));
  if (!records.empty()) std::memcpy(records.data(), bytes.data() + 8, records.size() * HashRecord::bytes);
  if (check_sum(records) != number_at(bytes, bytes.size() - 8)) return damaged("they are damaged");
  if (!std::ranges::is_sorted(records, {}, &HashRecord::hash) ||
      std::ranges::any_of(records, [](const HashRecord& record) { return record.id() < min_question_id; }))
    return damaged("a record is wrong");
  return HashTables(settings, std::move(records));
}

}  // namespace qdedup::finder
