#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "finder/similar_lengths.h"
#include "finder/wide_sketch.h"
#include "refine/duplicate_test.h"

namespace qdedup::finder {

// A Han part that others are held against, by their lengths and sketches alone. What it refuses does not pass
// the duplicate test with it; most of what it lets pass does, where texts are not alike by their kind.
class HanQuery {
 public:
  // The text must outlive it.
  HanQuery(std::u32string_view han, const refine::DuplicateSettings& settings);

  [[nodiscard]] std::u32string_view han() const { return han_; }
  [[nodiscard]] const SimilarLengths& lengths() const { return lengths_; }

  // `sketch` has sketch_words(width) words.
  [[nodiscard]] bool may_be_like(const std::uint64_t* sketch, std::size_t width, std::size_t length) const;

 private:
  std::u32string_view han_;
  int min_similarity_;
  SimilarLengths lengths_;
  std::array<std::array<std::uint64_t, sketch_words(sketch_widths - 1)>, sketch_widths>
      sketches_;  // by width
};

}  // namespace qdedup::finder
