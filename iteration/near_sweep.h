#pragma once

#include <memory>
#include <optional>

#include "base/clock.h"
#include "base/progress.h"
#include "base/result.h"
#include "config/settings.h"
#include "db/bank.h"
#include "db/iterations.h"
#include "db/store.h"
#include "db/store_writer.h"
#include "finder/text_scheme.h"

namespace qdedup::iteration {

// As run_sweep, but questions are compared only with those that the scheme finds near them, each with what is
// near it and passes the duplicate test with it as a cluster. What is found is held to the same rules;
// duplicates may be missed. Reads the bank twice; memory is linear in the texts, and in the pairs found.
Result<std::optional<db::IterationRecord>> run_near_sweep(db::Store& reading, db::StoreWriter& writing,
                                                          db::Bank& bank, const config::Settings& settings,
                                                          const Clock& clock, const Progress& progress,
                                                          std::unique_ptr<finder::TextScheme> scheme);

}  // namespace qdedup::iteration
