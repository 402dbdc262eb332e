#pragma once

#include <functional>
#include <ostream>
#include <string>

#include "base/result.h"
#include "db/state_folder.h"

namespace qdedup::cli {

// Lets `write` fill the file at `path`, or `standard_output` if `path` is empty or "-". The file appears
// complete or not at all: it is written beside its place and then renamed. Refuses to replace a database, and
// places ruled out by db::output_place.
Status write_output(const std::string& path, const db::StateFolder& state, std::ostream& standard_output,
                    const std::function<Status(std::ostream&)>& write);

}  // namespace qdedup::cli
