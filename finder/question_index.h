#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/question_id.h"
#include "base/result.h"
#include "finder/candidate_filter.h"
#include "refine/duplicate_test.h"

namespace qdedup::finder {

// Finds the questions of a bank that may be duplicates of a given one by an edit distance: all that are, and
// few others (finder/candidate_filter.h). Keeps no texts: some 12 bytes per question, 8 to 64 for its sketch
// and, for questions whose signs many others share, about 5 for each piece by which it is found.
//
// Questions are ordered by the width of their sketch, then by signs, length and id; a *position* is a place
// in this order. So those whose lengths a query accepts are adjacent. If there are few, they are scanned; if
// there are many, only those that share a rare piece with the query are looked at.
class QuestionIndex {
 public:
  // `sign_fingerprint` is that of what is compared of the signs, here and below.
  using Take = std::function<Status(QuestionId id, std::uint64_t sign_fingerprint, std::string_view text)>;
  // Passes all questions to `take`, by ascending id, with non-empty texts, the same ones each time. If `take`
  // returns an error, stops and returns it.
  using Source = std::function<Status(const Take& take)>;

  struct Limits {
    std::size_t bytes = 0;  // at most, of memory, even while it is being built
    // Scanning up to this many questions is faster than looking pieces up.
    std::size_t few = 1500;
  };

  // Working memory of a search; each thread needs its own.
  struct Scratch {
    std::vector<std::uint32_t> lists;
    std::vector<std::uint32_t> positions;
  };

  // Reads the source four times; processes the texts of questions whose signs are rare twice.
  // ErrorCode::config if it does not fit, with the minimum memory needed.
  static Result<QuestionIndex> build(const Source& source, const refine::DuplicateSettings& settings,
                                     const Limits& limits);

  // Adds the ids of possible duplicates of a question with these signs, in any order, without repetition.
  // `query` must be made for the settings of this index.
  void find(std::uint64_t sign_fingerprint, const HanQuery& query, Scratch& scratch,
            std::vector<QuestionId>& found) const;

  [[nodiscard]] std::size_t size() const { return ids_.size(); }
  [[nodiscard]] std::size_t bytes() const;

 private:
  class Building;

  // The questions whose sketches have the same width. Those with signs[i] are at [begins[i], begins[i + 1]).
  struct Shelf {
    std::vector<std::uint32_t> signs;  // ascending
    std::vector<std::uint32_t> begins;
    std::size_t first_word = 0;
    std::uint32_t first = 0;  // position
  };
  // Adjacent positions with the same width and signs.
  struct Range {
    std::uint32_t begin;
    std::uint32_t end;
    std::size_t width;
  };

  QuestionIndex(const refine::DuplicateSettings& settings, std::size_t few)
      : settings_(settings), few_(few) {}

  [[nodiscard]] static std::uint32_t signs_of(std::uint64_t sign_fingerprint) {
    return static_cast<std::uint32_t>(sign_fingerprint >> 32U);
  }
  [[nodiscard]] std::size_t list_of(std::uint64_t hash) const { return hash & (lists_.size() - 2); }
  [[nodiscard]] Range all_of(std::size_t width, std::uint32_t signs) const;
  [[nodiscard]] Range of_similar_length(Range all, const HanQuery& query) const;
  [[nodiscard]] std::uint32_t end_of_length(Range range, std::size_t length) const;
  [[nodiscard]] std::size_t first_word(std::size_t width, std::uint32_t position) const {
    const Shelf& shelf = shelves_[width];
    return shelf.first_word + (position - shelf.first) * sketch_words(width);
  }
  [[nodiscard]] const std::uint64_t* sketch(std::size_t width, std::uint32_t position) const {
    return sketches_.data() + first_word(width, position);
  }
  void scan(Range range, const HanQuery& query, std::vector<QuestionId>& found) const;
  void look_up(Range range, std::uint32_t signs, const HanQuery& query, Scratch& scratch,
               std::vector<QuestionId>& found) const;
  void gather(Range range, std::uint32_t signs, std::size_t size, const HanQuery& query,
              Scratch& scratch) const;

  refine::DuplicateSettings settings_;
  std::size_t few_;
  std::array<Shelf, sketch_widths> shelves_;
  std::vector<QuestionId> ids_;  // these are by position
  std::vector<std::uint32_t> lengths_;
  std::vector<std::uint64_t> sketches_;
  // By hash: the beginning of the positions with a piece; plus the end of all.
  std::vector<std::uint32_t> lists_;
  std::vector<std::uint32_t> positions_;  // ascending in each list
};

// Questions added or changed since an index was built; those with the same signs are scanned. About 90 bytes
// per question.
class IndexDelta {
 public:
  void add(QuestionId id, std::uint64_t sign_fingerprint, std::u32string_view han);
  void add(const IndexDelta& others);

  // Adds the ids of possible duplicates of a question with these signs.
  void find(std::uint64_t sign_fingerprint, const HanQuery& query, std::vector<QuestionId>& found) const;

  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  static constexpr std::size_t width = sketch_widths - 1;

  struct Question {
    QuestionId id;
    std::size_t length;
    std::array<std::uint64_t, sketch_words(width)> sketch;
  };

  std::unordered_map<std::uint64_t, std::vector<Question>> groups_;
  std::size_t size_ = 0;
};

}  // namespace qdedup::finder
