#include "import/workbook_reader.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <utility>

#include "import/cell_styles.h"
#include "import/cell_texts.h"
#include "import/office_package.h"
#include "import/question_reader.h"
#include "import/sheet_cells.h"
#include "import/sheet_ml.h"
#include "import/workbook_limits.h"

namespace qdedup::import {
namespace {

// With the relation that leads to it, and later its part.
using SheetWithPart = std::pair<Sheet, std::string>;

// The sheets in order, with their relations.
class WorkbookContent final : public SheetMlContent {
 public:
  WorkbookContent() : SheetMlContent("workbook", grammar) {}

  std::vector<SheetWithPart> take() { return std::move(sheets_); }

 private:
  static constexpr std::array grammar = {Nesting{"sheets", "workbook", Nesting::once},
                                         Nesting{"sheet", "sheets", Nesting::closed}};

  Status begin(std::string_view element, std::string_view /*parent*/,
               const XmlAttributes& attributes) override {
    if (element != "sheet") return {};
    const auto relation =
        attributes.find("id", "http://schemas.openxmlformats.org/officeDocument/2006/relationships");
    const auto strict = attributes.find("id", "http://purl.oclc.org/ooxml/officeDocument/relationships");
    if (relation.has_value() == strict.has_value())
      return bad_workbook("has a sheet that is nowhere, or twice");
    if (sheets_.size() == workbook_limits::sheets) return bad_workbook("has more than 1,000 sheets");
    const std::string_view name = attributes.find("name").value_or("");
    const std::string_view id = relation ? *relation : *strict;
    if (std::max(name.size(), id.size()) > workbook_limits::name_bytes)
      return bad_workbook("has a sheet whose name is too long");
    Sheet sheet;
    sheet.number = static_cast<std::uint32_t>(sheets_.size() + 1);
    sheet.name = name;
    sheet.is_hidden = attributes.find("state").value_or("visible") != "visible";
    sheets_.emplace_back(std::move(sheet), id);
    return {};
  }

  std::vector<SheetWithPart> sheets_;
};

// A table that lies over cells; it may have a filter of its own.
class TableContent final : public SheetMlContent {
 public:
  TableContent() : SheetMlContent("table", grammar) {}

  [[nodiscard]] bool is_filtered() const { return is_filtered_; }

 private:
  static constexpr std::array grammar = {Nesting{"autoFilter", "table"},
                                         Nesting{"filterColumn", "autoFilter"}};

  Status begin(std::string_view element, std::string_view /*parent*/,
               const XmlAttributes& /*attributes*/) override {
    is_filtered_ = is_filtered_ || element == "filterColumn";
    return {};
  }

  bool is_filtered_ = false;
};

Status look_for_filters(OfficePackage& package, const std::string& part, Sheet& sheet) {
  QDEDUP_ASSIGN_OR_RETURN(const std::vector<PartRelation> relations, package.relations_of(part));
  for (const PartRelation& relation : relations) {
    if (relation.kind != "table" || sheet.is_filtered) continue;
    TableContent table;
    QDEDUP_TRY(package.read(relation.part, table));
    sheet.is_filtered = table.is_filtered();
  }
  return {};
}

// The only part of a kind that `part` refers to, if it refers to one.
Status read_optional(OfficePackage& package, const std::vector<PartRelation>& relations,
                     const std::string& kind, XmlContent& content) {
  QDEDUP_ASSIGN_OR_RETURN(const std::optional<std::string> part, package.only_part(relations, kind));
  return part ? package.read(*part, content) : Status();
}

// The worksheets with their parts, in order.
Result<std::vector<SheetWithPart>> sheets_of(OfficePackage& package, const std::string& workbook,
                                             const std::vector<PartRelation>& relations) {
  WorkbookContent content;
  QDEDUP_TRY(package.read(workbook, content));
  std::vector<SheetWithPart> sheets;
  std::set<std::string> parts;
  for (auto& [sheet, id] : content.take()) {
    const auto relation = std::ranges::find(relations, id, &PartRelation::id);
    const std::string shown = "sheet " + excerpt(sheet.name, 100);
    if (relation == relations.end()) return bad_workbook(shown + " is nowhere");
    if (relation->kind != "worksheet") continue;  // such as a chart
    if (relation->part.empty() || !parts.insert(relation->part).second)
      return bad_workbook(shown + " is in another file, or twice in this one");
    sheets.emplace_back(std::move(sheet), relation->part);
  }
  return sheets;
}

Status read_sheets(const logs::RegularFile& file, const TakeSheetRow& take, const EndSheet& end) {
  QDEDUP_ASSIGN_OR_RETURN(OfficePackage package, OfficePackage::open(file));
  QDEDUP_ASSIGN_OR_RETURN(const std::vector<PartRelation> roots, package.relations_of(""));
  QDEDUP_ASSIGN_OR_RETURN(const std::optional<std::string> workbook,
                          OfficePackage::only_part(roots, "officeDocument"));
  if (!workbook) return bad_workbook("is no XLSX workbook");
  QDEDUP_ASSIGN_OR_RETURN(const std::vector<PartRelation> relations, package.relations_of(*workbook));
  QDEDUP_ASSIGN_OR_RETURN(auto sheets, sheets_of(package, *workbook, relations));
  CellStyles styles;
  QDEDUP_TRY(read_optional(package, relations, "styles", styles));
  SharedTexts shared;
  QDEDUP_TRY(read_optional(package, relations, "sharedStrings", shared));
  for (auto& [sheet, part] : sheets) {
    QDEDUP_TRY(read_cells(package, part, styles, shared, sheet, take));
    QDEDUP_TRY(look_for_filters(package, part, sheet));
    QDEDUP_TRY(end(sheet));
  }
  return {};
}

}  // namespace

bool Sheet::hides(std::uint32_t column) const {
  return std::ranges::any_of(hidden_columns, [column](const CellRange& range) {
    return range.first_column <= column && column <= range.last_column;
  });
}

std::string cell_name(std::uint32_t column, std::uint32_t row) {
  std::string letters;
  for (std::uint32_t rest = column; rest > 0; rest = (rest - 1) / 26)
    letters.insert(letters.begin(), static_cast<char>('A' + (rest - 1) % 26));
  return letters + std::to_string(row);
}

bool is_workbook(std::string_view first_bytes) { return first_bytes.starts_with("PK\x03\x04"); }

Status read_workbook(const logs::RegularFile& file, const TakeSheetRow& take, const EndSheet& end) {
  std::optional<Error> refused;  // by the caller, who words it
  const auto noted = [&refused](Status status) {
    if (!status.ok()) refused = status.error();
    return status;
  };
  Status done = read_sheets(
      file, [&](const Sheet& sheet, SheetRow& row) { return noted(take(sheet, row)); },
      [&](const Sheet& sheet) { return noted(end(sheet)); });
  if (refused) return *refused;
  if (done.ok() || done.error().code != ErrorCode::data) return done;
  return bad_workbook(file.path() + ": " + done.error().message +
                      ": save it as .xlsx again, or as CSV UTF-8");
}

}  // namespace qdedup::import
