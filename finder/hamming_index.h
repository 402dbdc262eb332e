#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace qdedup::finder {

// How hashes that differ in at most `distance` bits are looked up: each table has one block of bits, and all
// buckets are looked at whose numbers differ from the hash's in at most `radius` bits.
struct HammingPlan {
  unsigned distance = 3;  // 0 to 15
  unsigned radius = 0;

  // The radius that costs least among so many hashes: a larger one takes fewer tables with shorter buckets,
  // but looks at more of them.
  static HammingPlan of(unsigned distance, std::size_t hashes);

  // Among so many blocks, one differs in at most `radius` bits.
  [[nodiscard]] unsigned tables() const { return distance / (radius + 1) + 1; }
};

// The hash that 16 hexadecimal digits stand for.
std::optional<std::uint64_t> parse_hash(std::string_view digits);

// A hash, and the number of what it stands for.
struct HashRecord {
  std::uint64_t hash;
  std::uint64_t number;

  friend auto operator<=>(const HashRecord&, const HashRecord&) = default;  // NOLINT(modernize-use-nullptr)
};

// An index of very many 64-bit hashes for finding those that differ in few bits. The bits are cut into
// blocks; for each there is a table with the hashes in buckets by the leading bits of the block (Manku, Jain,
// Das Sarma, "Detecting near-duplicates for web crawling", WWW 2007; with a radius: Norouzi, Punjani, Fleet,
// "Fast exact search in Hamming space with multi-index hashing", 2012).
//
// A record takes 16 bytes plus four for each table but the first, which is the order of the records itself.
// So the place of a record shows the leading bits of its hash (an array of 1/8 byte per record has them for
// each stretch of records), which avoids accessing nearly all records in the buckets of the other tables.
//
// Immutable, so thread-safe.
class HammingIndex {
 public:
  static constexpr std::size_t max_records = std::numeric_limits<std::uint32_t>::max();

  // At most max_records, in any order. O(n log n). `moved` is called before each table.
  HammingIndex(
      HammingPlan plan, std::vector<HashRecord> records, const std::function<void()>& moved = [] {});

  // Calls found() once for each record within the distance, in no particular order. Returns how many records
  // are in the buckets that it looked at.
  std::size_t find(std::uint64_t hash, const std::function<void(const HashRecord&)>& found) const;

  // The record at a position below size(), in order of hashes.
  [[nodiscard]] const HashRecord& at(std::size_t place) const { return records_[place]; }

  [[nodiscard]] std::size_t size() const { return records_.size(); }

 private:
  struct Table {
    unsigned shift = 0;
    std::uint64_t mask = 0;             // of a bucket's number
    std::vector<std::uint32_t> flips;   // from the number of a hash's bucket to those to look at
    std::vector<std::uint32_t> begins;  // of the buckets, and the end of the last one
    std::vector<std::uint32_t> places;  // of records; empty for the first table

    [[nodiscard]] std::size_t bucket_of(std::uint64_t hash) const { return hash >> shift & mask; }
  };

  struct Range {
    std::uint32_t begin;
    std::uint32_t end;
  };

  // Each entry of firsts_ stands for this many records.
  static constexpr std::size_t stretch = 32;

  void note_firsts();
  void add_table(unsigned block);
  [[nodiscard]] bool is_within(std::uint64_t difference) const;
  [[nodiscard]] bool may_be_near(std::uint32_t place, std::uint64_t hash) const;
  [[nodiscard]] bool is_found_by(std::size_t table, std::uint64_t difference) const;
  void find_in(std::size_t table, std::span<const Range> buckets, std::uint64_t hash,
               const std::function<void(const HashRecord&)>& found) const;
  [[nodiscard]] std::size_t find_in(std::size_t table, std::uint64_t hash,
                                    const std::function<void(const HashRecord&)>& found) const;

  HammingPlan plan_;
  std::vector<HashRecord> records_;    // by hash and number
  std::vector<std::uint32_t> firsts_;  // the upper half of the hash of each stretch's first record
  std::vector<Table> tables_;
};

}  // namespace qdedup::finder
