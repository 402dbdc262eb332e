#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "finder/han_column.h"
#include "finder/pieces.h"
#include "finder/posting_lists.h"
#include "refine/duplicate_test.h"

namespace qdedup::finder {

// Finds, among Han parts, all that are similar enough to a given one (doc/rules.md, 3.3): none is missed, for
// either measure and any threshold from 0 to 100. Signs are the caller's matter.
//
// Most parts are never looked at. Only lengths that can pass are; of two texts within the threshold one has
// few characters that the other has not (finder/parity_sketch.h); and where there are many texts, one is
// cut into pieces that do not overlap, more than edits within the threshold can destroy, so that one piece
// at least stands in the other text, nearly at the same place. That is the idea of Pass-Join (Li, Deng, Wang,
// Feng, "Pass-Join: A Partition-based Method for Similarity Joins", VLDB 2011); as pieces here have a fixed
// length of 1 to 3, there are more of them than needed, and the rarest are chosen (Qin, Wang, Lu, Xiao, Lin,
// "Efficient exact edit similarity query processing with the asymmetric signature scheme", SIGMOD 2011).
//
// Texts for which there are not enough pieces (low thresholds), or that are few, are held in lists by length.
class ExactIndex {
 public:
  // Working memory of a search: one for each thread.
  struct Scratch {
    std::vector<std::uint32_t> candidates;
    std::u32string text;
  };

  // Fewer texts are looked through faster than indexed.
  static constexpr std::size_t usually_few = 1000;

  // `expected`: the numbers of the parts that may be added, from which it learns what is rare; any others
  // may be added too. Fewer than `few` are not indexed. The column must outlive it.
  ExactIndex(const HanColumn& column, const refine::DuplicateSettings& settings,
             std::span<const std::uint32_t> expected, std::size_t few = usually_few);
  ~ExactIndex();
  ExactIndex(const ExactIndex&) = delete;
  ExactIndex& operator=(const ExactIndex&) = delete;

  // Of memory, about, for each part of this length where they are many.
  static std::size_t bytes_each(std::size_t length, const refine::DuplicateSettings& settings);

  // Adds a part of the column; each once.
  void add(std::uint32_t number);

  // The smallest number among those that were added whose part is similar enough to `han`.
  [[nodiscard]] std::optional<std::uint32_t> find_first(std::u32string_view han, Scratch& scratch) const;

  // All of them, ascending.
  [[nodiscard]] std::vector<std::uint32_t> find_all(std::u32string_view han, Scratch& scratch) const;

 private:
  // Lengths are put in classes, each an eighth of a power of two wide, so that few lists hold those of a
  // query.
  static constexpr std::size_t length_classes = 128;

  struct Held {
    std::uint64_t sketch;
    std::uint32_t number;
    std::uint32_t length;
  };
  struct Query;

  void learn(std::span<const std::uint32_t> expected);
  void count_pieces(std::u32string_view han);
  [[nodiscard]] std::uint32_t& seen(std::uint64_t piece) { return seen_[piece & (seen_.size() - 1)]; }
  [[nodiscard]] std::size_t indexed_piece(std::size_t length) const;
  void add_pieces(std::uint32_t number, std::u32string_view han, std::size_t size);
  [[nodiscard]] Query query_of(std::u32string_view han) const;
  void gather(const Query& query, Scratch& scratch) const;
  void gather_held(const Query& query, std::vector<std::uint32_t>& candidates) const;
  void gather_indexed(const Query& query, std::vector<std::uint32_t>& candidates) const;
  void gather_with(const Query& query, std::size_t size, std::vector<std::uint32_t>& candidates) const;
  void gather_from(const Query& query, std::size_t size, std::size_t of_length,
                   std::vector<std::uint32_t>& candidates) const;
  void drop_unlike(const Query& query, std::vector<std::uint32_t>& candidates) const;
  [[nodiscard]] bool is_similar(const Query& query, std::uint32_t number, std::u32string& place) const;

  const HanColumn& column_;
  refine::DuplicateSettings settings_;
  std::array<std::vector<Held>, length_classes> held_;
  std::vector<std::uint32_t> seen_;         // by hash, how often a piece was seen; the size is a power of two
  std::unique_ptr<PostingLists> postings_;  // null while texts are few
  std::array<std::array<bool, length_classes>, longest_piece + 1>
      has_pieces_{};  // by their length, then the text's class
};

}  // namespace qdedup::finder
