#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/question_id.h"
#include "base/result.h"
#include "engine/revalidation.h"
#include "markup/extract.h"
#include "miner/clusters.h"
#include "miner/line_parser.h"
#include "miner/seed_lists.h"
#include "refine/duplicate_test.h"
#include "refine/missing_parts.h"

// What goes to Spark and what comes back, as JSON lines: the plan of an iteration, and its draft. The state
// writes the plan and reads the draft, a cluster does the opposite.
namespace qdedup::spark {

// A log file in a lake, which is complete: it does not grow.
struct LakeLog {
  std::string path;
  std::uint64_t bytes = 0;  // of the file
  std::string content;      // checksum of the unpacked bytes

  friend bool operator==(const LakeLog&, const LakeLog&) = default;
};

// All that an iteration depends on besides the bank and the logs.
struct Plan {
  std::string version;          // of the program
  std::string rules;            // markup::rules_version()
  std::uint64_t iteration = 0;  // the newest; others may have left all else as it was
  miner::LineShape shape;
  std::size_t max_line_bytes = 0;
  miner::SelectionSettings selection;
  miner::MergeSettings merge;
  markup::Options text;
  refine::DuplicateSettings refine;
  refine::ContrastSettings contrast;  // with the weights in force
  engine::ListedPairs listed;
  std::map<QuestionId, std::uint64_t> known;  // the questions of `listed`, as the state has them (mark_of)
  std::vector<LakeLog> logs;                  // already consumed, by path
};

// The file: a head, a line for each pair, question and log, and the number of lines. Equal plans have equal
// texts.
std::string text_of(const Plan& plan);

// Fails if the text is not a whole plan.
Result<Plan> read_plan(std::string_view text);

// Hashes of what a plan says, by subject: a draft names the plan that it was made from.
using PlanMarks = std::map<std::string, std::string>;
PlanMarks marks_of(const Plan& plan);

// Fails, naming the subject, unless a draft that was made from a plan with `marks` is one of `plan`.
Status expect_same(const PlanMarks& marks, const Plan& plan);

// Fails unless this program is the version that made the plan, with the same rules.
Status expect_own(const Plan& plan);

}  // namespace qdedup::spark
