#include "finder/question_index.h"

#include <algorithm>
#include <cstddef>

#include "base/sort_unique.h"
#include "finder/pieces.h"

namespace qdedup::finder {
namespace {

constexpr std::size_t ahead = 16;

template <class T>
std::size_t bytes_of(const std::vector<T>& values) {
  return values.capacity() * sizeof(T);
}

}  // namespace

std::size_t QuestionIndex::bytes() const {
  std::size_t sum =
      bytes_of(ids_) + bytes_of(lengths_) + bytes_of(sketches_) + bytes_of(lists_) + bytes_of(positions_);
  for (const Shelf& shelf : shelves_) sum += bytes_of(shelf.signs) + bytes_of(shelf.begins);
  return sum;
}

QuestionIndex::Range QuestionIndex::all_of(std::size_t width, std::uint32_t signs) const {
  const Shelf& shelf = shelves_[width];
  const auto found = std::ranges::lower_bound(shelf.signs, signs);
  if (found == shelf.signs.end() || *found != signs) return {0, 0, width};
  const auto begin = shelf.begins.begin() + (found - shelf.signs.begin());
  return {begin[0], begin[1], width};
}

// The first position of the range behind those of at most this length.
std::uint32_t QuestionIndex::end_of_length(Range range, std::size_t length) const {
  const auto begin = lengths_.begin() + range.begin;
  const auto end = lengths_.begin() + range.end;
  return range.begin + static_cast<std::uint32_t>(std::upper_bound(begin, end, length) - begin);
}

QuestionIndex::Range QuestionIndex::admitted(Range all, const HanQuery& query) const {
  const SimilarLengths& lengths = query.lengths();
  const std::uint32_t begin = lengths.least == 0 ? all.begin : end_of_length(all, lengths.least - 1);
  return {begin, end_of_length(all, lengths.most), all.width};
}

void QuestionIndex::find(std::uint64_t sign_fingerprint, const HanQuery& query, Scratch& scratch,
                         std::vector<QuestionId>& found) const {
  const std::uint32_t signs = signs_of(sign_fingerprint);
  const std::size_t last = sketch_width(query.lengths().most);
  for (std::size_t width = sketch_width(query.lengths().least); width <= last; ++width) {
    const Range range = admitted(all_of(width, signs), query);
    if (range.end - range.begin <= few_) {
      look_through(range, query, found);
    } else {
      look_up(range, signs, query, scratch, found);
    }
  }
}

void QuestionIndex::look_through(Range range, const HanQuery& query, std::vector<QuestionId>& found) const {
  for (std::uint32_t position = range.begin; position < range.end; ++position) {
    if (query.may_be_like(sketch(range.width, position), range.width, lengths_[position]))
      found.push_back(ids_[position]);
  }
}

// Texts of some lengths have too few pieces: they are looked through.
void QuestionIndex::look_up(Range range, std::uint32_t signs, const HanQuery& query, Scratch& scratch,
                            std::vector<QuestionId>& found) const {
  std::array<bool, longest_piece + 1> has_pieces{};
  for (Range rest = range; rest.begin < rest.end;) {
    const std::size_t length = lengths_[rest.begin];
    const std::uint32_t end = end_of_length(rest, length);
    const std::size_t size = piece_length(length, settings_);
    has_pieces[size] = true;
    if (size == 0) look_through({rest.begin, end, rest.width}, query, found);
    rest.begin = end;
  }
  scratch.positions.clear();
  for (std::size_t size = 1; size <= longest_piece; ++size) {
    if (has_pieces[size]) gather(range, signs, size, query, scratch);
  }
  sort_unique(scratch.positions);
  for (const std::uint32_t position : scratch.positions) found.push_back(ids_[position]);
}

// Adds the positions of the range whose texts have a piece in common with the query, and may be like it.
void QuestionIndex::gather(Range range, std::uint32_t signs, std::size_t size, const HanQuery& query,
                           Scratch& scratch) const {
  const std::u32string_view han = query.han();
  scratch.lists.clear();
  for (std::size_t at = 0; at + size <= han.size(); ++at) {
    scratch.lists.push_back(static_cast<std::uint32_t>(list_of(piece_hash(han, at, size, signs))));
    __builtin_prefetch(&lists_[scratch.lists.back()]);
  }
  for (const std::uint32_t list : scratch.lists) __builtin_prefetch(positions_.data() + lists_[list]);
  std::vector<std::uint32_t>& positions = scratch.positions;
  const std::size_t known = positions.size();
  for (const std::uint32_t list : scratch.lists) {
    const auto end = positions_.begin() + lists_[list + 1];
    for (auto at = std::lower_bound(positions_.begin() + lists_[list], end, range.begin);
         at != end && *at < range.end; ++at)
      positions.push_back(*at);
  }
  std::size_t kept = known;
  for (std::size_t i = known; i < positions.size(); ++i) {
    if (i + ahead < positions.size()) __builtin_prefetch(sketch(range.width, positions[i + ahead]));
    const std::uint32_t position = positions[i];
    if (query.may_be_like(sketch(range.width, position), range.width, lengths_[position]))
      positions[kept++] = position;
  }
  positions.resize(kept);
}

}  // namespace qdedup::finder
