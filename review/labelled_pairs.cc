#include "review/labelled_pairs.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/ascii.h"
#include "base/utf8.h"
#include "import/question_reader.h"

namespace qdedup::review {
namespace {

using PairCells = std::vector<std::string_view>;

constexpr std::array<std::string_view, pair_label_count> label_names = {"same", "different", "reordered",
                                                                        "unclear", "unknown"};

// Columns beyond the first 4,096 are one.
PairCells split_cells(std::string_view line) {
  constexpr std::size_t max_columns = 4096;
  PairCells cells;
  for (std::size_t tab = line.find('\t'); tab != std::string_view::npos && cells.size() < max_columns;
       tab = line.find('\t')) {
    cells.push_back(line.substr(0, tab));
    line.remove_prefix(tab + 1);
  }
  cells.push_back(line);
  return cells;
}

Error data_error(std::string message) { return {ErrorCode::data, std::move(message)}; }

// The positions of the columns; `none` for an absent one.
struct Columns {
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  std::size_t small_id = none;
  std::size_t large_id = none;
  std::size_t label = none;
  std::size_t labelled_by = none;
  std::size_t subject = none;
};

Result<std::size_t> find_column(const PairCells& header, std::string_view name, bool required) {
  const auto found = std::ranges::find(header, name);
  if (found != header.end()) return static_cast<std::size_t>(found - header.begin());
  if (required) return data_error("no column " + std::string(name));
  return Columns::none;
}

Status find_columns(const PairCells& header, Columns& columns) {
  struct Wanted {
    std::string_view name;
    bool required;
    std::size_t Columns::*column;
  };
  constexpr std::array<Wanted, 5> all = {{{"small_id", true, &Columns::small_id},
                                          {"large_id", true, &Columns::large_id},
                                          {"label", true, &Columns::label},
                                          {"labelled_by", false, &Columns::labelled_by},
                                          {"subject", false, &Columns::subject}}};
  for (const Wanted& wanted : all) {
    QDEDUP_ASSIGN_OR_RETURN(const std::size_t found, find_column(header, wanted.name, wanted.required));
    columns.*wanted.column = found;
  }
  return {};
}

std::string_view cell_at(const PairCells& cells, std::size_t column) {
  return column < cells.size() ? cells[column] : std::string_view();
}

Result<QuestionId> id_in(std::string_view cell) {
  const auto id = import::parse_id(cell);
  return id ? Result<QuestionId>(*id) : data_error("not an id: " + import::excerpt(cell));
}

Result<PairLabel> parse_label(std::string_view cell) {
  const auto found = std::ranges::find(label_names, cell);
  if (found == label_names.end()) return data_error("not a label: " + import::excerpt(cell));
  return static_cast<PairLabel>(found - label_names.begin());
}

Result<LabelledPair> parse_pair(const PairCells& cells, const Columns& columns) {
  QDEDUP_ASSIGN_OR_RETURN(const QuestionId small_id, id_in(cell_at(cells, columns.small_id)));
  QDEDUP_ASSIGN_OR_RETURN(const QuestionId large_id, id_in(cell_at(cells, columns.large_id)));
  QDEDUP_ASSIGN_OR_RETURN(const PairLabel label, parse_label(cell_at(cells, columns.label)));
  return LabelledPair{small_id, large_id, label, std::string(cell_at(cells, columns.labelled_by)),
                      std::string(cell_at(cells, columns.subject))};
}

// The lines of a text one by one, counted from 1.
class Lines {
 public:
  explicit Lines(std::string_view text) : rest_(without_byte_order_mark(text)) {}

  std::optional<std::string_view> next() {
    if (rest_.empty()) return std::nullopt;
    ++number_;
    std::string_view line = take_until(rest_, '\n');
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line;
  }

  [[nodiscard]] std::size_t number() const { return number_; }

 private:
  std::string_view rest_;
  std::size_t number_ = 0;
};

Error at_line(const Error& error, std::string_view file, std::size_t line) {
  return {error.code, std::string(file) + ":" + std::to_string(line) + ": " + error.message};
}

}  // namespace

std::string_view label_name(PairLabel label) { return label_names[static_cast<std::size_t>(label)]; }

Result<std::vector<LabelledPair>> read_labelled_pairs(std::string_view file, std::string_view text) {
  Lines lines(text);
  Columns columns;
  const Status header = find_columns(split_cells(lines.next().value_or("")), columns);
  if (!header.ok()) return at_line(header.error(), file, 1);
  std::vector<LabelledPair> pairs;
  for (auto line = lines.next(); line; line = lines.next()) {
    if (line->empty()) continue;
    Result<LabelledPair> pair = parse_pair(split_cells(*line), columns);
    if (!pair.ok()) return at_line(pair.error(), file, lines.number());
    pairs.push_back(std::move(*pair));
  }
  return pairs;
}

}  // namespace qdedup::review
