#pragma once

namespace qdedup {

// Empties a vector or a string and frees its memory, which clear() and `= {}` keep.
template <class Values>
void release(Values& values) {
  Values().swap(values);
}

}  // namespace qdedup
