// Workbooks of any bytes, and of parts of any bytes: what comes out keeps the promises of
// import/workbook_reader.h.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include <fuzzer/FuzzedDataProvider.h>

#include "base/utf8.h"
#include "import/workbook_reader.h"
#include "tests/support/workbook_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace qdedup;
  const auto require = [](bool condition) {
    if (!condition) std::abort();
  };
  FuzzedDataProvider input(data, size);
  std::string bytes;
  if (input.ConsumeBool()) {
    bytes = input.ConsumeRemainingBytesAsString();
  } else {
    const std::string shared = input.ConsumeRandomLengthString(size);
    bytes = zip_of({{"xl/sharedStrings.xml", shared},
                    {"xl/worksheets/sheet1.xml", input.ConsumeRemainingBytesAsString()}});
  }
  const auto file = file_of(bytes);
  require(file.ok());
  const Status status = import::read_workbook(*file, [&](import::SheetRow& row) {
    require(row.sheet > 0 && row.cells.size() <= 4096);
    for (const import::SheetCell& cell : row.cells) require(is_utf8(cell.text));
    return Status();
  });
  require(status.ok() || status.error().code == ErrorCode::data);
  return 0;
}
