#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "base/line_totals.h"
#include "base/question_id.h"
#include "base/result.h"
#include "markup/compared.h"
#include "miner/clusters.h"
#include "refine/keepers.h"
#include "spark/plan.h"

namespace qdedup::spark {

// The most bytes of a question in a lake, text and answer together: `qdedup import` takes no longer row.
inline constexpr std::size_t max_question_bytes = std::size_t{16} << 20U;
// And a line of a draft, which has a question as it is and as it is compared; in JSON a byte may take six.
inline constexpr std::size_t max_draft_line_bytes = 16 * max_question_bytes;

struct MinedLakeLog {
  LakeLog log;
  LineTotals totals;
};

// Without logs of which there is nothing to take: those that repeat a log that was consumed, or another one,
// of the same content (the first path stays), and those without a whole line. Fails if one that was consumed
// has changed.
Result<std::vector<MinedLakeLog>> logs_to_take(std::vector<MinedLakeLog> logs,
                                               const std::vector<LakeLog>& consumed);

// The head of a draft.
struct DraftHead {
  std::string run;        // of the job that wrote it
  bool is_sweep = false;  // else the candidates come from logs
  PlanMarks plan;
  std::uint64_t questions = 0;  // of the bank
  std::uint64_t present = 0;    // lines of present texts
};

// What became of the logs; of a sweep, the groups of questions with equal signs.
struct MergeSummary {
  std::string run;  // for logs with a hash of them, so that all buckets are of one merge
  miner::MergeCounts counts;
  std::map<std::uint64_t, std::uint64_t> cluster_sizes;
  std::uint64_t buckets = 0;
  std::uint64_t logs = 0;  // lines of logs
};

// A question of the bank, as its pairs are shown to people.
struct DraftQuestion {
  QuestionId id = 0;
  std::string text;  // what is compared
  std::optional<std::string> answer;
  std::optional<std::string> original_text;  // none: the same
  std::optional<std::string> original_answer;
};

DraftQuestion draft_question(QuestionId id, std::string_view text, std::optional<std::string_view> answer,
                             const markup::Compared& compared);

// Equal for equal questions.
std::uint64_t mark_of(const DraftQuestion& question);

// An iteration that was decided elsewhere. Everything is in order of ids.
struct Draft {
  DraftHead head;
  MergeSummary merge;
  std::vector<MinedLakeLog> logs;
  std::map<QuestionId, std::uint64_t> present;    // hashes of the texts of the plan's questions
  std::map<QuestionId, DraftQuestion> questions;  // of its pairs, and those that the plan does not know
  refine::AnnotatedOutcome outcome;
};

// The lines of a draft, in any order.
std::string line_of(const DraftHead& head);
std::string line_of(const MergeSummary& merge);
std::string line_of(const MinedLakeLog& log);
// `unknown`: the question, if the plan knows none that is equal.
std::string present_line(QuestionId id, std::uint64_t hash, const std::optional<DraftQuestion>& unknown);
// The rows of a bucket, the questions in them, and the counts of both.
std::vector<std::string> lines_of(const refine::AnnotatedOutcome& outcome,
                                  const std::vector<DraftQuestion>& questions, std::uint64_t bucket,
                                  const std::string& merge_run);

Result<MinedLakeLog> read_log(std::string_view line);

// Reads lines, and finds out whether they are a whole draft.
class DraftReader {
 public:
  Status take(std::string_view line);

  // Fails unless there is one head, and as many rows of each kind as were written, of one run, each once.
  Result<Draft> finish() &&;

 private:
  using RowCounts = std::array<std::uint64_t, 4>;  // of deletions, re-pointed and further ones, and questions
  struct Bucket {
    std::uint64_t summaries = 0;
    std::string run;
    RowCounts said{};
    RowCounts found{};
    std::set<QuestionId> questions;
  };

  void read(const nlohmann::json& line);
  void take_row(std::size_t kind, const refine::AnnotatedDeletion& row);
  void read_merge(const nlohmann::json& merge);
  QuestionId take_question(const nlohmann::json& fields);
  void read_bucket(const nlohmann::json& summary);
  [[nodiscard]] std::string missing() const;

  Draft draft_;
  std::uint64_t heads_ = 0;
  std::uint64_t merges_ = 0;
  std::map<std::uint64_t, Bucket> buckets_;
  std::array<std::set<std::pair<QuestionId, QuestionId>>, 3> pairs_;  // of each kind of row
  std::set<std::string> paths_;                                       // of the logs
};

}  // namespace qdedup::spark
