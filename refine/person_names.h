#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "refine/code_point_table.h"

namespace qdedup::refine {

// Names of people as stories make them up: 小明, 李红, 王小刚, 张老师, 兰兰.
class PersonNames {
 public:
  void add_surname(char32_t surname) { surnames_.set(surname, 1); }
  void add_given(char32_t given) { given_.set(given, 1); }
  void add_title(std::u32string title) { titles_.insert(std::move(title)); }

  // The length of the name that `text` begins with; 0 for none.
  [[nodiscard]] std::size_t length_at_start(std::u32string_view text) const;

 private:
  [[nodiscard]] bool is_surname(char32_t c) const { return surnames_[c] != 0; }
  [[nodiscard]] bool is_given(char32_t c) const { return given_[c] != 0; }
  [[nodiscard]] std::size_t title_length(std::u32string_view text) const;
  [[nodiscard]] std::size_t after_surname(std::u32string_view text) const;

  HanTable<std::uint8_t> surnames_;
  HanTable<std::uint8_t> given_;
  std::unordered_set<std::u32string> titles_;  // two characters each
};

}  // namespace qdedup::refine
