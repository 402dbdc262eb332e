#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/question_id.h"
#include "base/result.h"
#include "finder/text_scheme.h"

namespace qdedup::finder {

// Texts by what makes them near each other (finder/text_scheme.h). A text that stands for others lives as
// long as the last of them: arrived() tells that one came. Not to be shared by threads.
class TextIndex {
 public:
  explicit TextIndex(std::unique_ptr<TextScheme> scheme) : scheme_(std::move(scheme)) {}

  // Tells what is usual; before the first add().
  void learn(std::u32string_view text) { scheme_->learn(text); }

  // In place of what the index has under that id. `arrival` is any clock's time.
  void add(QuestionId id, std::uint64_t arrival, std::u32string_view text);

  // The ids of all texts near this one that share a key with it, ascending.
  [[nodiscard]] std::vector<QuestionId> query(std::u32string_view text);

  // False where there is no such id.
  bool remove(QuestionId id);
  bool arrived(QuestionId id, std::uint64_t arrival);

  // Removes all whose last arrival was before that; answers how many.
  std::size_t expire(std::uint64_t before);

  [[nodiscard]] std::size_t size() const { return entry_of_.size(); }

  // All that is needed to go on with the index elsewhere; doc/finders.md has the format.
  [[nodiscard]] std::string save() const;

  // ErrorCode::data where the bytes are not what save() writes for an index of this scheme. `scheme` takes
  // what the saved one had learnt.
  static Result<TextIndex> load(std::string_view bytes, std::unique_ptr<TextScheme> scheme);

 private:
  struct Entry {
    QuestionId id = 0;  // 0: removed
    std::uint64_t arrival = 0;
    Signature signature;
  };
  struct Key {
    std::uint32_t key;
    std::uint32_t entry;
  };

  void add_entry(Entry entry);
  void drop(std::uint32_t entry);
  void rebuild();
  void sort_keys();

  std::unique_ptr<TextScheme> scheme_;
  std::vector<Entry> entries_;
  std::unordered_map<QuestionId, std::uint32_t> entry_of_;
  std::vector<Key> keys_;  // the first `sorted_keys_` ascend
  std::size_t sorted_keys_ = 0;
};

}  // namespace qdedup::finder
