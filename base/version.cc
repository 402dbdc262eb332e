#include "base/version.h"

namespace qdedup {

std::string program_version() { return QDEDUP_VERSION; }

}  // namespace qdedup
