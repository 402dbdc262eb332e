// Workbooks of any bytes, and of parts of any bytes: what comes out keeps the promises of
// import/workbook_reader.h.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include <fuzzer/FuzzedDataProvider.h>

#include "base/utf8.h"
#include "import/workbook_limits.h"
#include "import/workbook_reader.h"
#include "tests/support/workbook_file.h"

namespace {

using namespace qdedup;

void require(bool condition) {
  if (!condition) std::abort();
}

// A whole file, or one whose parts are the pieces of the input between marks, by default those of a sound
// one.
std::string workbook_of(FuzzedDataProvider& input) {
  const auto kind = input.ConsumeIntegralInRange<int>(0, 3);
  std::string rest = input.ConsumeRemainingBytesAsString();
  if (kind == 0) return rest;
  if (kind == 1) return zip_of(workbook_parts(rest, "<si><t>a</t></si>", "<cellXfs><xf/></cellXfs>"));
  WorkbookParts parts = workbook_parts("");
  for (auto& [name, content] : parts) {
    if (rest.empty()) break;
    const std::size_t mark = rest.find("\n\n");
    content = rest.substr(0, mark);
    rest.erase(0, mark == std::string::npos ? mark : mark + 2);
  }
  if (kind == 3) parts.emplace_back(rest.empty() ? "a" : rest.substr(0, rest.find('\0')), "");
  return zip_of(parts);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  FuzzedDataProvider input(data, size);
  const auto file = file_of(workbook_of(input));
  require(file.ok());
  std::uint32_t number = 0;
  std::uint32_t row_before = 0;
  const Status status = import::read_workbook(
      *file,
      [&](const import::Sheet& sheet, import::SheetRow& row) {
        require(sheet.number >= number && !row.cells.empty() && row.row <= import::workbook_limits::rows);
        require(row.row > (sheet.number == number ? row_before : 0));
        number = sheet.number;
        row_before = row.row;
        std::uint32_t column = 0;
        for (const import::SheetCell& cell : row.cells) {
          require(cell.column > column && cell.column <= import::workbook_limits::columns &&
                  is_utf8(cell.text));
          column = cell.column;
        }
        return Status();
      },
      [&](const import::Sheet& sheet) {
        require(sheet.number >= number && is_utf8(sheet.name));
        return Status();
      });
  require(status.ok() || (status.error().code == ErrorCode::data && is_utf8(status.error().message)));
  return 0;
}
