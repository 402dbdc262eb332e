#pragma once

#include <string>

#include <sys/types.h>

#include "base/file_descriptor.h"
#include "base/result.h"
#include "db/state_folder.h"

namespace qdedup::db {

// The folder of a state and the files in it: who may use them, and how they are made and opened. Whoever may
// write to the folder is trusted with the state and with nothing else, so no file of it may lead elsewhere.

// Makes the folder, and those above it that are missing, with mode 0750 less the umask.
Status make_state_folder(const std::string& path);

// 0660 where the group may write to `folder`, else 0640.
mode_t state_file_mode(const std::string& folder);

// Whether those who may read the folder's files, but not write to them, may read a file.
enum class Readers { as_in_folder, none };

// Opens the file for reading and writing. One that is missing is made, empty, with the mode of state files,
// whatever the umask is.
Result<FileDescriptor> open_state_file(const std::string& path, Readers readers = Readers::as_in_folder);

// ErrorCode::data for a link, for what is no regular file or has a second name, and for a file of somebody
// who may not write to the folder. A file that is missing is fine.
Status check_state_file(const std::string& path);

// ErrorCode::cannot_create, with the reason, where an output at `path` would be a file of a state: one of
// `in_use`, by whatever name or link, or what another state would take for its own.
Status expect_no_state_file(const std::string& path, const StateFolder& in_use);

// The same, and where the path goes through a symbolic link that is neither the caller's nor root's.
Status expect_output_place(const std::string& path, const StateFolder& in_use);

}  // namespace qdedup::db
