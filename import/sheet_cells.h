#pragma once

#include <string>

#include "base/result.h"
#include "import/cell_styles.h"
#include "import/cell_texts.h"
#include "import/office_package.h"
#include "import/workbook_reader.h"

namespace qdedup::import {

// Reads the part of one worksheet: passes its rows to `take`, and notes in `sheet` what stands around them.
Status read_cells(OfficePackage& package, const std::string& part, const CellStyles& styles,
                  const SharedTexts& shared, Sheet& sheet, const TakeSheetRow& take);

}  // namespace qdedup::import
