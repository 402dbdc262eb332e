#include "finder/exact_index.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include "finder/parity_sketch.h"
#include "finder/similar_lengths.h"
#include "refine/distance.h"

namespace qdedup::finder {
namespace {

constexpr std::size_t longest_indexed = Posting::length_mask;
constexpr std::size_t no_end = std::numeric_limits<std::uint32_t>::max();

// 0 to 7 have a class each; then there are eight to each power of two.
std::size_t length_class(std::size_t length) {
  if (length < 8) return length;
  const auto power = static_cast<std::size_t>(std::bit_width(length)) - 1;
  return std::min<std::size_t>(127, 8 * (power - 2) + (length >> (power - 3)) - 8);
}

std::uint64_t list_hash(std::uint64_t piece, std::size_t length_class) {
  return mixed_bits(piece + length_class);
}

std::size_t apart(std::size_t a, std::size_t b) { return a < b ? b - a : a - b; }

}  // namespace

struct ExactIndex::Query {
  std::u32string_view han;
  std::uint64_t sketch;
  SimilarLengths lengths;
  int min_similarity;

  [[nodiscard]] bool admits(std::size_t length) const {
    return lengths.least <= length && length <= lengths.most;
  }
  [[nodiscard]] std::size_t limit_with(std::size_t length) const {
    return refine::distance_limit(std::max(length, han.size()), min_similarity);
  }
  [[nodiscard]] bool may_be_like(std::uint64_t other, std::size_t length) const {
    return different_bits(sketch, other) <= most_sketch_bits(limit_with(length), apart(length, han.size()));
  }
};

ExactIndex::ExactIndex(const HanColumn& column, const refine::DuplicateSettings& settings,
                       std::span<const std::uint32_t> expected, std::size_t few)
    : column_(column), settings_(settings) {
  if (!expected.empty() && expected.size() >= few) learn(expected);
}

ExactIndex::~ExactIndex() = default;

void ExactIndex::learn(std::span<const std::uint32_t> expected) {
  seen_.resize(seen_size(expected.size()));
  const std::size_t step = expected.size() / most_learnt_from + 1;
  std::size_t pieces = 0;
  std::u32string place;
  for (std::size_t i = 0; i < expected.size(); i += step) {
    const std::u32string_view han = column_.read(expected[i], place);
    count_pieces(han);
    if (indexed_piece(han.size()) > 0) pieces += needed_pieces(han.size(), settings_);
  }
  postings_ = std::make_unique<PostingLists>(pieces * step);
}

void ExactIndex::count_pieces(std::u32string_view han) {
  const std::size_t size = indexed_piece(han.size());
  if (size == 0) return;
  for (std::size_t at = 0; at + size <= han.size(); ++at) ++seen(piece_hash(han, at, size));
}

// 0 for texts that are held in lists by length.
std::size_t ExactIndex::indexed_piece(std::size_t length) const {
  return length > longest_indexed ? 0 : piece_length(length, settings_);
}

// A posting has 8 bytes, and a share of what its list has to grow, and of the list's head.
std::size_t ExactIndex::bytes_each(std::size_t length, const refine::DuplicateSettings& settings) {
  constexpr std::size_t bytes_of_posting = 10;
  const std::size_t pieces = std::min(length, needed_pieces(length, settings));
  return bytes_of_posting * pieces + sizeof(Held);
}

void ExactIndex::add(std::uint32_t number) {
  std::u32string place;
  const std::u32string_view han = column_.read(number, place);
  const std::size_t size = postings_ ? indexed_piece(han.size()) : 0;
  if (size == 0) {
    held_[length_class(han.size())].push_back(
        {column_.sketch(number), number, static_cast<std::uint32_t>(han.size())});
    return;
  }
  add_pieces(number, han, size);
}

void ExactIndex::add_pieces(std::uint32_t number, std::u32string_view han, std::size_t size) {
  struct Piece {
    std::uint32_t seen;
    std::uint32_t position;
    std::uint64_t hash;
  };
  std::vector<Piece> pieces;
  pieces.reserve(han.size() / size);
  for (std::size_t at = 0; at + size <= han.size(); at += size) {
    const std::uint64_t hash = piece_hash(han, at, size);
    pieces.push_back({seen(hash), static_cast<std::uint32_t>(at), hash});
  }
  const std::size_t needed = needed_pieces(han.size(), settings_);
  std::ranges::nth_element(pieces, pieces.begin() + static_cast<std::ptrdiff_t>(needed) - 1, {},
                           &Piece::seen);
  has_pieces_[size][length_class(han.size())] = true;
  for (std::size_t i = 0; i < needed; ++i) {
    postings_->add(list_hash(pieces[i].hash, length_class(han.size())),
                   {.number = number,
                    .position = pieces[i].position & Posting::length_mask,
                    .length = static_cast<std::uint32_t>(han.size()) & Posting::length_mask,
                    .tag = 0});
  }
}

ExactIndex::Query ExactIndex::query_of(std::u32string_view han) const {
  return {han, parity_sketch(han), similar_lengths(han.size(), settings_.min_similarity, no_end),
          settings_.min_similarity};
}

void ExactIndex::gather_held(const Query& query, std::vector<std::uint32_t>& candidates) const {
  const std::size_t last = length_class(query.lengths.most);
  for (std::size_t of_length = length_class(query.lengths.least); of_length <= last; ++of_length) {
    for (const Held& held : held_[of_length]) {
      if (query.admits(held.length) && query.may_be_like(held.sketch, held.length))
        candidates.push_back(held.number);
    }
  }
}

// The classes of lengths that the query admits, of which texts with pieces of this length are indexed.
void ExactIndex::gather_with(const Query& query, std::size_t size,
                             std::vector<std::uint32_t>& candidates) const {
  const std::size_t last = length_class(std::min(query.lengths.most, longest_indexed));
  for (std::size_t of_length = length_class(query.lengths.least); of_length <= last; ++of_length) {
    if (has_pieces_[size][of_length]) gather_from(query, size, of_length, candidates);
  }
}

void ExactIndex::gather_from(const Query& query, std::size_t size, std::size_t of_length,
                             std::vector<std::uint32_t>& candidates) const {
  if (query.han.size() < size) return;
  constexpr std::size_t ahead = 8;
  const std::size_t positions = query.han.size() - size + 1;
  const std::size_t farthest = query.limit_with(query.lengths.most);
  std::array<std::uint64_t, ahead> coming{};
  for (std::size_t step = 0; step < positions + ahead; ++step) {
    const std::uint64_t hash = coming[step % ahead];
    if (step < positions) {
      coming[step % ahead] = list_hash(piece_hash(query.han, step, size), of_length);
      postings_->prefetch_list(coming[step % ahead]);
    }
    if (step >= ahead / 2) postings_->prefetch_postings(coming[(step - ahead / 2) % ahead]);
    if (step < ahead) continue;
    for (const Posting& posting : postings_->of(hash)) {
      if (posting.tag == Posting::tag_of(hash) && query.admits(posting.length) &&
          apart(posting.position, step - ahead) <= farthest)
        candidates.push_back(posting.number);
    }
  }
}

void ExactIndex::drop_unlike(const Query& query, std::vector<std::uint32_t>& candidates) const {
  constexpr std::size_t ahead = 16;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (i + ahead < candidates.size()) column_.prefetch(candidates[i + ahead]);
    const std::uint32_t number = candidates[i];
    if (query.may_be_like(column_.sketch(number), column_.length(number))) candidates[kept++] = number;
  }
  candidates.resize(kept);
}

void ExactIndex::gather_indexed(const Query& query, std::vector<std::uint32_t>& candidates) const {
  for (std::size_t size = 1; size <= longest_piece; ++size) gather_with(query, size, candidates);
  drop_unlike(query, candidates);
}

// The candidates, ascending, each once.
void ExactIndex::gather(const Query& query, Scratch& scratch) const {
  std::vector<std::uint32_t>& candidates = scratch.candidates;
  candidates.clear();
  if (postings_) gather_indexed(query, candidates);
  gather_held(query, candidates);
  std::ranges::sort(candidates);
  candidates.erase(std::unique(candidates.begin(), candidates.end()), candidates.end());
}

bool ExactIndex::is_similar(const Query& query, std::uint32_t number, std::u32string& place) const {
  const std::u32string_view other = column_.read(number, place);
  const std::size_t limit = query.limit_with(other.size());
  if (settings_.similarity == refine::Similarity::lcs) {
    return refine::lcs_distance(query.han, other, limit) <= limit;
  }
  return refine::levenshtein_distance(query.han, other, limit) <= limit;
}

std::optional<std::uint32_t> ExactIndex::find_first(std::u32string_view han, Scratch& scratch) const {
  const Query query = query_of(han);
  gather(query, scratch);
  for (const std::uint32_t number : scratch.candidates) {
    if (is_similar(query, number, scratch.text)) return number;
  }
  return std::nullopt;
}

std::vector<std::uint32_t> ExactIndex::find_all(std::u32string_view han, Scratch& scratch) const {
  const Query query = query_of(han);
  gather(query, scratch);
  std::erase_if(scratch.candidates,
                [&](std::uint32_t number) { return !is_similar(query, number, scratch.text); });
  return scratch.candidates;
}

}  // namespace qdedup::finder
