#pragma once

#include "base/result.h"
#include "daemon/daemon_status.h"
#include "daemon/metrics.h"
#include "db/state_folder.h"

namespace qdedup::daemon {

// What GET /metrics shows: of the state as it is stored, and of the daemon as it is. Reads the state through
// connections of its own; on any thread but the loop's, as that may take a second.
Result<Metrics> figures_of(const db::StateFolder& folder, const DaemonStatus& status);

}  // namespace qdedup::daemon
