#include "base/file_descriptor.h"

#include <unistd.h>

namespace qdedup {

void FileDescriptor::close() {
  if (open()) ::close(release());
}

}  // namespace qdedup
