#pragma once

#include <cstdint>
#include <string_view>

#include "db/decisions.h"
#include "db/state_folder.h"
#include "db/store_writer.h"
#include "page/answer.h"
#include "page/query.h"
#include "page/reading.h"

namespace qdedup::page {

// GET /api/review/samples: {"samples":[{id, drawn_at, drawn_by, population, size, same, different, precision,
// low, high}]}, the newest first; the interval is Wilson's, of 95 %.
Answer samples_answer(Reading& reading);

// GET /api/review/sample?id=N: {"pairs":[{position, keeper, question, judgement, judged_by}]}. It does not
// tell status, confidence and reasons of the deletions.
Answer sample_answer(Reading& reading, const Parameters& parameters);

// POST /api/review/samples with {"size":100,"iteration":3}, `iteration` or all: draws that many (1 to 1,000)
// of the safe deletions that were not withdrawn. {"id":N,"size":M}; 404 when there are none.
Answer draw_sample(std::string_view body, const db::StateFolder& folder, db::StoreWriter& writer,
                   const db::Decider& decider, std::uint64_t seed);

// POST /api/review/judgements with {"sample":1,"position":5,"judgement":"same"}, "different", or "" to take
// it back. 409 when somebody else judged that pair, 404 when there is no such pair or sample.
Answer judge(std::string_view body, db::StoreWriter& writer, const db::Decider& decider);

}  // namespace qdedup::page
