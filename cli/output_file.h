#pragma once

#include <functional>
#include <ostream>
#include <string>

#include "base/result.h"
#include "db/state_folder.h"

namespace qdedup::cli {

// ErrorCode::cannot_create where `path` is a folder, or would be a file of a state.
Status expect_output(const std::string& path, const db::StateFolder& state);

// Lets `write` fill the file at `path`, or `standard_output` for an empty path or "-". The file appears whole
// or not at all: it is written beside its place and renamed when it is done. It never takes the place of a
// file of a state, or of any database.
Status write_output(const std::string& path, const db::StateFolder& state, std::ostream& standard_output,
                    const std::function<Status(std::ostream&)>& write);

}  // namespace qdedup::cli
