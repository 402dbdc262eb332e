#pragma once

#include <ostream>
#include <string_view>

#include "base/result.h"

namespace qdedup::review {

// Both fail with ErrorCode::io when `out` takes no more, whether it says so by its state or by an exception.
Status write_bytes(std::ostream& out, std::string_view bytes);
Status flush(std::ostream& out);

}  // namespace qdedup::review
