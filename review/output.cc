#include "review/output.h"

#include <exception>

namespace qdedup::review {

namespace {

template <class Action>
Status checked(std::ostream& out, Action action) {
  try {
    action();
  } catch (const std::exception& exception) {
    return Error{ErrorCode::io, std::string("output: ") + exception.what()};
  }
  if (!out) return Error{ErrorCode::io, "output: cannot be written"};
  return {};
}

}  // namespace

Status write_bytes(std::ostream& out, std::string_view bytes) {
  return checked(out, [&] { out.write(bytes.data(), static_cast<std::streamsize>(bytes.size())); });
}

Status flush(std::ostream& out) {
  return checked(out, [&] { out.flush(); });
}

}  // namespace qdedup::review
