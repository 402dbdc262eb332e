#include "cli/spooled_input.h"

#include <cerrno>
#include <optional>
#include <string>
#include <vector>

#include <sys/stat.h>
#include <unistd.h>

#include "base/file_descriptor.h"
#include "logs/byte_source.h"
#include "logs/spooled_file.h"

namespace qdedup::cli {
namespace {

// A descriptor that is not open is left for its reader to report.
bool is_pipe(int descriptor) {
  struct stat status {};
  return ::fstat(descriptor, &status) == 0 && !S_ISREG(status.st_mode);
}

Status spool_in_place(int input, const std::string& name) {
  logs::StreamSource source(input, name);
  QDEDUP_ASSIGN_OR_RETURN(const FileDescriptor file, logs::spool(source));
  return ::dup2(file.number(), input) < 0 ? Status(errno_error(name, errno)) : Status();
}

}  // namespace

Status spool_pipes(const std::vector<std::string>& inputs) {
  for (const std::string& input : inputs) {
    const std::optional<int> descriptor = input == "-" ? STDIN_FILENO : logs::descriptor_of(input);
    if (!descriptor || !is_pipe(*descriptor)) continue;
    QDEDUP_TRY(spool_in_place(*descriptor, input == "-" ? logs::StreamSource::standard_input : input));
  }
  return {};
}

}  // namespace qdedup::cli
