#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace qdedup::cli {

// What a command that was handed to the daemon says, line by line. A line of the stream is a letter and its
// content, any bytes but line feeds:
//
//   O text   a line of standard output        E text   a line of standard error
//   o text   the beginning of such a line     e text   the same
//   P done total unit stage                   how far the command is
//   X code                                    the exit code; the last line
inline constexpr char out_line = 'O';
inline constexpr char out_part = 'o';
inline constexpr char err_line = 'E';
inline constexpr char err_part = 'e';
inline constexpr char progress_line = 'P';
inline constexpr char exit_line = 'X';

struct RemoteProgress {
  std::uint64_t done = 0;
  std::uint64_t total = 0;
  std::string unit;
  std::string stage;
};

// The content of a progress line, and back. Nothing when it is none.
std::string progress_text(const RemoteProgress& progress);
std::optional<RemoteProgress> parse_progress(std::string_view text);

}  // namespace qdedup::cli
