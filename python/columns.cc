#include "python/columns.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <utility>

#include <nanobind/stl/string.h>

#include "base/utf8.h"
#include "markup/compared.h"
#include "python/arrow.h"
#include "python/column_class.h"

namespace qdedup::python {
namespace {

std::string place(const std::string& name, std::size_t i) { return name + "[" + std::to_string(i) + "]"; }

[[noreturn]] void fail(const std::string& where, const std::string& what) {
  throw DataError(where + ": " + what);
}

// An object's Arrow arrays, of one schema.
class ImportedArrays {
 public:
  // None if the object has no such interface.
  static nb::object import(nb::handle object);

  [[nodiscard]] const ArrowSchema& schema() const { return schema_; }
  [[nodiscard]] const std::vector<ArrowArray>& arrays() const { return arrays_; }

  ImportedArrays() = default;
  ImportedArrays(const ImportedArrays&) = delete;
  ImportedArrays& operator=(const ImportedArrays&) = delete;
  ~ImportedArrays() {
    for (ArrowArray& array : arrays_) array.release(&array);
    if (schema_.release != nullptr) schema_.release(&schema_);
  }

 private:
  // What a capsule holds is ours from now on.
  template <class Struct>
  static Struct take(nb::handle capsule, const char* name) {
    auto* const held = static_cast<Struct*>(PyCapsule_GetPointer(capsule.ptr(), name));
    if (held == nullptr) throw nb::python_error();
    if (held->release == nullptr) throw DataError(std::string(name) + ": was given to somebody else already");
    Struct taken = *held;
    held->release = nullptr;
    return taken;
  }

  void take_stream(nb::handle capsule) {
    auto stream = take<ArrowArrayStream>(capsule, "arrow_array_stream");
    int failure = stream.get_schema(&stream, &schema_);
    while (failure == 0) {
      ArrowArray array{};
      failure = stream.get_next(&stream, &array);
      if (failure != 0 || array.release == nullptr) break;
      arrays_.push_back(array);
    }
    const char* const said = failure != 0 ? stream.get_last_error(&stream) : nullptr;
    const std::string message = said != nullptr ? said : "the Arrow stream broke off";
    stream.release(&stream);
    if (failure != 0) throw DataError(message);
  }

  ArrowSchema schema_{};
  std::vector<ArrowArray> arrays_;
};

nb::object ImportedArrays::import(nb::handle object) {
  auto imported = std::make_unique<ImportedArrays>();
  if (nb::hasattr(object, "__arrow_c_array__")) {
    const nb::object pair = object.attr("__arrow_c_array__")();
    imported->schema_ = take<ArrowSchema>(pair[0], "arrow_schema");
    imported->arrays_.push_back(take<ArrowArray>(pair[1], "arrow_array"));
  } else if (nb::hasattr(object, "__arrow_c_stream__")) {
    imported->take_stream(object.attr("__arrow_c_stream__")());
  } else {
    return nb::none();
  }
  ImportedArrays* const owned = imported.release();
  return nb::capsule(owned, [](void* held) noexcept { delete static_cast<ImportedArrays*>(held); });
}

const ImportedArrays& arrays_of(const nb::object& capsule) {
  return *static_cast<const ImportedArrays*>(nb::cast<nb::capsule>(capsule).data());
}

// Calls take(slice) for each array of the object, without the GIL. False if it has no Arrow interface;
// `owner` is what must be kept.
template <class Take>
bool for_each_slice(nb::handle object, nb::object& owner, const Take& take) {
  owner = ImportedArrays::import(object);
  if (owner.is_none()) return false;
  const ImportedArrays& imported = arrays_of(owner);
  const nb::gil_scoped_release no_gil;
  for (const ArrowArray& array : imported.arrays()) {
    const ArrowSlice slice(imported.schema(), array);
    take(slice.only_child().value_or(slice));
  }
  return true;
}

// A column of an Arrow table, as an object with the same interface: the table's library knows how to get it.
nb::object column_of(nb::handle table, const char* name, bool required) {
  const nb::object names = nb::hasattr(table, "column_names") ? nb::object(table.attr("column_names"))
                           : nb::hasattr(table, "columns")    ? nb::object(table.attr("columns"))
                           : nb::hasattr(table, "schema")     ? nb::object(table.attr("schema").attr("names"))
                                                              : nb::none();
  if (names.is_none()) {
    throw nb::type_error("texts: neither a dict of texts nor a table with the columns id and text");
  }
  if (nb::hasattr(table, "fetchall")) {
    throw nb::type_error(
        "texts: this is a query, which runs for each column, and not always in one order; give its table, "
        "relation.to_arrow_table()");
  }
  if (PySequence_Contains(names.ptr(), nb::str(name).ptr()) == 1) {
    if (!nb::hasattr(table, "__getitem__"))
      throw nb::type_error("texts: the columns of this object cannot be taken by name; give a table");
    return table[name];
  }
  if (required) fail("texts", std::string("there is no column ") + name);
  return nb::none();
}

void check_text(std::string_view text, const std::string& name, std::size_t i) {
  if (!is_utf8(text)) fail(place(name, i), "is not UTF-8");
  if (text.find('\0') != std::string_view::npos) fail(place(name, i), "contains NUL");
}

QuestionId checked_id(std::int64_t id, const std::string& name, std::size_t i, bool is_unsigned = false) {
  if (id >= min_question_id) return id;
  const std::string shown = is_unsigned ? std::to_string(static_cast<std::uint64_t>(id)) : std::to_string(id);
  fail(place(name, i), shown + " is no id: they go from 1 to 2^63-1");
}

QuestionId id_of(nb::handle object, const std::string& name, std::size_t i) {
  const nb::object integer = nb::steal(PyNumber_Index(object.ptr()));
  if (!integer.is_valid()) {
    PyErr_Clear();
    throw nb::type_error((place(name, i) + ": is not an int").c_str());
  }
  int overflow = 0;
  const long long id = PyLong_AsLongLongAndOverflow(integer.ptr(), &overflow);
  if (overflow != 0) fail(place(name, i), "is no id: they go from 1 to 2^63-1");
  return checked_id(id, name, i);
}

nb::object sequence(nb::handle object, const std::string& name) {
  if (PyUnicode_Check(object.ptr()) || PyBytes_Check(object.ptr()) || PyDict_Check(object.ptr()) ||
      PyAnySet_Check(object.ptr())) {
    throw nb::type_error((name + ": is no sequence").c_str());
  }
  PyObject* const fast = PySequence_Fast(object.ptr(), "");
  if (fast == nullptr) {
    PyErr_Clear();
    throw nb::type_error((name + ": is neither a sequence nor an Arrow array").c_str());
  }
  return nb::steal(fast);
}

// None, or what pandas has for it.
bool is_missing(nb::handle item) {
  if (PyUnicode_Check(item.ptr()) || PyBytes_Check(item.ptr())) return false;
  if (PyFloat_Check(item.ptr())) return std::isnan(PyFloat_AsDouble(item.ptr()));
  return item.is_none() || std::string_view(nb::inst_name(item).c_str()).ends_with(".NAType");
}

std::string_view bytes_of(nb::handle object, const std::string& name, std::size_t i) {
  if (PyBytes_Check(object.ptr())) {
    return {PyBytes_AS_STRING(object.ptr()), static_cast<std::size_t>(PyBytes_GET_SIZE(object.ptr()))};
  }
  if (!PyUnicode_Check(object.ptr())) throw nb::type_error((place(name, i) + ": is not a str").c_str());
  Py_ssize_t size = 0;
  const char* const utf8 = PyUnicode_AsUTF8AndSize(object.ptr(), &size);
  if (utf8 == nullptr) {
    PyErr_Clear();
    fail(place(name, i), "cannot be written as UTF-8: it holds a lone surrogate");
  }
  return {utf8, static_cast<std::size_t>(size)};
}

void append_ids(const ArrowSlice& slice, const std::string& name, std::size_t first,
                std::vector<QuestionId>& ids) {
  if (!slice.is_integer()) throw nb::type_error((name + ": is no array of integers").c_str());
  for (std::int64_t i = 0; i < slice.size(); ++i) {
    const std::size_t at = first + static_cast<std::size_t>(i);
    if (slice.is_null(i)) fail(place(name, at), "is null");
    ids.push_back(checked_id(slice.integer(i), name, at, slice.format() == "L"));
  }
}

std::vector<QuestionId> ids_of(nb::handle object, const std::string& name) {
  const IdColumn column(object, name);
  return {column.ids().begin(), column.ids().end()};
}

void expect_distinct(std::span<const QuestionId> ids, const std::string& where) {
  std::vector<QuestionId> sorted(ids.begin(), ids.end());
  std::ranges::sort(sorted);
  const auto twice = std::ranges::adjacent_find(sorted);
  if (twice != sorted.end()) fail(where, std::to_string(*twice) + " is there twice");
}

// What iterating over seed lists gives. Empty if it is something else.
nb::object pair_of(const nb::dict& list) {
  if (!list.contains("top_score") || !list.contains("ids")) return nb::make_tuple();
  return nb::make_tuple(list["top_score"], list["ids"]);
}

void append_list(double top_score, std::span<const QuestionId> ids, const std::string& where,
                 miner::SeedLists& lists) {
  if (!std::isfinite(top_score)) fail(where, "the top score is no finite number");
  if (ids.empty()) fail(where, "has no ids");
  expect_distinct(ids, where);
  lists.append(top_score, ids);
}

}  // namespace

TextColumn::TextColumn(nb::handle what, const std::string& name, bool any_bytes) {
  const auto add = [&](std::string_view text) {
    if (!any_bytes) check_text(text, name, texts_.size());
    texts_.emplace_back(text);
  };
  const auto add_slice = [&](const ArrowSlice& slice) {
    if (!slice.is_text()) {
      throw nb::type_error(
          (name + ": is an Arrow array of type '" + std::string(slice.format()) + "', not one of texts")
              .c_str());
    }
    texts_.reserve(texts_.size() + static_cast<std::size_t>(slice.size()));
    for (std::int64_t i = 0; i < slice.size(); ++i) {
      if (slice.is_null(i)) {
        texts_.emplace_back();
      } else {
        add(slice.text(i));
      }
    }
  };
  if (for_each_slice(what, owners_.emplace_back(), add_slice)) return;
  owners_.back() = sequence(what, name);
  const nb::object items = owners_.back();
  texts_.reserve(nb::len(items));
  for (const nb::handle item : items) {
    if (is_missing(item)) {
      texts_.emplace_back();
      continue;
    }
    owners_.push_back(nb::borrow(item));
    add(bytes_of(item, name, texts_.size()));
  }
}

IdColumn::IdColumn(nb::handle what, const std::string& name) {
  std::vector<ArrowSlice> slices;
  const bool is_arrow =
      for_each_slice(what, owner_, [&](const ArrowSlice& slice) { slices.push_back(slice); });
  if (is_arrow && slices.size() == 1 && slices[0].integers() != nullptr && !slices[0].has_null()) {
    ids_ = {slices[0].integers(), static_cast<std::size_t>(slices[0].size())};
  } else if (is_arrow) {
    for (const ArrowSlice& slice : slices) append_ids(slice, name, copied_.size(), copied_);
    ids_ = copied_;
  } else if (nb::try_cast(what, buffer_, false)) {
    ids_ = {buffer_.data(), buffer_.size()};
  } else {
    for (const nb::handle item : sequence(what, name)) copied_.push_back(id_of(item, name, copied_.size()));
    ids_ = copied_;
  }
  const bool is_unsigned = !slices.empty() && slices[0].format() == "L";
  for (std::size_t i = 0; i < ids_.size(); ++i) checked_id(ids_[i], name, i, is_unsigned);
}

Questions::Questions(nb::handle ids, nb::handle texts, nb::handle answers) : texts_(texts, "texts") {
  const IdColumn column(ids, "ids");
  if (!answers.is_none()) answers_.emplace(answers, "answers");
  const auto expect_length = [&](std::size_t length, const char* name) {
    if (length == column.ids().size()) return;
    throw DataError(std::string(name) + ": has " + std::to_string(length) + " values, but there are " +
                    std::to_string(column.ids().size()) + " ids");
  };
  expect_length(texts_.size(), "texts");
  if (answers_) expect_length(answers_->size(), "answers");
  const nb::gil_scoped_release no_gil;
  std::vector<std::size_t> order(column.ids().size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto id_at = [&](std::size_t i) { return column.ids()[i]; };
  if (!std::ranges::is_sorted(column.ids())) std::ranges::stable_sort(order, {}, id_at);
  by_id_.reserve(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    const QuestionId id = id_at(order[i]);
    if (i > 0 && by_id_.back().first == id) {
      fail(place("ids", order[i]),
           std::to_string(id) + " is there already, at " + std::to_string(order[i - 1]));
    }
    const auto answer = answers_ ? (*answers_)[order[i]] : std::nullopt;
    const bool is_too_long = answer && markup::compared({}, answer, {}).is_too_long;
    by_id_.push_back({id, {is_too_long ? "" : texts_[order[i]].value_or(""), answer}});
  }
}

Questions Questions::of(nb::handle questions) {
  if (nb::isinstance(questions, nb::module_::import_("collections.abc").attr("Mapping")))
    return {questions.attr("keys")(), questions.attr("values")(), nb::none()};
  return {column_of(questions, "id", true), column_of(questions, "text", true),
          column_of(questions, "answer", false)};
}

std::vector<std::vector<QuestionId>> read_clusters(nb::handle what, const std::string& name) {
  std::vector<std::vector<QuestionId>> clusters;
  const auto add = [&](std::vector<QuestionId> ids) {
    expect_distinct(ids, place(name, clusters.size()));
    std::ranges::sort(ids);
    clusters.push_back(std::move(ids));
  };
  nb::object owner;
  const bool is_arrow = for_each_slice(what, owner, [&](const ArrowSlice& slice) {
    if (!slice.is_list()) throw nb::type_error((name + ": is no array of lists of ids").c_str());
    for (std::int64_t i = 0; i < slice.size(); ++i) {
      std::vector<QuestionId> ids;
      if (!slice.is_null(i)) append_ids(slice.list(i), place(name, clusters.size()), 0, ids);
      add(std::move(ids));
    }
  });
  if (is_arrow) return clusters;
  for (const nb::handle cluster : sequence(what, name)) {
    const bool is_set = PyAnySet_Check(cluster.ptr());  // they have no order
    add(ids_of(is_set ? nb::object(nb::list(cluster)) : nb::borrow(cluster), place(name, clusters.size())));
  }
  return clusters;
}

miner::SeedLists read_seed_lists(nb::handle what, const std::string& name) {
  miner::SeedLists lists;
  nb::object owner;
  const bool is_arrow = for_each_slice(what, owner, [&](const ArrowSlice& slice) {
    const auto scores = slice.child("top_score");
    const auto all_ids = slice.child("ids");
    if (!scores || !scores->is_real() || !all_ids || !all_ids->is_list()) {
      throw nb::type_error((name + ": is no array of structs of top_score (float) and ids (list)").c_str());
    }
    for (std::int64_t i = 0; i < slice.size(); ++i) {
      const std::string where = place(name, lists.size());
      if (slice.is_null(i) || scores->is_null(i) || all_ids->is_null(i)) fail(where, "is null");
      std::vector<QuestionId> ids;
      append_ids(all_ids->list(i), where, 0, ids);
      append_list(scores->real(i), ids, where, lists);
    }
  });
  if (is_arrow) return lists;
  for (const nb::handle item : sequence(what, name)) {
    const std::string where = place(name, lists.size());
    const nb::object pair =
        PyDict_Check(item.ptr()) ? pair_of(nb::borrow<nb::dict>(item)) : sequence(item, where);
    if (nb::len(pair) != 2) throw nb::type_error((where + ": is no pair of top_score and ids").c_str());
    const double top_score = PyFloat_AsDouble(nb::object(pair[0]).ptr());
    if (PyErr_Occurred() != nullptr) {
      PyErr_Clear();
      throw nb::type_error((where + ": the top score is no float").c_str());
    }
    append_list(top_score, ids_of(pair[1], where), where, lists);
  }
  return lists;
}

nb::object to_column(const miner::SeedLists& lists) {
  std::vector<double> top_scores;
  std::vector<std::size_t> ends;
  for (std::size_t i = 0; i < lists.size(); ++i) {
    top_scores.push_back(lists.top_score(i));
    ends.push_back((ends.empty() ? 0 : ends.back()) + lists.ids(i).size());
  }
  std::vector<std::int64_t> ids(lists.all_ids().begin(), lists.all_ids().end());
  return column(ArrowColumn::record({{"top_score", ArrowColumn::of(std::move(top_scores))},
                                     {"ids", ArrowColumn::lists(std::move(ids), ends)}}));
}

}  // namespace qdedup::python
