#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/question_id.h"
#include "engine/components.h"
#include "engine/past.h"

namespace qdedup::spark {

// A question of a bucket, in one of its clusters.
struct Member {
  static constexpr std::int64_t in_no_cluster = -1;  // stands in for one that is, or depends on one

  std::int64_t cluster;
  QuestionId id;
};

// Divides clusters into buckets that can be decided by themselves, because clusters that depend on each other
// are in one.
class Buckets {
 public:
  // The first two must outlive the object. A bucket holds about `ids_at_once` ids, but whole components.
  Buckets(const engine::ClusterList& clusters, const engine::DeletionIndex& open, std::size_t ids_at_once);

  // The members of the next bucket, by cluster; none at the end.
  std::optional<std::vector<Member>> next();

 private:
  void take_cluster(std::size_t cluster, std::vector<Member>& members) const;

  const engine::ClusterList& clusters_;
  const engine::DeletionIndex& open_;
  std::size_t ids_at_once_;
  std::vector<engine::ClusterComponent> dependent_;
  std::vector<bool> is_dependent_;  // by cluster
  std::size_t next_dependent_ = 0;
  std::size_t next_independent_ = 0;
};

}  // namespace qdedup::spark
