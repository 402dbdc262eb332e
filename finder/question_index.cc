#include "finder/question_index.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <string>
#include <tuple>

#include "base/containers.h"
#include "refine/parts.h"

namespace qdedup::finder {
namespace {

template <class T>
std::size_t bytes_of(const std::vector<T>& values) {
  return values.capacity() * sizeof(T);
}

constexpr std::size_t positions_per_list = 8;

Error does_not_fit(std::size_t bytes) {
  return {ErrorCode::config,
          "an index of more than " + std::to_string(bytes >> 20U) + " MiB would be needed"};
}

Error too_many_pieces() { return {ErrorCode::config, "the index would have more than 4294967295 entries"}; }

Error changed_meanwhile() { return {ErrorCode::internal, "the questions changed while they were indexed"}; }

std::size_t position_list_count(std::size_t positions) {
  return std::bit_ceil(std::max<std::size_t>(positions / positions_per_list, 1));
}

}  // namespace

class QuestionIndex::Building {
 public:
  Building(QuestionIndex& index, const Source& source, const Limits& limits)
      : index_(index), source_(source), limits_(limits) {}

  Status run() {
    QDEDUP_TRY(list());
    QDEDUP_TRY(arrange());
    QDEDUP_TRY(copy());
    QDEDUP_TRY(count_positions());
    return fill_lists();
  }

 private:
  // A question in the order of the source.
  struct Listed {
    std::uint32_t signs;
    std::uint32_t length;
    std::uint32_t number;
  };

  Status list() {
    constexpr std::size_t min_bytes = sizeof(Listed) + sizeof(QuestionId) + sizeof(std::uint32_t);
    return source_([&](QuestionId, std::uint64_t fingerprint, std::string_view text) -> Status {
      if ((listed_.size() + 1) * min_bytes > limits_.bytes) return does_not_fit(limits_.bytes);
      listed_.push_back(
          {signs_of(fingerprint),
           static_cast<std::uint32_t>(refine::compared_parts(text, index_.settings_).han.size()),
           static_cast<std::uint32_t>(listed_.size())});
      return {};
    });
  }

  Status arrange() {
    std::ranges::sort(listed_, {}, [](const Listed& question) {
      return std::tuple(sketch_width(question.length), question.signs, question.length, question.number);
    });
    lay_out();
    const std::size_t positions = count_pieces();
    const std::size_t lists = position_list_count(positions);
    const std::size_t bytes = bytes_of(words_, positions, lists);
    if (bytes > limits_.bytes) return does_not_fit(bytes);
    if (positions > std::numeric_limits<std::uint32_t>::max()) return too_many_pieces();
    place(lists);
    index_.positions_.resize(positions);
    return {};
  }

  // Lays out the shelves and the groups in them.
  void lay_out() {
    std::size_t width = 0;
    for (std::uint32_t position = 0; position < listed_.size(); ++position) {
      const Listed& question = listed_[position];
      while (width < sketch_width(question.length)) begin_shelf(++width, position);
      Shelf& shelf = index_.shelves_[width];
      if (shelf.signs.empty() || shelf.signs.back() != question.signs) {
        shelf.signs.push_back(question.signs);
        shelf.begins.push_back(position);
      }
      words_ += sketch_words(width);
    }
    while (width + 1 < sketch_widths) begin_shelf(++width, static_cast<std::uint32_t>(listed_.size()));
    index_.shelves_.back().begins.push_back(static_cast<std::uint32_t>(listed_.size()));
  }

  void begin_shelf(std::size_t width, std::uint32_t position) {
    index_.shelves_[width - 1].begins.push_back(position);
    index_.shelves_[width].first = position;
    index_.shelves_[width].first_word = words_;
  }

  // The number of pieces by which questions are found whose signs many others share.
  [[nodiscard]] std::size_t count_pieces() const {
    std::size_t pieces = 0;
    for (const Listed& question : listed_) {
      if (is_among_many(question.signs, question.length) &&
          piece_length(question.length, index_.settings_) > 0)
        pieces += needed_pieces(question.length, index_.settings_);
    }
    return pieces;
  }

  [[nodiscard]] bool is_among_many(std::uint32_t signs, std::size_t length) const {
    const Range all = index_.all_of(sketch_width(length), signs);
    return all.end - all.begin > index_.few_;
  }

  // Including the memory needed for building.
  [[nodiscard]] std::size_t bytes_of(std::size_t words, std::size_t positions, std::size_t lists) const {
    constexpr std::size_t each = sizeof(QuestionId) + 2 * sizeof(std::uint32_t);
    return index_.bytes() + listed_.size() * each + words * sizeof(std::uint64_t) +
           (positions + lists) * sizeof(std::uint32_t) + PieceCounts::bytes_for(listed_.size());
  }

  void place(std::size_t lists) {
    const std::size_t count = listed_.size();
    index_.lengths_.resize(count);
    position_of_.resize(count);
    for (std::uint32_t position = 0; position < count; ++position) {
      index_.lengths_[position] = listed_[position].length;
      position_of_[listed_[position].number] = position;
    }
    release(listed_);
    index_.ids_.resize(count);
    index_.sketches_.resize(words_);
    index_.lists_.resize(lists + 1);
    piece_counts_ = PieceCounts(count);
  }

  // Passes the position of each question to `take`, with its fields in the source.
  template <class TakePlaced>
  Status for_each(const TakePlaced& take) {
    std::size_t number = 0;
    QDEDUP_TRY(source_([&](QuestionId id, std::uint64_t fingerprint, std::string_view text) -> Status {
      if (number == position_of_.size()) return changed_meanwhile();
      return take(position_of_[number++], id, signs_of(fingerprint), text);
    }));
    return number == position_of_.size() ? Status() : Status(changed_meanwhile());
  }

  // Passes the Han parts of all questions that are found by pieces to `take`.
  template <class TakeHan>
  Status for_each_among_many(const TakeHan& take) {
    return for_each(
        [&](std::uint32_t position, QuestionId, std::uint32_t signs, std::string_view text) -> Status {
          const std::size_t length = index_.lengths_[position];
          if (!is_among_many(signs, length)) return {};
          const std::size_t size = piece_length(length, index_.settings_);
          if (size == 0) return {};
          const std::u32string han = refine::compared_parts(text, index_.settings_).han;
          if (han.size() != length) return changed_meanwhile();
          take(position, signs, han, size);
          return {};
        });
  }

  Status copy() {
    const std::size_t step = PieceCounts::learning_step(position_of_.size());
    return for_each(
        [&](std::uint32_t position, QuestionId id, std::uint32_t signs, std::string_view text) -> Status {
          const std::u32string han = refine::compared_parts(text, index_.settings_).han;
          if (han.size() != index_.lengths_[position]) return changed_meanwhile();
          index_.ids_[position] = id;
          const std::size_t width = sketch_width(han.size());
          write_sketch(han, width, &index_.sketches_[index_.first_word(width, position)]);
          if (position % step == 0 && is_among_many(signs, han.size())) learn(han, signs);
          return {};
        });
  }

  void learn(std::u32string_view han, std::uint32_t signs) {
    const std::size_t size = piece_length(han.size(), index_.settings_);
    if (size > 0) piece_counts_.learn(han, size, signs);
  }

  // The lists that contain a text: those of its rarest pieces.
  template <class TakeList>
  void for_each_list(std::u32string_view han, std::uint32_t signs, std::size_t size, const TakeList& take) {
    const std::size_t needed = needed_pieces(han.size(), index_.settings_);
    for (const auto& piece : piece_counts_.rarest(han, size, needed, signs)) take(index_.list_of(piece.hash));
  }

  // Afterwards each entry of `lists_` is the end of its list.
  Status count_positions() {
    std::vector<std::uint32_t>& lists = index_.lists_;
    QDEDUP_TRY(for_each_among_many(
        [&](std::uint32_t, std::uint32_t signs, std::u32string_view han, std::size_t size) {
          for_each_list(han, signs, size, [&](std::size_t list) { ++lists[list]; });
        }));
    for (std::size_t list = 1; list < lists.size(); ++list) lists[list] += lists[list - 1];
    return lists.back() == index_.positions_.size() ? Status() : Status(changed_meanwhile());
  }

  // Moves each entry from the end of its list to the beginning.
  Status fill_lists() {
    std::vector<std::uint32_t>& lists = index_.lists_;
    QDEDUP_TRY(for_each_among_many(
        [&](std::uint32_t position, std::uint32_t signs, std::u32string_view han, std::size_t size) {
          for_each_list(han, signs, size, [&](std::size_t list) { put(list, position); });
        }));
    if (overflown_ || lists.front() != 0) return changed_meanwhile();
    for (std::size_t list = 0; list + 1 < lists.size(); ++list)
      std::sort(index_.positions_.begin() + lists[list], index_.positions_.begin() + lists[list + 1]);
    return {};
  }

  void put(std::size_t list, std::uint32_t position) {
    std::uint32_t& end = index_.lists_[list];
    if (end == 0) {
      overflown_ = true;
    } else {
      index_.positions_[--end] = position;
    }
  }

  QuestionIndex& index_;
  const Source& source_;
  const Limits& limits_;
  std::vector<Listed> listed_;
  std::vector<std::uint32_t> position_of_;  // by number
  std::size_t words_ = 0;                   // of sketches
  PieceCounts piece_counts_;
  bool overflown_ = false;
};

Result<QuestionIndex> QuestionIndex::build(const Source& source, const refine::DuplicateSettings& settings,
                                           const Limits& limits) {
  QuestionIndex index(settings, limits.few);
  QDEDUP_TRY(Building(index, source, limits).run());
  return index;
}

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

// The end of those positions in the range that have at most this length.
std::uint32_t QuestionIndex::end_of_length(Range range, std::size_t length) const {
  const auto begin = lengths_.begin() + range.begin;
  const auto end = lengths_.begin() + range.end;
  return range.begin + static_cast<std::uint32_t>(std::upper_bound(begin, end, length) - begin);
}

QuestionIndex::Range QuestionIndex::of_similar_length(Range all, const HanQuery& query) const {
  const refine::LengthRange& lengths = query.lengths();
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

// Texts of some lengths have too few pieces, so they are scanned.
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

// Adds the positions in the range whose texts share a piece with the query and may be similar.
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
