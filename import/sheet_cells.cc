#include "import/sheet_cells.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "base/parse_number.h"
#include "import/number_format.h"
#include "import/question_reader.h"
#include "import/sheet_ml.h"
#include "import/workbook_limits.h"

namespace qdedup::import {
namespace {

// So small that nothing of it can be seen: a height in points, or a width in characters.
bool is_invisible(const std::optional<std::string_view>& size) {
  const auto number = size ? parse_number<double>(*size) : std::nullopt;
  return number && !(*number >= 1);
}

struct CellPlace {
  std::uint32_t column = 0;
  std::uint32_t row = 0;
};

std::optional<CellPlace> place_of(std::string_view reference) {
  CellPlace place;
  while (!reference.empty() && is_capital(reference.front())) {
    place.column = place.column * 26 + static_cast<std::uint32_t>(reference.front() - 'A') + 1;
    if (place.column > workbook_limits::columns) return std::nullopt;
    reference.remove_prefix(1);
  }
  const auto row = parse_number<std::uint32_t>(reference);
  if (place.column == 0 || !row || *row == 0 || *row > workbook_limits::rows) return std::nullopt;
  place.row = *row;
  return place;
}

std::optional<CellRange> range_of(std::string_view reference) {
  const std::size_t colon = reference.find(':');
  const auto first = place_of(reference.substr(0, colon));
  const auto last = colon == std::string_view::npos ? first : place_of(reference.substr(colon + 1));
  if (!first || !last || first->column > last->column || first->row > last->row) return std::nullopt;
  return CellRange{first->row, last->row, first->column, last->column};
}

class SheetContent final : public SheetMlContent {
 public:
  SheetContent(Sheet& sheet, OfficePackage& package, const CellStyles& styles, const SharedTexts& shared,
               const TakeSheetRow& take)
      : SheetMlContent("worksheet", grammar),
        sheet_(sheet),
        package_(package),
        styles_(styles),
        shared_(shared),
        take_(take) {}

 private:
  static constexpr std::array grammar = {
      Nesting{"c", "row", Nesting::closed},
      Nesting{"v", "c", Nesting::closed},
      Nesting{"row", "sheetData", Nesting::closed},
      Nesting{"f", "c", Nesting::closed},
      Nesting{"is", "c", Nesting::closed},
      Nesting{"t", "is", Nesting::closed},
      Nesting{"r", "is", Nesting::closed},
      Nesting{"t", "r", Nesting::closed},
      Nesting{"rPh", "is", Nesting::closed},
      Nesting{"t", "rPh", Nesting::closed},
      Nesting{"sheetPr", "worksheet"},
      Nesting{"sheetFormatPr", "worksheet"},
      Nesting{"cols", "worksheet"},
      Nesting{"col", "cols"},
      Nesting{"sheetData", "worksheet", Nesting::once},
      Nesting{"mergeCells", "worksheet"},
      Nesting{"mergeCell", "mergeCells"},
      Nesting{"autoFilter", "*"},
      Nesting{"filterColumn", "*"},
      Nesting{"conditionalFormatting", "*"},
      Nesting{"numFmt", "*"},
      Nesting{"dataBar", "*"},
      Nesting{"iconSet", "*"},
  };

  // The cell that is being read.
  struct OpenCell {
    std::uint32_t column = 0;
    std::string type;
    std::string value;
    FormatEffect effect;
    bool has_value = false;
    bool has_runs = false;
    bool is_formula = false;
    bool is_rich = false;
  };

  Status begin(std::string_view element, std::string_view parent, const XmlAttributes& attributes) override {
    if (element == "sheetData") has_rows_ = true;
    if (has_rows_ && (element == "sheetPr" || element == "sheetFormatPr" || element == "cols"))
      return bad_workbook("says after its rows how they are shown");
    if (element == "c") return begin_cell(attributes);
    if (element == "v") return expect_first(cell_.has_value);
    if (element == "row") return begin_row(attributes);
    if (element == "f") return begin_formula(attributes);
    if (element == "is") return expect_first(cell_.has_runs);
    if (element == "col") return add_columns(attributes);
    if (element == "mergeCell") return add_range(sheet_.merged, attributes.find("ref").value_or(""));
    if (element == "sheetPr" && is_true(attributes.find("filterMode"))) sheet_.is_filtered = true;
    if (element == "autoFilter") in_filter_ = parent == "worksheet";  // those of other views do not count
    if (element == "filterColumn" && in_filter_) sheet_.is_filtered = true;
    if (element == "sheetFormatPr") {
      hides_rows_ =
          is_true(attributes.find("zeroHeight")) || is_invisible(attributes.find("defaultRowHeight"));
      if (is_invisible(attributes.find("defaultColWidth"))) return bad_workbook("hides columns by default");
    }
    if (element == "conditionalFormatting" && styles_.has_replacing_conditions()) return bad_condition();
    if (element == "numFmt") {  // of a condition
      const FormatEffect effect = effect_of_code(attributes.find("formatCode").value_or(""));
      if (!effect.shows_texts || !effect.shows_numbers) return bad_condition();
    }
    if ((element == "dataBar" || element == "iconSet") && attributes.find("showValue") &&
        !is_true(attributes.find("showValue"))) {
      return bad_condition();
    }
    return runs_.begin(element, parent);
  }

  Status finish(std::string_view element) override {
    runs_.finish(element);
    if (element == "c") return finish_cell();
    if (element != "row" || row_.cells.empty()) return {};
    return take_(sheet_, row_);
  }

  Status add_text(std::string_view element, std::string_view characters) override {
    if (element == "v") cell_.value += characters;
    if (element == "t") runs_.add(characters);
    return element == "v" || element == "t" ? add_bytes(characters.size()) : Status();
  }

  Status expect_first(bool& is_there) {
    if (std::exchange(is_there, true)) return bad_cell("has two values");
    return {};
  }

  static Error bad_condition() {
    return bad_workbook("has a conditional format that may show something else: remove it");
  }

  [[nodiscard]] Error bad_cell(const std::string& reason) const {
    return bad_workbook(cell_name(cell_.column, row_.row) + ": " + reason);
  }

  Status add_range(std::vector<CellRange>& ranges, std::string_view reference) {
    const auto range = range_of(reference);
    if (!range) return bad_workbook("has a range that is none: " + excerpt(reference));
    if (ranges.size() == workbook_limits::ranges) return bad_workbook("has too many ranges of cells");
    ranges.push_back(*range);
    return {};
  }

  Status add_columns(const XmlAttributes& attributes) {
    const auto first = parse_number<std::uint32_t>(attributes.find("min").value_or(""));
    const auto last = parse_number<std::uint32_t>(attributes.find("max").value_or(""));
    if (!first || !last || *first == 0 || *first > *last || *last > workbook_limits::columns)
      return bad_workbook("has columns that are none");
    if (!is_true(attributes.find("hidden")) && !is_invisible(attributes.find("width"))) return {};
    if (sheet_.hidden_columns.size() == workbook_limits::ranges) return bad_workbook("has too many columns");
    sheet_.hidden_columns.push_back({1, workbook_limits::rows, *first, *last});
    return {};
  }

  Status begin_row(const XmlAttributes& attributes) {
    const auto given = attributes.find("r");
    const auto number =
        given ? parse_number<std::uint32_t>(*given) : std::optional<std::uint32_t>(row_.row + 1);
    if (!number || *number <= row_.row || *number > workbook_limits::rows) {
      return bad_workbook("row " + std::to_string(row_.row) + " is followed by row " +
                          excerpt(given.value_or("")));
    }
    row_.row = *number;
    row_.is_hidden = is_true(attributes.find("hidden")) || is_invisible(attributes.find("ht")) || hides_rows_;
    row_.cells.clear();
    row_bytes_ = 0;
    cell_ = {};
    return {};
  }

  Status begin_cell(const XmlAttributes& attributes) {
    CellPlace place{cell_.column + 1, row_.row};
    if (const auto given = attributes.find("r")) {
      const auto named = place_of(*given);
      if (!named || named->row != row_.row || named->column < place.column) {
        return bad_workbook("row " + std::to_string(row_.row) + ": the cell " + excerpt(*given) +
                            " is out of order, or of another row");
      }
      place = *named;
    }
    cell_ = {};
    cell_.column = place.column;
    if (place.column > workbook_limits::columns) return bad_cell("lies beyond the last column");
    cell_.type = attributes.find("t").value_or("n");
    const auto style = parse_number<std::uint32_t>(attributes.find("s").value_or("0"));
    const auto effect = style ? styles_.effect(*style) : std::nullopt;
    if (!effect) return bad_cell("has a style that is not there");
    cell_.effect = *effect;
    cell_.is_rich = attributes.find("vm").has_value();
    (void)runs_.take();
    return {};
  }

  Status begin_formula(const XmlAttributes& attributes) {
    if (std::exchange(cell_.is_formula, true)) return bad_cell("has two formulas");
    const std::string_view kind = attributes.find("t").value_or("normal");
    const auto range = attributes.find("ref");
    if (!range || (kind != "array" && kind != "dataTable")) return {};
    return add_range(sheet_.formulas, *range);
  }

  Status add_bytes(std::size_t bytes) {
    row_bytes_ += bytes;
    if (row_bytes_ <= workbook_limits::row_bytes) return {};
    return bad_workbook("row " + std::to_string(row_.row) + " has more than 16 MiB");
  }

  Status finish_cell() {
    if (cell_.type == "inlineStr" ? cell_.has_value : cell_.has_runs)
      return bad_cell("has a value of another type");
    const bool is_text = cell_.type == "str" || cell_.type == "inlineStr";
    cell_.has_value = cell_.has_value && (is_text || !cell_.value.empty());
    SheetCell cell{cell_.column, {}, {}};
    if (!cell_.has_value && !cell_.has_runs && !cell_.is_formula) return {};
    if (cell_.has_value || cell_.has_runs) QDEDUP_TRY(take_value(cell));
    if (is_longer_than_a_cell(cell.text)) cell.problem = cell_problem::too_long;
    if (cell_.is_rich) cell.problem = cell_problem::rich;
    if (cell_.is_formula) cell.problem = cell_problem::formula;
    row_.cells.push_back(std::move(cell));
    return {};
  }

  // By the type of the cell.
  Status take_value(SheetCell& cell) {
    const std::string_view type = cell_.type;
    if (type == "inlineStr" || type == "str") {
      cell.text = type == "str" ? without_escapes(std::move(cell_.value)) : runs_.take();
    } else if (type == "s") {
      const std::string* const text = shared_.find(cell_.value);
      if (text == nullptr) return bad_cell("refers to a text that is not there");
      QDEDUP_TRY(add_bytes(text->size()));
      QDEDUP_TRY(package_.count_unpacked(text->size()));
      cell.text = *text;
    } else if (type == "n") {
      return take_number(cell);
    } else if (type == "b") {
      if (cell_.value != "0" && cell_.value != "1") return bad_cell("has a truth that is none");
      cell.text = cell_.value == "1" ? "TRUE" : "FALSE";
    } else if (type == "e" || type == "d") {
      cell.text = std::move(cell_.value);
      cell.problem = type == "e" ? cell_problem::error : cell_problem::format;
    } else {
      return bad_cell("has a value of an unknown type");
    }
    if (!cell_.effect.shows_texts) cell.problem = cell_problem::format;
    return {};
  }

  Status take_number(SheetCell& cell) {
    const auto number = parse_number<double>(cell_.value);
    if (!number || !std::isfinite(*number)) return bad_cell("has a number that is none");
    constexpr double most_digits = 1e15;
    if (std::abs(*number) >= most_digits) {
      cell.problem = cell_problem::rounded;
    } else if (*number == std::trunc(*number)) {
      cell_.value = std::to_string(static_cast<std::int64_t>(*number));
    }
    cell.text = std::move(cell_.value);
    if (!cell_.effect.shows_numbers) cell.problem = cell_problem::format;
    return {};
  }

  Sheet& sheet_;
  OfficePackage& package_;
  const CellStyles& styles_;
  const SharedTexts& shared_;
  const TakeSheetRow& take_;
  SheetRow row_;
  OpenCell cell_;
  TextRuns runs_;
  std::size_t row_bytes_ = 0;
  bool has_rows_ = false;
  bool hides_rows_ = false;
  bool in_filter_ = false;
};

}  // namespace

Status read_cells(OfficePackage& package, const std::string& part, const CellStyles& styles,
                  const SharedTexts& shared, Sheet& sheet, const TakeSheetRow& take) {
  SheetContent content(sheet, package, styles, shared, take);
  return package.read(part, content);
}

}  // namespace qdedup::import
