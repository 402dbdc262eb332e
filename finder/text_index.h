#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/question_id.h"
#include "base/result.h"
#include "finder/key_buckets.h"
#include "finder/signature_column.h"
#include "finder/text_scheme.h"

namespace qdedup::finder {

// Texts by what makes them near each other (finder/text_scheme.h). A text that stands for others lives as
// long as the last of them: arrived() tells that one came. A text takes 32 bytes, its signature, and five to
// six bytes for each of its keys.
class TextIndex {
 public:
  // Working memory of a search: one for each thread.
  struct Scratch {
    std::vector<std::uint32_t> keys;
    std::vector<std::uint32_t> candidates;
  };

  // Of at most so many keys in all.
  explicit TextIndex(std::unique_ptr<TextScheme> scheme, std::size_t most_keys = KeyBuckets::most_keys)
      : scheme_(std::move(scheme)), most_keys_(most_keys) {}

  // Tells what is usual; before the first add().
  void learn(std::u32string_view text) { scheme_->learn(text); }

  // For so many texts in all.
  void reserve(std::size_t texts) { entries_.reserve(texts); }

  // In place of what the index has under that id. `arrival` is any clock's time.
  void add(QuestionId id, std::uint64_t arrival, std::u32string_view text) {
    add(id, arrival, scheme_->signature(text));
  }
  void add(QuestionId id, std::uint64_t arrival, std::span<const std::uint32_t> signature);

  // The ids of all texts near this one that share a key with it, ascending.
  [[nodiscard]] std::vector<QuestionId> query(std::u32string_view text);

  // False where there is no such id.
  bool remove(QuestionId id);
  bool arrived(QuestionId id, std::uint64_t arrival);

  // Removes all whose last arrival was before that; answers how many.
  std::size_t expire(std::uint64_t before);

  [[nodiscard]] std::size_t size() const { return entries_.size() - removed_; }

  // Makes searches fast: sorts what was added into the others. Linear, and n log n in what came out of the
  // order of ids. A query() does it where much was added. `moved` is called now and then. False where there
  // are more than `most_keys`: then searches stay right, and look through all.
  bool fold(const std::function<void()>& moved = [] {});

  // Of the text at a place below size(), by id, behind a fold() that was true.
  [[nodiscard]] QuestionId id_at(std::size_t place) const { return entries_[place].id; }

  // For a text of the index itself: calls found(id) for each near text of a smaller id that is `wanted`;
  // others are not compared. In a bucket only the `most_looked_at` before it are looked at, so that very many
  // texts that have much in common cost no more. Answers how many texts were brought up that way. On any
  // number of threads while nothing changes, behind a fold() that was true.
  static constexpr std::size_t most_looked_at = 2048;
  std::size_t find_earlier(std::size_t place, const std::function<bool(QuestionId)>& wanted,
                           const std::function<void(QuestionId)>& found, Scratch& scratch) const;

  // All that is needed to go on with the index elsewhere; doc/finders.md has the format.
  [[nodiscard]] std::string save() const;

  // ErrorCode::data where the bytes are not what save() writes for an index of this scheme. `scheme` takes
  // what the saved one had learnt.
  static Result<TextIndex> load(std::string_view bytes, std::unique_ptr<TextScheme> scheme);

 private:
  struct Entry {
    QuestionId id;
    std::uint64_t arrival;
    const std::uint32_t* signature;  // null: removed
    std::uint32_t size;

    [[nodiscard]] std::span<const std::uint32_t> numbers() const { return {signature, size}; }
  };

  [[nodiscard]] Entry* entry_of(QuestionId id);
  void drop(Entry& entry);
  void leave_out_removed();
  void renew_signatures();
  void gather(std::span<const std::uint32_t> signature, std::size_t before, std::size_t most,
              Scratch& scratch) const;
  [[nodiscard]] bool share_a_key(std::span<const std::uint32_t> keys, const Entry& entry) const;

  std::unique_ptr<TextScheme> scheme_;
  std::size_t most_keys_;
  SignatureColumn signatures_;
  std::vector<Entry> entries_;  // the first `sorted_` by id; the keys of the first `folded_` are in buckets
  std::size_t sorted_ = 0;
  std::size_t folded_ = 0;
  std::size_t removed_ = 0;                                 // entries, which are still there
  std::unordered_map<QuestionId, std::uint32_t> unsorted_;  // the entries behind `sorted_`
  KeyBuckets buckets_;
};

}  // namespace qdedup::finder
