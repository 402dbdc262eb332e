#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "db/bank.h"
#include "engine/past.h"
#include "finder/near_finder.h"
#include "refine/duplicate_settings.h"

namespace qdedup::iteration {

// Groups of questions connected by nearness.
struct NearGroups {
  // One value for each question with a text, by id: equal for two questions if they have the same fingerprint
  // of what is compared of their signs and are connected, and only then.
  std::vector<std::uint64_t> fingerprints;
  std::uint64_t candidates = 0;  // pairs that the finder's index proposed
};

// Two questions are connected if the finder considers their Han parts near each other, or through a chain of
// such questions. (For a question without a Han part, its signs are used, and if whole texts are compared,
// these.) A question and its keeper are connected too, as are questions that past deletions require to be
// decided together. Reads the bank twice; memory is linear: some 40 bytes per question, plus the finder's
// index. ErrorCode::config if that would be too large (finder::NearFinder::build). A thread looks up `slice`
// consecutive texts at a time; that affects the number of candidates, but not the result.
Result<NearGroups> near_groups(db::Bank& bank, std::unique_ptr<finder::NearFinder> finder,
                               const engine::Past& past, const refine::DuplicateSettings& settings,
                               unsigned threads, std::size_t slice, const Progress& progress);

// Two questions that are near each other, by their positions in NearPairs::ids.
struct NearPair {
  std::uint32_t question;
  std::uint32_t near;  // after `question`
  finder::Nearness nearness;

  friend auto operator<=>(const NearPair&, const NearPair&) = default;  // NOLINT(modernize-use-nullptr)
};

struct NearPairs {
  std::vector<QuestionId> ids;        // of all questions with a text; they ascend
  std::vector<NearPair> pairs;        // in order
  std::vector<std::uint32_t> firsts;  // by position: the first of those that are near it, or through others
};

// What of a question's text is compared.
using ComparedText = std::function<std::u32string(std::string_view text)>;

// The Han part, or the signs if there is none. Otherwise, signs such as the letters of options would make all
// questions near each other.
std::u32string han_or_signs(std::string_view text);

// What the finders of a sweep by these settings compare: that, or the whole normal form.
ComparedText finders_text(const refine::DuplicateSettings& settings);

// All pairs that are near each other by the finder's measure. Only the first of several questions with equal
// texts (or hashes) is paired with others; the rest are paired with it. Reads the bank twice; memory is
// linear, as above, and 12 bytes for each pair. ErrorCode::config if there are more than `max_pairs`.
Result<NearPairs> near_pairs(db::Bank& bank, std::unique_ptr<finder::NearFinder> finder,
                             const ComparedText& compared, unsigned threads, std::size_t max_pairs,
                             const Progress& progress);

}  // namespace qdedup::iteration
