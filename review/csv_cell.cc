#include "review/csv_cell.h"

namespace qdedup::review {
namespace {

bool starts_formula(std::string_view text) {
  constexpr std::string_view starters = "=+-@\t\r";
  return !text.empty() && starters.find(text.front()) != std::string_view::npos;
}

}  // namespace

std::string without_formula(std::string_view text) {
  return (starts_formula(text) ? "'" : "") + std::string(text);
}

std::string without_guard(std::string_view cell) {
  const bool guarded = cell.starts_with('\'') && starts_formula(cell.substr(1));
  return std::string(guarded ? cell.substr(1) : cell);
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
