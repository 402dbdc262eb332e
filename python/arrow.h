#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Arrays of other libraries, and arrays for them, by the Arrow C data interface
// (https://arrow.apache.org/docs/format/CDataInterface.html), whose three structs these are.
extern "C" {

struct ArrowSchema {
  const char* format;
  const char* name;
  const char* metadata;
  std::int64_t flags;
  std::int64_t n_children;
  ArrowSchema** children;
  ArrowSchema* dictionary;
  void (*release)(ArrowSchema*);
  void* private_data;
};

struct ArrowArray {
  std::int64_t length;
  std::int64_t null_count;
  std::int64_t offset;
  std::int64_t n_buffers;
  std::int64_t n_children;
  const void** buffers;
  ArrowArray** children;
  ArrowArray* dictionary;
  void (*release)(ArrowArray*);
  void* private_data;
};

struct ArrowArrayStream {
  int (*get_schema)(ArrowArrayStream*, ArrowSchema* out);
  int (*get_next)(ArrowArrayStream*, ArrowArray* out);
  const char* (*get_last_error)(ArrowArrayStream*);
  void (*release)(ArrowArrayStream*);
  void* private_data;
};

}  // extern "C"

namespace qdedup::python {

// A part of an array of another library, which must outlive it.
class ArrowSlice {
 public:
  ArrowSlice(const ArrowSchema& schema, const ArrowArray& array)
      : ArrowSlice(schema, array, 0, array.length) {}

  [[nodiscard]] std::int64_t size() const { return size_; }
  // As the interface spells it, or "dictionary", of which none is read.
  [[nodiscard]] std::string_view format() const {
    return schema_->dictionary == nullptr ? schema_->format : "dictionary";
  }
  [[nodiscard]] bool is_null(std::int64_t i) const;
  [[nodiscard]] bool has_null() const;

  // The child of a struct with that name; none if it is no struct or has no such child.
  [[nodiscard]] std::optional<ArrowSlice> child(std::string_view name) const;

  // The child of a struct with one child and no null, as some libraries give a column; none if it is
  // something else.
  [[nodiscard]] std::optional<ArrowSlice> only_child() const;

  // Is it a list? If so, the elements of one list.
  [[nodiscard]] bool is_list() const { return format() == "+l" || format() == "+L"; }
  [[nodiscard]] ArrowSlice list(std::int64_t i) const;

  // Is it one of the six types of text or bytes, or of nulls alone? If so, those at one position.
  [[nodiscard]] bool is_text() const;
  [[nodiscard]] std::string_view text(std::int64_t i) const;

  // Is it a type of whole numbers? If so, one of them, and the place of them all if they are 64 bits each.
  // Unsigned ones beyond 2^63-1 are negative.
  [[nodiscard]] bool is_integer() const;
  [[nodiscard]] std::int64_t integer(std::int64_t i) const;
  [[nodiscard]] const std::int64_t* integers() const;

  // Is it a type of floating-point numbers? If so, one of them.
  [[nodiscard]] bool is_real() const { return format() == "g" || format() == "f"; }
  [[nodiscard]] double real(std::int64_t i) const;

 private:
  ArrowSlice(const ArrowSchema& schema, const ArrowArray& array, std::int64_t begin, std::int64_t size)
      : schema_(&schema), array_(&array), begin_(begin + array.offset), size_(size) {}

  // A buffer from the slice's first value on.
  template <class Value>
  [[nodiscard]] const Value* values(int buffer) const {
    return static_cast<const Value*>(array_->buffers[buffer]) + begin_;
  }

  const ArrowSchema* schema_;
  const ArrowArray* array_;
  std::int64_t begin_;  // in the buffers
  std::int64_t size_;
};

// An array of our own: numbers, texts, lists of numbers, or a struct of those. Immutable, and shared by its
// copies.
class ArrowColumn {
 public:
  static ArrowColumn of(std::vector<std::int64_t> integers);
  static ArrowColumn of(std::vector<double> reals);
  static ArrowColumn of(const std::vector<std::optional<std::string>>& texts);  // with null for none
  // List i ends at ends[i].
  static ArrowColumn lists(std::vector<std::int64_t> elements, const std::vector<std::size_t>& ends);

  struct Field;
  static ArrowColumn record(std::vector<Field> fields);

  [[nodiscard]] std::int64_t size() const;

  // Both are released by their `release`.
  void give(ArrowSchema& schema, ArrowArray& array) const;

 private:
  struct Data;
  explicit ArrowColumn(std::shared_ptr<const Data> data) : data_(std::move(data)) {}
  static void give(const std::shared_ptr<const Data>& data, const std::string& name, ArrowSchema& schema);
  static void give(const std::shared_ptr<const Data>& data, ArrowArray& array);

  std::shared_ptr<const Data> data_;
};

struct ArrowColumn::Field {
  std::string name;
  ArrowColumn column;
};

}  // namespace qdedup::python
