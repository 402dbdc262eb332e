#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/question_id.h"
#include "base/result.h"
#include "finder/hash_blocks.h"
#include "finder/hash_record.h"

namespace qdedup::finder {

struct HashTablesSettings {
  unsigned distance = 3;  // bits in which near hashes differ at most, 0 to 15
  unsigned levels = 1;    // blocks that a table goes by, 1 to 3

  friend bool operator==(const HashTablesSettings&, const HashTablesSettings&) = default;
};

// Very many 64-bit hashes, to be searched for those that differ in few bits (Manku, Jain, Das Sarma,
// "Detecting near-duplicates for web crawling", WWW 2007). The bits are cut into `distance` + `levels`
// blocks; for each choice of `levels` of them there is a table in which the hashes stand by these blocks. Two
// near hashes agree in one of the choices. With one level that is `distance` + 1 tables of few, long buckets;
// with two or three there are more tables, of short buckets: better for great distances.
//
// A record takes 18 bytes and four for each table but the first, which is the order of the records itself. A
// number of a record therefore tells the leading bits of its hash (an array of 1/8 byte a record has them
// for each stretch of records), which spares the access to nearly all records of the other tables' buckets.
//
// Looking up is safe on any number of threads while nothing changes.
class HashTables {
 public:
  explicit HashTables(const HashTablesSettings& settings) : HashTables(settings, {}) {}

  // At most 2^32 - 1 records, in any order, no two with the same hash and the same id. n log n. `moved` is
  // called before each table.
  HashTables(
      const HashTablesSettings& settings, std::vector<HashRecord> records,
      const std::function<void()>& moved = [] {});

  // One that is not there yet. Goes to a part that is looked through from end to end; where that becomes long
  // all tables are made anew.
  void add(const HashRecord& record);

  // The record at a place below size(), by hash; where nothing was added or removed since the tables were
  // made.
  [[nodiscard]] const HashRecord& at(std::size_t place) const { return records_[place]; }

  // Called once for each record within the distance, in no order. Answers with how many others the hash was
  // compared, or spared to be compared by what a table says: what one would have to read without that.
  std::size_t find(std::uint64_t hash, const std::function<void(const HashRecord&)>& found) const;

  // The ids of what find() finds, ascending.
  [[nodiscard]] std::vector<QuestionId> query(std::uint64_t hash) const;

  // False where there is no such record. A record that arrived once more lives on.
  bool remove(std::uint64_t hash, QuestionId id);
  bool arrived(std::uint64_t hash, QuestionId id, std::uint16_t arrival);

  // Removes all whose last arrival was before that; answers how many.
  std::size_t expire(std::uint16_t before);

  [[nodiscard]] std::size_t size() const { return records_.size() - removed_; }
  [[nodiscard]] std::size_t bytes() const;  // of memory

  // Hands over all that is needed to go on elsewhere, piece by piece; doc/finders.md has the format.
  void save(const std::function<void(std::string_view)>& write);

  // ErrorCode::data where the bytes are not what save() writes for these settings.
  static Result<HashTables> load(std::string_view bytes, const HashTablesSettings& settings);

 private:
  struct Table {
    HashBlocks blocks;
    unsigned shift = 0;                  // from what the blocks hold to the number of a bucket
    std::vector<std::uint32_t> begins;   // of the buckets, and one more: the end of the last
    std::vector<std::uint32_t> numbers;  // of records; empty for the first table

    [[nodiscard]] std::size_t bucket_of(std::uint64_t hash) const { return blocks.of(hash) >> shift; }
  };

  // So many records have one entry of firsts_.
  static constexpr std::size_t stretch = 32;

  void fold(const std::function<void()>& moved = [] {});
  void sort_records();
  void build_tables(const std::function<void()>& moved);
  void size_buckets(Table& table) const;
  void count_buckets(Table& table) const;
  void fill_buckets(Table& table) const;
  void note_firsts();
  [[nodiscard]] bool may_be_near(std::uint32_t number, std::uint64_t hash) const;
  [[nodiscard]] bool is_found_by(std::size_t table, std::uint64_t difference) const;
  [[nodiscard]] std::size_t find_in_order(std::uint64_t hash,
                                          const std::function<void(const HashRecord&)>& found) const;
  [[nodiscard]] std::size_t find_in(std::size_t table, std::uint64_t hash,
                                    const std::function<void(const HashRecord&)>& found) const;
  [[nodiscard]] std::size_t find_added(std::uint64_t hash,
                                       const std::function<void(const HashRecord&)>& found) const;
  [[nodiscard]] std::vector<HashRecord>::iterator record_of(std::uint64_t hash, QuestionId id);

  HashTablesSettings settings_;
  std::vector<HashRecord> records_;    // the first `folded_` by hash and id, then what was added since
  std::vector<std::uint32_t> firsts_;  // the upper half of the hash of each stretch's first record
  std::vector<Table> tables_;
  std::size_t folded_ = 0;
  std::size_t removed_ = 0;  // records, which are still there
};

}  // namespace qdedup::finder
