#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include "base/question_id.h"
#include "engine/in_memory.h"
#include "miner/seed_lists.h"

// What callers pass: Python objects, anything with the Arrow PyCapsule interface (pyarrow, polars, …), or
// buffers of 64-bit integers (NumPy).
namespace qdedup::python {

namespace nb = nanobind;

// Becomes Python's qdedup.DataError: `what` names the place first, "texts[17]: …".
class DataError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Texts by position; none where there is null, None, NaN or pandas.NA. Keeps what the views point to.
class TextColumn {
 public:
  // `name` is for errors. `what` is a sequence of str or bytes, or an Arrow array of texts or bytes. Fails if
  // a text is not UTF-8 or contains NUL, unless `any_bytes`.
  TextColumn(nb::handle what, const std::string& name, bool any_bytes = false);

  [[nodiscard]] std::size_t size() const { return texts_.size(); }
  [[nodiscard]] const std::optional<std::string_view>& operator[](std::size_t i) const { return texts_[i]; }

 private:
  std::vector<std::optional<std::string_view>> texts_;
  std::vector<nb::object> owners_;
};

// Ids by position. Those of one buffer or Arrow array of 64-bit integers are not copied.
class IdColumn {
 public:
  // Fails if one is missing or not from 1 to 2^63-1.
  IdColumn(nb::handle what, const std::string& name);
  IdColumn(const IdColumn&) = delete;
  IdColumn& operator=(const IdColumn&) = delete;

  [[nodiscard]] std::span<const QuestionId> ids() const { return ids_; }

 private:
  std::span<const QuestionId> ids_;
  std::vector<QuestionId> copied_;
  nb::object owner_;
  nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu> buffer_;
};

// The questions of a bank, by id. The text is empty where the answer is too long (markup::Compared).
class Questions {
 public:
  // Columns of the same length; `answers` may be None.
  Questions(nb::handle ids, nb::handle texts, nb::handle answers);
  // A dict from id to text, or a table with the columns id, text and, perhaps, answer.
  static Questions of(nb::handle questions);

  [[nodiscard]] const std::vector<engine::IdentifiedText>& by_id() const { return by_id_; }

 private:
  TextColumn texts_;
  std::optional<TextColumn> answers_;
  std::vector<engine::IdentifiedText> by_id_;
};

// A list of lists of ids, each in the order given.
std::vector<std::vector<QuestionId>> read_clusters(nb::handle what, const std::string& name);

// A sequence of (top_score, ids), or an Arrow array of structs with these fields.
miner::SeedLists read_seed_lists(nb::handle what, const std::string& name);

// Structs of top_score and ids, as read_seed_lists takes them.
nb::object to_column(const miner::SeedLists& lists);

}  // namespace qdedup::python
