#pragma once

#include <cstdint>
#include <vector>

#include "base/question_id.h"

namespace qdedup::reference {

// The slow twin of finder::HashTables: a list that is looked through.
class NearHashes {
 public:
  explicit NearHashes(unsigned distance) : distance_(distance) {}

  void add(std::uint64_t hash, QuestionId id, std::uint16_t arrival) { all_.push_back({hash, id, arrival}); }
  bool remove(std::uint64_t hash, QuestionId id);
  bool arrived(std::uint64_t hash, QuestionId id, std::uint16_t arrival);
  std::size_t expire(std::uint16_t before);
  [[nodiscard]] std::size_t size() const { return all_.size(); }
  [[nodiscard]] std::vector<QuestionId> query(std::uint64_t hash) const;

 private:
  struct Hash {
    std::uint64_t hash;
    QuestionId id;
    std::uint16_t arrival;
  };

  unsigned distance_;
  std::vector<Hash> all_;
};

}  // namespace qdedup::reference
