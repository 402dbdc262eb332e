#pragma once

#include <string>
#include <string_view>

namespace qdedup {

// What went wrong, as the exit code of sysexits(3) that the programs end with.
enum class ErrorCode : int {
  usage = 64,          // the command line makes no sense
  data = 65,           // the input is not what it should be
  no_input = 66,       // an input does not exist or may not be read
  internal = 70,       // a defect of this program
  cannot_create = 73,  // an output cannot be created
  io = 74,             // reading or writing failed half-way
  busy = 75,           // somebody else holds what is needed; try again
  config = 78,         // the configuration is wrong
};

// A failure as a value. `message` is one line for people, without a final full stop, and names the thing
// concerned first: "bank.db: row 17: text is not UTF-8".
struct [[nodiscard]] Error {
  ErrorCode code;
  std::string message;

  // The same error as a caller sees it: `context` and a colon go before the message.
  Error within(std::string_view context) &&;
};

// An I/O error that takes its reason from errno: "<subject>: No such file or directory".
// Errors that are about the name or the right to open it become no_input, all else io.
Error errno_error(std::string_view subject, int errno_value);

}  // namespace qdedup
