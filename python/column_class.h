#pragma once

#include <cstdint>

#include <nanobind/nanobind.h>

#include "python/arrow.h"

namespace qdedup::python {

namespace nb = nanobind;

// Python's qdedup.Column: a result, as a sequence of Python objects and as an Arrow array.
class Column {
 public:
  explicit Column(const ArrowColumn& column) : column_(column) { column.give(schema_, array_); }
  Column(const Column&) = delete;
  Column& operator=(const Column&) = delete;
  ~Column();

  [[nodiscard]] std::int64_t size() const { return column_.size(); }
  // Of a negative position, counted from the end. Raises IndexError.
  [[nodiscard]] nb::object at(std::int64_t i) const;
  // A pair of capsules, as the Arrow PyCapsule interface has it.
  [[nodiscard]] nb::tuple arrow() const;

 private:
  ArrowColumn column_;
  ArrowSchema schema_{};
  ArrowArray array_{};
};

// As a Python object.
nb::object column(const ArrowColumn& values);

void define_column(nb::module_& module);

}  // namespace qdedup::python
