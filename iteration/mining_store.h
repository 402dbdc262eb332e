#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "db/evidence.h"
#include "db/store_writer.h"

namespace qdedup::iteration {

// Where mining keeps what it finds.
struct MiningStore {
  std::function<Result<std::vector<db::LogRecord>>()> logs;
  // Answers the log's id. After an error, whether the stretch was stored is told by logs() alone.
  std::function<Result<std::int64_t>(const db::MinedStretch&, const std::string& mined_at)> append;
};

// The evidence that `writer` writes; it is to outlive the answer.
MiningStore mining_store(db::StoreWriter& writer);

}  // namespace qdedup::iteration
