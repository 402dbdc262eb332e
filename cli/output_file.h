#pragma once

#include <functional>
#include <ostream>
#include <string>

#include "base/result.h"
#include "db/state_folder.h"

namespace qdedup::cli {

// Lets `write` fill the file at `path`, or `standard_output` for an empty path or "-". The file appears whole
// or not at all: it is written beside its place and renamed when it is done. Where that may
// not be, see db::output_place; nor is any database replaced.
Status write_output(const std::string& path, const db::StateFolder& state, std::ostream& standard_output,
                    const std::function<Status(std::ostream&)>& write);

}  // namespace qdedup::cli
