#include "page/evidence.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "base/question_id.h"
#include "db/evidence.h"
#include "miner/evidence_chunk.h"
#include "page/pair_json.h"

namespace qdedup::page {
namespace {

constexpr std::size_t most_bytes = std::size_t{16} * 1024 * 1024;

// What lists say of two questions.
struct Company {
  QuestionId question = 0;
  QuestionId keeper = 0;
  std::uint64_t looked = 0;
  std::uint64_t lists = 0;
  std::optional<double> best;
  std::size_t bytes = 0;

  void look_at(const miner::SeedLists& seen) {
    looked += seen.size();
    for (std::size_t list = 0; list < seen.size(); ++list) {
      const auto ids = seen.ids(list);
      if (std::ranges::find(ids, question) == ids.end() || std::ranges::find(ids, keeper) == ids.end()) {
        continue;
      }
      ++lists;
      best = std::max(best.value_or(seen.top_score(list)), seen.top_score(list));
    }
  }
};

Status look(db::Store& store, Company& company) {
  return db::Evidence(store).for_each_kept([&company](std::string_view chunk) -> Result<bool> {
    miner::SeedLists lists;
    QDEDUP_TRY(miner::decode_evidence(chunk, lists));
    company.look_at(lists);
    company.bytes += chunk.size();
    return company.bytes < most_bytes;
  });
}

}  // namespace

Answer evidence_answer(Reading& reading, const Parameters& parameters) {
  const Result<std::int64_t> question =
      number_of(parameters, "question", min_question_id, max_question_id, 0);
  if (!question.ok()) return refusal(question.error());
  const Result<std::int64_t> keeper = number_of(parameters, "keeper", min_question_id, max_question_id, 0);
  if (!keeper.ok()) return refusal(keeper.error());
  Company company{.question = *question, .keeper = *keeper, .best = std::nullopt};
  if (const Status looked = look(reading.store, company); !looked.ok()) return refusal(looked.error());
  nlohmann::ordered_json json = {{"lists", company.lists}, {"best", nullptr}, {"looked", company.looked}};
  if (company.best) json["best"] = *company.best;
  return {200, dumped(json)};
}

}  // namespace qdedup::page
