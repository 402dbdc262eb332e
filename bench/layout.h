#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace qdedup::bench {

// Shapes of a week. All but `usual` are the worst that one part of the program can meet.
enum class Shape : std::uint8_t {
  usual,
  one_question,   // the same question is in every list
  same_signs,     // all questions of a cluster have the same signs
  long_lists,     // lists of 10,000 results
  one_character,  // each text is one character
};

// Where a question stands among its look-alikes. Questions are numbered so that look-alikes are neighbours:
// `topic` questions on the same matter, and in them `duplicates` of one another, the original first.
struct Neighbourhood {
  std::uint64_t topic_begin;
  std::uint64_t topic_size;
  std::uint64_t duplicates_begin;
  std::uint64_t duplicates_size;
};

// Lays topics and duplicates out in the shares of measured.h, in tiles that repeat.
class Layout {
 public:
  Layout(std::uint64_t questions, Shape shape);

  [[nodiscard]] Neighbourhood around(std::uint64_t question) const;

 private:
  static constexpr std::size_t tile_size = 8192;

  struct Place {
    std::uint16_t topic_begin;  // within the tile
    std::uint16_t topic_size;
    std::uint16_t duplicates_begin;
    std::uint16_t duplicates_size;
  };

  void lay_topics(Shape shape);
  void lay_duplicates();

  std::uint64_t questions_;
  std::vector<Place> tile_;
};

}  // namespace qdedup::bench
