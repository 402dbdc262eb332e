#pragma once

namespace qdedup {

// Lets this process open as many files as the system allows it to (the hard limit); if that may not be, all
// stays as it is. For programs without select(2), which knows no descriptor above 1,023.
void raise_open_file_limit();

}  // namespace qdedup
