#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "base/parse_number.h"
#include "base/result.h"
#include "import/number_format.h"
#include "import/sheet_ml.h"
#include "import/workbook_limits.h"

namespace qdedup::import {

// The part of a workbook with the number formats of its cells.
class CellStyles final : public SheetMlContent {
 public:
  CellStyles() : SheetMlContent("styleSheet", grammar) {}

  // That of a cell's style; none if there is no such style.
  [[nodiscard]] std::optional<FormatEffect> effect(std::uint32_t style) const {
    const bool is_default = cells_.empty() && style == 0;
    if (!is_default && style >= cells_.size()) return std::nullopt;
    return is_default ? FormatEffect{} : cells_[style];
  }

  // Whether a condition may give cells a number format that shows something else.
  [[nodiscard]] bool has_replacing_conditions() const { return has_replacing_conditions_; }

 private:
  static constexpr std::array grammar = {
      Nesting{"numFmts", "styleSheet"}, Nesting{"cellStyleXfs", "styleSheet", Nesting::once},
      Nesting{"xf", "cellStyleXfs"},    Nesting{"cellXfs", "styleSheet", Nesting::once},
      Nesting{"xf", "cellXfs"},         Nesting{"numFmt", "*"}};

  static std::uint32_t number_in(const XmlAttributes& attributes, std::string_view name) {
    return parse_number<std::uint32_t>(attributes.find(name).value_or("0")).value_or(UINT32_MAX);
  }

  Status begin(std::string_view element, std::string_view parent, const XmlAttributes& attributes) override {
    if (element == "numFmt") return add_format(attributes);
    if (element == "numFmts") in_list_ = true;
    if (element != "xf") return {};
    std::vector<FormatEffect>& styles = parent == "cellXfs" ? cells_ : named_;
    if (styles.size() == workbook_limits::styles) return bad_sheet("has too many styles");
    FormatEffect effect = effect_of(number_in(attributes, "numFmtId"));
    // Some programs show a cell by the named style where its own format is not said to apply.
    const std::uint32_t named = number_in(attributes, "xfId");
    if (parent == "cellXfs" && named < named_.size()) effect = both(effect, named_[named]);
    styles.push_back(effect);
    return {};
  }

  Status finish(std::string_view element) override {
    if (element == "numFmts") in_list_ = false;
    return {};
  }

  // Elsewhere than in their list, formats are those of conditions. In it, Excel gives some in two ways, as
  // alternate contents: what one of them hides is hidden.
  Status add_format(const XmlAttributes& attributes) {
    const FormatEffect effect = effect_of_code(attributes.find("formatCode").value_or(""));
    if (!in_list_) {
      if (!effect.shows_texts || !effect.shows_numbers) has_replacing_conditions_ = true;
      return {};
    }
    FormatEffect& all = formats_[number_in(attributes, "numFmtId")];
    all = both(all, effect);
    return formats_.size() > workbook_limits::styles ? bad_sheet("has too many number formats") : Status();
  }

  static FormatEffect both(const FormatEffect& one, const FormatEffect& other) {
    return {one.shows_texts && other.shows_texts, one.shows_numbers && other.shows_numbers};
  }

  [[nodiscard]] FormatEffect effect_of(std::uint32_t format) const {
    const auto own = formats_.find(format);
    return own == formats_.end() ? effect_of_built_in(format) : own->second;
  }

  std::map<std::uint32_t, FormatEffect> formats_;
  std::vector<FormatEffect> named_;
  std::vector<FormatEffect> cells_;
  bool in_list_ = false;
  bool has_replacing_conditions_ = false;
};

}  // namespace qdedup::import
