#include "review/csv_cell.h"

namespace qdedup::review {

std::string without_formula(std::string_view text) {
  constexpr std::string_view starters = "=+-@\t\r";
  const bool formula = !text.empty() && starters.find(text.front()) != std::string_view::npos;
  return (formula ? "'" : "") + std::string(text);
}

std::string csv_cell(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string cell = "\"";
  for (const char c : text) {
    if (c == '"') cell += '"';
    cell += c;
  }
  return cell + '"';
}

}  // namespace qdedup::review
