#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace qdedup {

// A name, or a message that may contain one, as one line for people: control characters, characters that
// change the text direction, and bytes that are not UTF-8 become \n, \x1b and the like. Escaped text stays as
// it is.
std::string escaped(std::string_view text);

// The same, but leaves line ends and tabs alone; for a terminal.
std::string terminal_text(std::string_view text);

// The same for a message of several lines: line feeds stay, and the lines after the first are indented, so
// that none can pass for a separate message.
std::string escaped_lines(std::string_view text);

// A path, which may hold any bytes, as UTF-8: as it is, or else escaped, so that different paths stay
// different.
std::string path_text(const std::string& path);
std::vector<std::string> path_texts(std::vector<std::string> paths);

}  // namespace qdedup
