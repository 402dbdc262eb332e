#include "bench/layout.h"

#include <algorithm>

#include "bench/measured.h"
#include "bench/random_stream.h"

namespace qdedup::bench {
namespace {

void shuffle(std::vector<std::size_t>& sizes, std::uint64_t index) {
  RandomStream random(0, RandomStream::Purpose::layout, index);
  for (std::size_t i = sizes.size(); i > 1; --i) std::swap(sizes[i - 1], sizes[random.below(i)]);
}

std::vector<std::size_t> topic_sizes(std::size_t tile_size, Shape shape) {
  std::vector<std::size_t> sizes;
  if (shape == Shape::same_signs) {
    sizes.assign(tile_size / measured::topics.back().size, measured::topics.back().size);
  } else {
    for (const auto& [size, share] : measured::topics) {
      const double questions = share * static_cast<double>(tile_size);
      sizes.insert(sizes.end(), static_cast<std::size_t>(questions / static_cast<double>(size)), size);
    }
  }
  shuffle(sizes, 0);
  return sizes;
}

std::vector<std::size_t> duplicate_class_sizes(std::size_t tile_size) {
  std::vector<std::size_t> sizes;
  for (std::size_t i = 0; i < measured::classes_by_size.size(); ++i) {
    const std::size_t count = measured::classes_by_size[i] * tile_size / measured::bank_size;
    sizes.insert(sizes.end(), count, i + 2);
  }
  shuffle(sizes, 1);
  return sizes;
}

}  // namespace

Layout::Layout(std::uint64_t questions, Shape shape) : questions_(questions), tile_(tile_size) {
  lay_topics(shape);
  lay_duplicates();
}

void Layout::lay_topics(Shape shape) {
  for (std::size_t i = 0; i < tile_size; ++i) {
    const auto self = static_cast<std::uint16_t>(i);
    tile_[i] = {self, 1, self, 1};
  }
  std::size_t begin = 0;
  for (const std::size_t size : topic_sizes(tile_size, shape)) {
    for (std::size_t i = begin; i < begin + size; ++i) {
      tile_[i].topic_begin = static_cast<std::uint16_t>(begin);
      tile_[i].topic_size = static_cast<std::uint16_t>(size);
    }
    begin += size;
  }
}

// Classes stand at even distances, each at the beginning of the first topic from there on that holds it.
void Layout::lay_duplicates() {
  const std::vector<std::size_t> sizes = duplicate_class_sizes(tile_size);
  std::size_t at = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    at = std::max(at, i * tile_size / sizes.size());
    while (at + sizes[i] <= tile_size && tile_[at].topic_begin + tile_[at].topic_size < at + sizes[i]) ++at;
    if (at + sizes[i] > tile_size) return;
    for (std::size_t j = at; j < at + sizes[i]; ++j) {
      tile_[j].duplicates_begin = static_cast<std::uint16_t>(at);
      tile_[j].duplicates_size = static_cast<std::uint16_t>(sizes[i]);
    }
    at += sizes[i];
  }
}

Neighbourhood Layout::around(std::uint64_t question) const {
  const Place& place = tile_[question % tile_size];
  const std::uint64_t tile_begin = question - question % tile_size;
  const auto cut = [&](std::uint64_t begin, std::uint64_t size) {
    return std::min(size, questions_ - begin);
  };
  const std::uint64_t topic = tile_begin + place.topic_begin;
  const std::uint64_t duplicates = tile_begin + place.duplicates_begin;
  return {topic, cut(topic, place.topic_size), duplicates, cut(duplicates, place.duplicates_size)};
}

}  // namespace qdedup::bench
