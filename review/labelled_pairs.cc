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
  do {
    cells.push_back(take_until(line, '\t'));
  } while (!line.empty() && cells.size() < max_columns);
  if (!line.empty()) cells.push_back(line);
  return cells;
}

Error data_error(std::string message) { return {ErrorCode::data, std::move(message)}; }

constexpr std::array<std::string_view, 5> pair_columns = {"small_id", "large_id", "label", "labelled_by",
                                                          "subject"};
constexpr std::size_t needed_columns = 3;

// Where each column stands; `std::string::npos` for an absent one.
using PairPlaces = std::array<std::size_t, pair_columns.size()>;

Result<PairPlaces> places_in(const PairCells& header) {
  PairPlaces places{};
  for (std::size_t i = 0; i < pair_columns.size(); ++i) {
    const auto found = std::ranges::find(header, pair_columns.at(i));
    if (found == header.end() && i < needed_columns)
      return data_error("no column " + std::string(pair_columns.at(i)));
    places.at(i) =
        found == header.end() ? std::string::npos : static_cast<std::size_t>(found - header.begin());
    if (std::ranges::count(header, pair_columns.at(i)) > 1)
      return data_error("the header names the column " + std::string(pair_columns.at(i)) + " twice");
  }
  return places;
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

Result<LabelledPair> parse_pair(const PairCells& cells, const PairPlaces& places) {
  const auto cell = [&](std::size_t column) {
    return places.at(column) < cells.size() ? cells[places.at(column)] : std::string_view();
  };
  QDEDUP_ASSIGN_OR_RETURN(const QuestionId small_id, id_in(cell(0)));
  QDEDUP_ASSIGN_OR_RETURN(const QuestionId large_id, id_in(cell(1)));
  if (small_id == large_id) return data_error("both ids are " + std::to_string(small_id));
  QDEDUP_ASSIGN_OR_RETURN(const PairLabel label, parse_label(cell(2)));
  return LabelledPair{small_id, large_id, label, std::string(cell(3)), std::string(cell(4))};
}

// The first line is the header.
Status take_line(std::string_view line, std::optional<PairPlaces>& places, std::vector<LabelledPair>& pairs) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (!places) {
    QDEDUP_ASSIGN_OR_RETURN(places, places_in(split_cells(line)));
  } else if (!line.empty()) {
    QDEDUP_ASSIGN_OR_RETURN(LabelledPair pair, parse_pair(split_cells(line), *places));
    pairs.push_back(std::move(pair));
  }
  return {};
}

}  // namespace

std::string_view label_name(PairLabel label) { return label_names[static_cast<std::size_t>(label)]; }

Result<std::vector<LabelledPair>> read_labelled_pairs(std::string_view file, std::string_view text) {
  text = without_byte_order_mark(text);
  std::optional<PairPlaces> places;
  std::vector<LabelledPair> pairs;
  for (std::size_t number = 1; number == 1 || !text.empty(); ++number) {
    Status taken = take_line(take_until(text, '\n'), places, pairs);
    if (!taken.ok()) return std::move(taken).error().within(std::string(file) + ":" + std::to_string(number));
  }
  return pairs;
}

}  // namespace qdedup::review
