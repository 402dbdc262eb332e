#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "import/number_format.h"
#include "import/sheet_ml.h"

namespace qdedup::import {

// The part of a workbook with the number formats of its cells.
class CellStyles final : public SheetMlContent {
 public:
  CellStyles();

  // That of a cell's style; none if there is no such style.
  [[nodiscard]] std::optional<FormatEffect> effect(std::uint32_t style) const;

  // Whether a condition may give cells a number format that shows something else.
  [[nodiscard]] bool has_replacing_conditions() const { return has_replacing_conditions_; }

 private:
  Status begin(std::string_view element, std::string_view parent, const XmlAttributes& attributes) override;
  Status finish(std::string_view element) override;
  Status add_format(const XmlAttributes& attributes);
  [[nodiscard]] FormatEffect effect_of(std::uint32_t format) const;

  std::map<std::uint32_t, FormatEffect> formats_;
  std::vector<FormatEffect> named_;
  std::vector<FormatEffect> cells_;
  bool in_list_ = false;
  bool has_replacing_conditions_ = false;
};

}  // namespace qdedup::import
