#include "finder/question_index.h"

#include <algorithm>
#include <cstddef>

#include "base/sort_unique.h"

namespace qdedup::finder {
namespace {

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

// The first position of the range after those of at most this length.
std::uint32_t QuestionIndex::end_of_length(Range range, std::size_t length) const {
  const auto begin = lengths_.begin() + range.begin;
  const auto end = lengths_.begin() + range.end;
  return range.begin + static_cast<std::uint32_t>(std::upper_bound(begin, end, length) - begin);
}

QuestionIndex::Range QuestionIndex::of_similar_length(Range all, const HanQuery& query) const {
  const LengthRange& lengths = query.lengths();
  const std::uint32_t begin = lengths.min == 0 ? all.begin : end_of_length(all, lengths.min - 1);
  return {begin, end_of_length(all, lengths.max), all.width};
}

void QuestionIndex::find(std::uint64_t sign_fingerprint, const HanQuery& query, Scratch& scratch,
                         std::vector<QuestionId>& found) const {
  const std::uint32_t signs = signs_of(sign_fingerprint);
  const std::size_t last = sketch_width(query.lengths().max);
  for (std::size_t width = sketch_width(query.lengths().min); width <= last; ++width) {
    const Range range = of_similar_length(all_of(width, signs), query);
    if (range.end - range.begin <= few_) {
      scan(range, query, found);
    } else {
      look_up(range, signs, query, scratch, found);
    }
  }
}

void QuestionIndex::scan(Range range, const HanQuery& query, std::vector<QuestionId>& found) const {
  for (std::uint32_t position = range.begin; position < range.end; ++position) {
    if (query.may_be_similar(sketch(range.width, position), range.width, lengths_[position]))
      found.push_back(ids_[position]);
  }
}

// Texts of some lengths have too few pieces: they are scanned.
void QuestionIndex::look_up(Range range, std::uint32_t signs, const HanQuery& query, Scratch& scratch,
                            std::vector<QuestionId>& found) const {
  std::array<bool, max_piece + 1> has_pieces{};
  for (Range rest = range; rest.begin < rest.end;) {
    const std::size_t length = lengths_[rest.begin];
    const std::uint32_t end = end_of_length(rest, length);
    const std::size_t size = piece_length(length, settings_);
    has_pieces[size] = true;
    if (size == 0) scan({rest.begin, end, rest.width}, query, found);
    rest.begin = end;
  }
  scratch.positions.clear();
  for (std::size_t size = 1; size <= max_piece; ++size) {
    if (has_pieces[size]) gather(range, signs, size, query, scratch);
  }
  sort_unique(scratch.positions);
  for (const std::uint32_t position : scratch.positions) found.push_back(ids_[position]);
}

// Adds the positions of the range whose texts have a piece in common with the query, and may be similar.
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
  filter_candidates(
      positions, known, [&](std::uint32_t position) { __builtin_prefetch(sketch(range.width, position)); },
      [&](std::uint32_t position) {
        return query.may_be_similar(sketch(range.width, position), range.width, lengths_[position]);
      });
}

void IndexDelta::add(QuestionId id, std::uint64_t sign_fingerprint, std::u32string_view han) {
  Question& question = groups_[sign_fingerprint].emplace_back(Question{id, han.size(), {}});
  write_sketch(han, width, question.sketch.data());
  ++size_;
}

void IndexDelta::add(const IndexDelta& others) {
  for (const auto& [sign_fingerprint, group] : others.groups_) {
    std::vector<Question>& known = groups_[sign_fingerprint];
    known.insert(known.end(), group.begin(), group.end());
  }
  size_ += others.size_;
}

void IndexDelta::find(std::uint64_t sign_fingerprint, const HanQuery& query,
                      std::vector<QuestionId>& found) const {
  const auto group = groups_.find(sign_fingerprint);
  if (group == groups_.end()) return;
  for (const Question& question : group->second) {
    if (query.lengths().contains(question.length) &&
        query.may_be_similar(question.sketch.data(), width, question.length))
      found.push_back(question.id);
  }
}

}  // namespace qdedup::finder
