#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace qdedup::finder {

struct HammingSettings {
  unsigned distance = 3;  // near hashes differ in at most this many bits, 0 to 15
  unsigned levels = 1;    // blocks per key of a table, 1 to 3
};

// A hash, and the number of what it stands for.
struct HashRecord {
  std::uint64_t hash;
  std::uint32_t number;

  friend auto operator<=>(const HashRecord&, const HashRecord&) = default;  // NOLINT(modernize-use-nullptr)
};

// Some blocks of bits of a hash, concatenated.
class HashBlocks {
 public:
  HashBlocks() = default;

  // Cuts 64 bits into `count` blocks of nearly equal size, the first at the top, and uses those in `chosen`,
  // which ascend.
  HashBlocks(unsigned count, const std::vector<unsigned>& chosen);

  [[nodiscard]] std::uint64_t of(std::uint64_t hash) const {
    std::uint64_t key = 0;
    for (const Block& block : blocks_) {
      key = key << block.width | (hash >> block.shift & ((std::uint64_t{1} << block.width) - 1));
    }
    return key;
  }

  // Whether two hashes that differ in these bits (a ^ b) are equal in all the blocks.
  [[nodiscard]] bool spare(std::uint64_t difference) const { return (difference & mask_) == 0; }

  // 1 to 63.
  [[nodiscard]] unsigned width() const { return width_; }

 private:
  struct Block {
    unsigned shift;
    unsigned width;
  };

  std::vector<Block> blocks_;
  std::uint64_t mask_ = 0;
  unsigned width_ = 0;
};

// All choices of `levels` blocks out of `distance` + `levels`. Two hashes that differ in `distance` bits
// agree in at least one choice, because at most `distance` blocks differ. The first choice consists of the
// first blocks.
std::vector<HashBlocks> all_choices(unsigned distance, unsigned levels);

// An index of very many 64-bit hashes for finding those that differ in few bits (Manku, Jain, Das Sarma,
// "Detecting near-duplicates for web crawling", WWW 2007). The bits are cut into `distance` + `levels`
// blocks; for each choice of `levels` of them there is a table with the hashes ordered by these blocks. Two
// near hashes agree in at least one choice. With one level there are `distance` + 1 tables with few, long
// buckets; with two or three there are more tables with short buckets, which is better for large distances.
//
// A record takes 16 bytes plus four for each table but the first, which is the order of the records itself.
// So the number of a record shows the leading bits of its hash (an array of 1/8 byte per record has them for
// each stretch of records), which avoids accessing nearly all records in the buckets of the other tables.
//
// Immutable, so thread-safe.
class HammingIndex {
 public:
  // At most 2^32 - 1 records, in any order. O(n log n). `moved` is called before each table.
  HammingIndex(
      const HammingSettings& settings, std::vector<HashRecord> records,
      const std::function<void()>& moved = [] {});

  // Calls found() once for each record within the distance, in no particular order. Returns how many records
  // share a bucket with the hash.
  std::size_t find(std::uint64_t hash, const std::function<void(const HashRecord&)>& found) const;

  // The record at a position below size(), in order of hashes.
  [[nodiscard]] const HashRecord& at(std::size_t place) const { return records_[place]; }

  [[nodiscard]] std::size_t size() const { return records_.size(); }

 private:
  struct Table {
    HashBlocks blocks;
    unsigned shift = 0;                  // from the blocks' bits to the number of a bucket
    std::vector<std::uint32_t> begins;   // of the buckets, and the end of the last one
    std::vector<std::uint32_t> numbers;  // of records; empty for the first table

    [[nodiscard]] std::size_t bucket_of(std::uint64_t hash) const { return blocks.of(hash) >> shift; }
  };

  // Each entry of firsts_ stands for this many records.
  static constexpr std::size_t stretch = 32;

  void note_firsts();
  void add_table(HashBlocks blocks);
  [[nodiscard]] bool is_within(std::uint64_t difference) const;
  [[nodiscard]] bool may_be_near(std::uint32_t number, std::uint64_t hash) const;
  [[nodiscard]] bool is_found_by(std::size_t table, std::uint64_t difference) const;
  [[nodiscard]] std::size_t find_in_order(std::uint64_t hash,
                                          const std::function<void(const HashRecord&)>& found) const;
  [[nodiscard]] std::size_t find_in(std::size_t table, std::uint64_t hash,
                                    const std::function<void(const HashRecord&)>& found) const;

  HammingSettings settings_;
  std::vector<HashRecord> records_;    // by hash and id
  std::vector<std::uint32_t> firsts_;  // the upper half of the hash of each stretch's first record
  std::vector<Table> tables_;
};

}  // namespace qdedup::finder
