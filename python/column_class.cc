#include "python/column_class.h"

#include <memory>

#include <nanobind/stl/string.h>

namespace qdedup::python {
namespace {

nb::object value(const ArrowSlice& slice, const ArrowSchema& schema, std::int64_t i) {
  if (slice.is_null(i)) return nb::none();
  if (slice.is_integer()) return nb::int_(slice.integer(i));
  if (slice.is_real()) return nb::float_(slice.real(i));
  if (slice.is_text()) {
    const std::string_view text = slice.text(i);
    return nb::str(text.data(), text.size());
  }
  if (slice.is_list()) {
    nb::list list;
    const ArrowSlice items = slice.list(i);
    for (std::int64_t item = 0; item < items.size(); ++item)
      list.append(value(items, *schema.children[0], item));
    return list;
  }
  nb::dict fields;
  for (std::int64_t field = 0; field < schema.n_children; ++field) {
    const ArrowSchema& child = *schema.children[field];
    fields[child.name] = value(*slice.child(child.name), child, i);
  }
  return fields;
}

template <class Struct>
nb::object capsule(std::unique_ptr<Struct> held, const char* name) {
  PyObject* const made = PyCapsule_New(held.get(), name, [](PyObject* self) {
    const std::unique_ptr<Struct> owned(
        static_cast<Struct*>(PyCapsule_GetPointer(self, PyCapsule_GetName(self))));
    if (owned->release != nullptr) owned->release(owned.get());
  });
  if (made == nullptr) throw nb::python_error();
  (void)held.release();
  return nb::steal(made);
}

}  // namespace

Column::~Column() {
  schema_.release(&schema_);
  array_.release(&array_);
}

nb::object Column::at(std::int64_t i) const {
  const std::int64_t place = i < 0 ? i + size() : i;
  if (place < 0 || place >= size()) throw nb::index_error();
  return value(ArrowSlice(schema_, array_), schema_, place);
}

nb::tuple Column::arrow() const {
  auto schema = std::make_unique<ArrowSchema>();
  auto array = std::make_unique<ArrowArray>();
  column_.give(*schema, *array);
  return nb::make_tuple(capsule(std::move(schema), "arrow_schema"), capsule(std::move(array), "arrow_array"));
}

nb::object column(const ArrowColumn& values) {
  return nb::cast(new Column(values), nb::rv_policy::take_ownership);
}

void define_column(nb::module_& module) {
  nb::class_<Column>(module, "Column",
                     "A result: a sequence of Python objects, and an Arrow array without copying "
                     "(pyarrow.array(column), polars.Series(column)).")
      .def("__len__", &Column::size)
      .def("__getitem__", &Column::at, nb::arg("index"))
      .def(
          "__iter__", [](nb::handle self) { return nb::steal(PySeqIter_New(self.ptr())); },
          nb::sig("def __iter__(self) -> typing.Iterator[object]"))
      .def(
          "__arrow_c_array__", [](const Column& column, const nb::object&) { return column.arrow(); },
          nb::arg("requested_schema") = nb::none(), "The Arrow PyCapsule interface; always of its own type.");
}

}  // namespace qdedup::python
