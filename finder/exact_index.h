#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "finder/candidate_filter.h"
#include "finder/compact_text_store.h"
#include "finder/set_index.h"
#include "refine/duplicate_test.h"

namespace qdedup::finder {

// Finds, among Han parts (or what is compared in their place), all that are similar enough to a given one
// (doc/rules.md, 3.3), by any measure and threshold; none is missed. Of signs it knows only whether they
// count: without them, a text of which nothing is compared is similar to none. Most parts are never looked
// at: by an edit distance thanks to finder/candidate_filter.h, where texts without enough pieces (because of
// a low threshold), or all texts if there are few, are kept in lists by length; by a set measure thanks to
// finder/set_index.h.
class ExactIndex {
 public:
  // Working memory of a search; each thread needs its own.
  struct Scratch {
    std::vector<std::uint32_t> candidates;
    std::u32string text;
  };

  // With fewer texts than this, scanning is faster than indexing.
  static constexpr std::size_t usually_few = 1000;

  // `expected` are the numbers of most parts that will be added; from these it learns which pieces are rare.
  // Fewer than `few` parts are not indexed. The store must outlive it.
  ExactIndex(const CompactTextStore& texts, const refine::DuplicateSettings& settings,
             std::span<const std::uint32_t> expected, std::size_t few = usually_few);
  ~ExactIndex();
  ExactIndex(const ExactIndex&) = delete;
  ExactIndex& operator=(const ExactIndex&) = delete;

  // Approximate memory for each part of this length, if there are many.
  static std::size_t bytes_each(std::size_t length, const refine::DuplicateSettings& settings);

  // Adds a part of the store; each at most once.
  void add(std::uint32_t number);

  // The smallest number of an added part that is similar enough to `han`.
  [[nodiscard]] std::optional<std::uint32_t> find_first(std::u32string_view han, Scratch& scratch) const;

  // The numbers of all such parts, ascending. `compared` is called for each part that is compared with `han`.
  [[nodiscard]] std::vector<std::uint32_t> find_all(
      std::u32string_view han, Scratch& scratch, const std::function<void()>& compared = [] {}) const;

 private:
  // Lengths are grouped in classes, each an eighth of a power of two wide, so that a query concerns few
  // lists.
  static constexpr std::size_t length_classes = 128;

  struct Listed {
    std::uint64_t sketch;
    std::uint32_t number;
    std::uint32_t length;
  };
  struct Posting;
  class PostingLists;
  class PostingTable;

  void learn(std::span<const std::uint32_t> expected);
  void learn_sets(std::span<const std::uint32_t> expected);
  [[nodiscard]] std::size_t indexed_piece(std::size_t length) const;
  void add_pieces(std::uint32_t number, std::u32string_view han, std::size_t size);
  void gather(const HanQuery& query, Scratch& scratch) const;
  void gather_listed(const HanQuery& query, std::vector<std::uint32_t>& candidates) const;
  void gather_indexed(const HanQuery& query, std::vector<std::uint32_t>& candidates) const;
  void gather_with(const HanQuery& query, std::size_t size, std::vector<std::uint32_t>& candidates) const;
  [[nodiscard]] bool is_similar(const HanQuery& query, std::uint32_t number, std::u32string& place) const;

  const CompactTextStore& texts_;
  refine::DuplicateSettings settings_;
  std::array<std::vector<Listed>, length_classes> listed_;
  PieceCounts piece_counts_;
  std::unique_ptr<PostingTable> postings_;                                    // null if there are few texts
  std::array<std::array<bool, length_classes>, max_piece + 1> has_pieces_{};  // by their length, then class
  std::optional<SetIndex> sets_;  // instead of all these, for set measures
};

}  // namespace qdedup::finder
