#pragma once

#include <exception>
#include <string>
#include <string_view>

namespace qdedup {

// What went wrong, as the exit code of the programs (sysexits(3)).
enum class ErrorCode : int {
  usage = 64,          // the command line makes no sense
  data = 65,           // the input is invalid
  no_input = 66,       // an input does not exist or may not be read
  internal = 70,       // a defect of this program
  cannot_create = 73,  // an output cannot be created
  io = 74,             // reading or writing failed half-way
  busy = 75,           // somebody else has what is needed; try again
  config = 78,         // the configuration is wrong
};

// A failure as a value. `message` is one line for people, without a final full stop, and names the thing
// concerned first: "bank.db: row 17: text is not UTF-8".
struct [[nodiscard]] Error {
  ErrorCode code = ErrorCode::internal;
  std::string message;

  // The same error with `context` and a colon before the message.
  Error within(std::string_view context) &&;
};

// An I/O error described by errno: "<subject>: No such file or directory". Errors about the name or missing
// permissions become no_input, a lack of descriptors busy, all others io.
Error errno_error(std::string_view subject, int errno_value);

// The same of an output: always ErrorCode::cannot_create.
Error cannot_create(std::string_view subject, int errno_value);

// An exception that nobody caught: ErrorCode::busy if memory or threads ran out, otherwise a defect.
Error exception_error(const std::exception& exception);

}  // namespace qdedup
