#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "db/decisions.h"
#include "db/state_folder.h"
#include "db/store_writer.h"
#include "page/request.h"

namespace qdedup::page {

// GET /api/review/samples: {"samples":[{id, drawn_at, drawn_by, population, size, same, different, precision,
// low, high}]}, the newest first; the interval is Wilson's, of 95 %.
Answer samples_answer(Reading& reading);

// GET /api/review/sample?id=N: {"pairs":[{position, keeper, question, judgement, judged_by}]}. Status,
// confidence and reasons of the deletions are left out.
Answer sample_answer(Reading& reading, const Parameters& parameters);

// POST /api/review/samples with {"size":100,"iteration":3}, `iteration` or all: draws that many (1 to 1,000)
// of the safe deletions that were not withdrawn. {"id":N,"size":M}; 404 when there are none.
Answer draw_sample(std::string_view body, const db::StateFolder& folder, db::StoreWriter& writer,
                   const db::Decider& decider, std::uint64_t seed);

// POST /api/review/judgements with {"sample":1,"position":5,"judgement":"same"}, "different", or "" to take
// it back. 409 when somebody else judged that pair, 404 when there is no such pair or sample.
Answer judge(std::string_view body, db::StoreWriter& writer, const db::Decider& decider);

// `size` of `ids` (or all, if there are fewer), in random order, each choice equally likely. The same for the
// same seed. Linear.
std::vector<std::int64_t> draw(std::vector<std::int64_t> ids, std::size_t size, std::uint64_t seed);

// A share that was estimated from a sample, and the 95 % confidence interval round it.
struct Precision {
  double share = 0;
  double low = 0;
  double high = 1;
};

// Wilson's score interval (Journal of the American Statistical Association 22, 1927), which holds for small
// samples and for shares near 1 too. Of no trials nothing is known: 0, from 0 to 1.
Precision precision_of(std::uint64_t successes, std::uint64_t trials);

}  // namespace qdedup::page
