#pragma once

#include <exception>
#include <string_view>

#include "base/error.h"

namespace qdedup {

// Ends the process from any thread, destroying nothing, with "program: message" on standard error if somebody
// takes it. Needs no memory.
[[noreturn]] void end_at_once(std::string_view program, std::string_view message, ErrorCode code) noexcept;

// From now on, an exception that nobody caught, or that could not be thrown, ends the process like that, with
// ErrorCode::busy, if it comes from a lack of memory, threads or descriptors. Others abort it as ever.
void end_at_once_on_shortage(std::string_view program);

// If memory, threads or descriptors ran out: what to say of that; otherwise null.
const char* shortage_of(const std::exception& exception) noexcept;

}  // namespace qdedup
