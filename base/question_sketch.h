#pragma once

#include <cstdint>

namespace qdedup {

// A summary stored with each question, which rules out most non-duplicates without reading their texts
// (refine/duplicate_test.h).
struct QuestionSketch {
  std::uint64_t once = 0;       // bit i: the Han part holds a character of class i,
  std::uint64_t twice = 0;      // or two of them, or more
  std::uint32_t signs = 0;      // equal for equal signs
  std::uint8_t han_length = 0;  // in code points; 255 stands for all longer ones too

  friend bool operator==(const QuestionSketch&, const QuestionSketch&) = default;
};

}  // namespace qdedup
