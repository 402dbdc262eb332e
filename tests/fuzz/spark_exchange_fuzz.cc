// Plans and drafts of any bytes: what comes out keeps the promises of spark/draft.h, and is read again as
// written.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "spark/draft.h"
#include "spark/plan.h"

namespace {

using namespace qdedup;

void require(bool condition) {
  if (!condition) std::abort();
}

void read_draft(std::string_view lines) {
  spark::DraftReader reader;
  while (!lines.empty()) {
    const std::size_t end = lines.find('\n');
    if (!reader.take(lines.substr(0, end)).ok()) return;
    lines.remove_prefix(end == std::string_view::npos ? lines.size() : end + 1);
  }
  const Result<spark::Draft> draft = std::move(reader).finish();
  if (!draft.ok()) return;
  for (const auto& row : draft->outcome.deletions)
    require(row.keeper >= min_question_id && row.keeper < row.question);
  for (const auto& [id, hash] : draft->present) require(id >= min_question_id);
  for (const auto& [id, question] : draft->questions) require(id >= min_question_id);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  read_draft(text);
  const Result<spark::Plan> plan = spark::read_plan(text);
  if (plan.ok()) require(spark::text_of(*spark::read_plan(spark::text_of(*plan))) == spark::text_of(*plan));
  return 0;
}
