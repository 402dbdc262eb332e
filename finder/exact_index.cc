#include "finder/exact_index.h"

#include <algorithm>
#include <bit>
#include <memory_resource>

#include "base/containers.h"
#include "base/mixed_bits.h"
#include "refine/distance.h"

namespace qdedup::finder {
namespace {

constexpr unsigned length_bits = 11;
constexpr unsigned tag_bits = 10;
constexpr std::uint32_t length_mask = (1U << length_bits) - 1;
constexpr std::uint32_t tag_mask = (1U << tag_bits) - 1;
constexpr std::size_t max_indexed_length = length_mask;

// Lengths 0 to 7 have a class each; above that, there are eight classes per power of two.
std::size_t length_class_of(std::size_t length) {
  if (length < 8) return length;
  const auto power = static_cast<std::size_t>(std::bit_width(length)) - 1;
  return std::min<std::size_t>(127, 8 * (power - 2) + (length >> (power - 3)) - 8);
}

std::uint64_t list_hash(std::uint64_t piece, std::size_t length_class) {
  return mixed_bits(piece + length_class);
}

std::size_t apart(std::size_t a, std::size_t b) { return a < b ? b - a : a - b; }

// The share of the hash among `shares`, in order of the hashes.
std::size_t share_of(std::uint64_t hash, std::size_t shares) {
  return static_cast<std::size_t>((hash >> 32U) * shares >> 32U);
}

// How many elements a list of this size grows by: its capacities are 1 to 7, 8 10 12 14, 16 20 24 28, 32 …
std::uint32_t step_after(std::uint32_t size) { return std::max(1U, std::bit_floor(size) / 4); }

}  // namespace

// "Text `number`, of `length` characters, has the piece at `position`." The tag distinguishes most pieces
// that share a place. All zero if there is none.
struct ExactIndex::Posting {
  std::uint32_t number;
  std::uint32_t position : length_bits;
  std::uint32_t length : length_bits;
  std::uint32_t tag : tag_bits;

  static std::uint32_t tag_of(std::uint64_t hash) { return hash & tag_mask; }
};

// Lists of postings by hash. A list takes at most twice the memory of its postings.
class ExactIndex::PostingLists {
 public:
  // `lists` is at least 1.
  explicit PostingLists(std::size_t lists) : lists_(lists) {}
  PostingLists(const PostingLists&) = delete;
  PostingLists& operator=(const PostingLists&) = delete;
  ~PostingLists() = default;  // the pool frees all lists

  void add(std::uint64_t hash, const Posting& posting) {
    List& list = lists_[share_of(hash, lists_.size())];
    if (list.size % step_after(list.size) == 0) grow(list);
    list.postings[list.size++] = posting;
  }

  // The postings with the hash, among others.
  [[nodiscard]] std::span<const Posting> of(std::uint64_t hash) const {
    const List& list = lists_[share_of(hash, lists_.size())];
    return {list.postings, list.size};
  }

 private:
  struct List {
    Posting* postings = nullptr;
    std::uint32_t size = 0;
  };

  void grow(List& list) {
    const std::size_t room = list.size + step_after(list.size);
    auto* larger = static_cast<Posting*>(pool_.allocate(room * sizeof(Posting), alignof(Posting)));
    std::copy_n(list.postings, list.size, larger);
    if (list.size > 0) pool_.deallocate(list.postings, list.size * sizeof(Posting), alignof(Posting));
    list.postings = larger;
  }

  std::pmr::unsynchronized_pool_resource pool_;
  std::vector<List> lists_;
};

// Postings by the hash of their piece. The first of a hash stand in a cache line, so that nearly all look-ups
// take one access to memory, the next ones in the line beside it, and the others in lists by hash and length
// class.
class ExactIndex::PostingTable {
 public:
  // For approximately this many postings.
  explicit PostingTable(std::size_t postings)
      : pairs_(postings / postings_per_pair + 1), others_(postings / postings_per_list + 1) {}

  void add(std::uint64_t hash, const Posting& posting) {
    const std::size_t line = line_of(hash);
    for (const std::size_t place : {line, line ^ 1U}) {
      Line& postings = pairs_[place / 2].lines[place % 2];
      const auto free = std::ranges::find_if(postings, [](const Posting& one) { return one.length == 0; });
      if (free == postings.end()) continue;
      *free = posting;
      return;
    }
    others_.add(list_hash(hash, length_class_of(posting.length)), posting);
  }

  // Some of the postings with the hash, among others and empty ones.
  [[nodiscard]] std::span<const Posting, 8> first(std::uint64_t hash) const { return line(line_of(hash)); }

  // The next ones, if first() is full.
  [[nodiscard]] std::span<const Posting, 8> next(std::uint64_t hash) const {
    return line(line_of(hash) ^ 1U);
  }

  // The others, if next() is full too.
  [[nodiscard]] std::span<const Posting> others(std::uint64_t hash, std::size_t length_class) const {
    return others_.of(list_hash(hash, length_class));
  }

  static bool is_full(std::span<const Posting, 8> line) { return line.back().length != 0; }

  // Call it some time before first().
  void prefetch(std::uint64_t hash) const { __builtin_prefetch(first(hash).data()); }

 private:
  // On the average, when all are added.
  static constexpr std::size_t postings_per_pair = 10;
  static constexpr std::size_t postings_per_list = 32;

  using Line = std::array<Posting, 8>;
  struct alignas(128) LinePair {
    std::array<Line, 2> lines{};
  };

  [[nodiscard]] std::size_t line_of(std::uint64_t hash) const { return share_of(hash, 2 * pairs_.size()); }
  [[nodiscard]] const Line& line(std::size_t number) const { return pairs_[number / 2].lines[number % 2]; }

  std::vector<LinePair> pairs_;
  PostingLists others_;
};

ExactIndex::ExactIndex(const CompactTextStore& texts, const refine::DuplicateSettings& settings,
                       std::span<const std::uint32_t> expected, std::size_t few)
    : texts_(texts), settings_(settings) {
  const bool are_many = !expected.empty() && expected.size() >= few;
  if (refine::set_measure(settings.similarity)) {
    sets_.emplace(settings);
    if (are_many) learn_sets(expected);
  } else if (are_many) {
    learn(expected);
  }
}

ExactIndex::~ExactIndex() = default;

void ExactIndex::learn(std::span<const std::uint32_t> expected) {
  piece_counts_ = PieceCounts(expected.size());
  const std::size_t step = PieceCounts::learning_step(expected.size());
  std::size_t pieces = 0;
  std::u32string place;
  for (std::size_t i = 0; i < expected.size(); i += step) {
    const std::u32string_view han = texts_.read(expected[i], place);
    const std::size_t size = indexed_piece(han.size());
    if (size == 0) continue;
    piece_counts_.learn(han, size);
    pieces += needed_pieces(han.size(), settings_);
  }
  postings_ = std::make_unique<PostingTable>(pieces * step);
}

void ExactIndex::learn_sets(std::span<const std::uint32_t> expected) {
  std::u32string place;
  for (std::size_t i = 0; i < expected.size(); i += PieceCounts::learning_step(expected.size()))
    sets_->learn(texts_.read(expected[i], place));
}

// 0 for texts kept in lists by length.
std::size_t ExactIndex::indexed_piece(std::size_t length) const {
  return length > max_indexed_length ? 0 : piece_length(length, settings_);
}

// A posting takes 8 bytes, plus its share of the spare room of lines and lists.
std::size_t ExactIndex::bytes_each(std::size_t length, const refine::DuplicateSettings& settings) {
  if (refine::set_measure(settings.similarity)) return SetIndex::bytes_each(length, settings);
  constexpr std::size_t bytes_of_posting = 14;
  const std::size_t pieces = std::min(length, needed_pieces(length, settings));
  return bytes_of_posting * pieces + sizeof(Listed);
}

void ExactIndex::add(std::uint32_t number) {
  std::u32string place;
  if (sets_) return sets_->add(number, texts_.read(number, place));
  const std::size_t length = texts_.length(number);
  const std::size_t size = postings_ ? indexed_piece(length) : 0;
  if (size == 0) {
    listed_[length_class_of(length)].push_back(
        {texts_.sketch(number), number, static_cast<std::uint32_t>(length)});
    return;
  }
  add_pieces(number, texts_.read(number, place), size);
}

void ExactIndex::add_pieces(std::uint32_t number, std::u32string_view han, std::size_t size) {
  has_pieces_[size][length_class_of(han.size())] = true;
  const auto rarest = piece_counts_.rarest(han, size, needed_pieces(han.size(), settings_));
  for (const auto& piece : rarest) postings_->prefetch(piece.hash);
  for (const auto& piece : rarest) {
    postings_->add(piece.hash, {.number = number,
                                .position = piece.position & length_mask,
                                .length = static_cast<std::uint32_t>(han.size()) & length_mask,
                                .tag = Posting::tag_of(piece.hash) & tag_mask});
  }
}

void ExactIndex::gather_listed(const HanQuery& query, std::vector<std::uint32_t>& candidates) const {
  const std::size_t last = length_class_of(query.lengths().max);
  for (std::size_t of = length_class_of(query.lengths().min); of <= last; ++of) {
    for (const Listed& one : listed_[of]) {
      if (query.lengths().contains(one.length) && query.may_be_similar(&one.sketch, 0, one.length))
        candidates.push_back(one.number);
    }
  }
}

// Texts that are indexed by pieces of this size.
void ExactIndex::gather_with(const HanQuery& query, std::size_t size,
                             std::vector<std::uint32_t>& candidates) const {
  const std::u32string_view han = query.han();
  const refine::LengthRange lengths = query.lengths();
  const refine::LengthRange classes = {length_class_of(lengths.min),
                                       length_class_of(std::min(lengths.max, max_indexed_length))};
  if (han.size() < size || classes.max < classes.min) return;
  const auto has_pieces = std::span(has_pieces_[size]).subspan(classes.min, classes.max - classes.min + 1);
  if (std::ranges::find(has_pieces, true) == has_pieces.end()) return;

  const std::size_t farthest = query.limit_with(lengths.max);
  const auto take_some = [&](std::span<const Posting> postings, std::uint64_t hash, std::size_t position) {
    const std::uint32_t tag = Posting::tag_of(hash);
    for (const Posting& posting : postings) {
      if (posting.tag == tag && lengths.contains(posting.length) &&
          apart(posting.position, position) <= farthest)
        candidates.push_back(posting.number);
    }
  };
  const auto take = [&](std::uint64_t hash, std::size_t position) {
    take_some(postings_->first(hash), hash, position);
    if (!PostingTable::is_full(postings_->first(hash))) return;
    take_some(postings_->next(hash), hash, position);
    if (!PostingTable::is_full(postings_->next(hash))) return;
    for (std::size_t of = classes.min; of <= classes.max; ++of) {
      if (has_pieces_[size][of]) take_some(postings_->others(hash, of), hash, position);
    }
  };
  // A prefetch waits for the address of its page, so all are begun before a line is read.
  std::array<std::uint64_t, 64> hashes;  // NOLINT(*-member-init): of consecutive pieces
  const std::size_t positions = han.size() - size + 1;
  for (std::size_t begin = 0; begin < positions; begin += hashes.size()) {
    const std::size_t count = std::min(hashes.size(), positions - begin);
    for (std::size_t i = 0; i < count; ++i) {
      hashes[i] = piece_hash(han, begin + i, size);
      postings_->prefetch(hashes[i]);
    }
    for (std::size_t i = 0; i < count; ++i) take(hashes[i], begin + i);
  }
}

void ExactIndex::gather_indexed(const HanQuery& query, std::vector<std::uint32_t>& candidates) const {
  for (std::size_t size = 1; size <= max_piece; ++size) gather_with(query, size, candidates);
  filter_candidates(
      candidates, 0, [this](std::uint32_t number) { texts_.prefetch(number); },
      [&](std::uint32_t number) {
        const std::uint64_t sketch = texts_.sketch(number);
        return query.may_be_similar(&sketch, 0, texts_.length(number));
      });
}

// Collects the candidates, ascending, without repetition.
void ExactIndex::gather(const HanQuery& query, Scratch& scratch) const {
  std::vector<std::uint32_t>& candidates = scratch.candidates;
  candidates.clear();
  if (postings_) gather_indexed(query, candidates);
  gather_listed(query, candidates);
  sort_unique(candidates);
}

bool ExactIndex::is_similar(const HanQuery& query, std::uint32_t number, std::u32string& place) const {
  const std::u32string_view other = texts_.read(number, place);
  const std::size_t limit = query.limit_with(other.size());
  if (settings_.similarity == refine::Similarity::lcs) {
    return refine::lcs_distance(query.han(), other, limit) <= limit;
  }
  return refine::levenshtein_distance(query.han(), other, limit) <= limit;
}

std::optional<std::uint32_t> ExactIndex::find_first(std::u32string_view han, Scratch& scratch) const {
  if (sets_) {
    sets_->find_all(han, scratch.candidates, [] {});
    return scratch.candidates.empty() ? std::nullopt : std::optional(scratch.candidates.front());
  }
  if (!refine::may_have_duplicates(han, settings_)) return std::nullopt;
  const HanQuery query(han, settings_, 1);
  gather(query, scratch);
  for (const std::uint32_t number : scratch.candidates) {
    if (is_similar(query, number, scratch.text)) return number;
  }
  return std::nullopt;
}

std::vector<std::uint32_t> ExactIndex::find_all(std::u32string_view han, Scratch& scratch,
                                                const std::function<void()>& compared) const {
  if (sets_) {
    sets_->find_all(han, scratch.candidates, compared);
    return scratch.candidates;
  }
  if (!refine::may_have_duplicates(han, settings_)) return {};
  const HanQuery query(han, settings_, 1);
  gather(query, scratch);
  std::erase_if(scratch.candidates, [&](std::uint32_t number) {
    compared();
    return !is_similar(query, number, scratch.text);
  });
  return scratch.candidates;
}

}  // namespace qdedup::finder
