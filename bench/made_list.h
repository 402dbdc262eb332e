#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bench/layout.h"
#include "bench/made_ids.h"
#include "bench/permutation.h"

namespace qdedup::bench {

// Makes log lines: the result lists of searches. A line depends on seed and number alone.
class ListMaker {
 public:
  ListMaker(std::uint64_t seed, std::uint64_t questions, Shape shape, const Layout& layout,
            const QuestionIds& ids)
      : seed_(seed),
        questions_(questions),
        shape_(shape),
        layout_(layout),
        ids_(ids),
        by_popularity_(questions, seed + 1) {}

  // Appends the line with its newline: [[1380777178,0.306],[1589879284,0.303]].
  void append_line(std::uint64_t line, std::string& log) const;

 private:
  [[nodiscard]] std::uint64_t searched_question(std::uint64_t line) const;
  [[nodiscard]] std::vector<int> scores(std::uint64_t line) const;
  [[nodiscard]] std::uint64_t result(std::uint64_t searched, const Neighbourhood& near, std::size_t rank,
                                     int score, std::uint64_t search) const;

  std::uint64_t seed_;
  std::uint64_t questions_;
  Shape shape_;
  const Layout& layout_;
  const QuestionIds& ids_;
  Permutation by_popularity_;
};

}  // namespace qdedup::bench
