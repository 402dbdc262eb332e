#include "review/labelled_pairs.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "import/delimited_reader.h"
#include "import/question_reader.h"
#include "review/decision_list.h"

namespace qdedup::review {
namespace {

constexpr std::array<std::string_view, pair_label_count> label_names = {"same", "different", "reordered",
                                                                        "unclear", "unknown"};

Error data_error(std::string message) { return {ErrorCode::data, std::move(message)}; }

constexpr std::array<std::string_view, 5> pair_columns = {"small_id", "large_id", "label", "labelled_by",
                                                          "subject"};
constexpr std::size_t needed_columns = 3;

struct PairHeader {
  std::size_t width = 0;
  std::array<std::optional<std::size_t>, pair_columns.size()> places;  // of the columns
};

Result<PairHeader> header_of(const std::vector<std::string>& cells) {
  PairHeader header{cells.size(), {}};
  QDEDUP_ASSIGN_OR_RETURN(header.places, import::columns_in(cells, pair_columns, [](std::size_t column) {
                            return column < needed_columns;
                          }));
  return header;
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

Result<LabelledPair> parse_pair(const std::vector<std::string>& cells, const PairHeader& header) {
  if (cells.size() != header.width)
    return data_error(shown(import::wrong_field_count(cells.size(), header.width)));
  const auto cell = [&](std::size_t column) {
    const auto& place = header.places.at(column);
    return place ? cells[*place] : std::string();
  };
  QDEDUP_ASSIGN_OR_RETURN(const QuestionId small_id, id_in(cell(0)));
  QDEDUP_ASSIGN_OR_RETURN(const QuestionId large_id, id_in(cell(1)));
  if (small_id == large_id) return data_error("both ids are " + std::to_string(small_id));
  QDEDUP_ASSIGN_OR_RETURN(const PairLabel label, parse_label(cell(2)));
  return LabelledPair{small_id, large_id, label, cell(3), cell(4)};
}

// The first row is the header.
Status take_row(import::DelimitedRows& rows, std::optional<PairHeader>& header,
                std::vector<LabelledPair>& pairs) {
  if (rows.problem()) return data_error(rows.problem()->reason);
  if (!header) {
    QDEDUP_ASSIGN_OR_RETURN(header, header_of(rows.fields()));
    return {};
  }
  QDEDUP_ASSIGN_OR_RETURN(LabelledPair pair, parse_pair(rows.fields(), *header));
  pairs.push_back(std::move(pair));
  return {};
}

}  // namespace

std::string_view label_name(PairLabel label) { return label_names[static_cast<std::size_t>(label)]; }

Result<std::vector<LabelledPair>> read_labelled_pairs(import::LineReader lines) {
  import::DelimitedRows rows(std::move(lines), import::QuestionFormat::tsv);
  const std::string& name = rows.lines().name();
  std::optional<PairHeader> header;
  std::vector<LabelledPair> pairs;
  while (true) {
    QDEDUP_ASSIGN_OR_RETURN(const bool more, rows.next());
    if (!more) break;
    Status taken = take_row(rows, header, pairs);
    if (!taken.ok()) {
      return std::move(taken).error().within(name + ":" + std::to_string(rows.lines().number()));
    }
  }
  if (!header) return data_error(name + ": there is no header");
  return pairs;
}

}  // namespace qdedup::review
