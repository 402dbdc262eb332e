#include "import/delimited_record.h"

#include <cstddef>

#include "import/fields.h"

namespace qdedup::import {
namespace {

std::string_view without_carriage_return(std::string_view record) {
  if (record.ends_with('\r')) record.remove_suffix(1);
  return record;
}

std::string& field_at(std::vector<std::string>& fields, std::size_t index) {
  if (index == fields.size()) fields.emplace_back();
  fields[index].clear();
  return fields[index];
}

// Moves the quoted text at the front of `rest` to `field`; `rest` goes on behind the closing quote.
bool take_quoted(std::string_view& rest, std::string& field) {
  rest.remove_prefix(1);
  while (true) {
    const std::size_t quote = rest.find('"');
    field += rest.substr(0, quote);
    if (quote == std::string_view::npos) return false;
    rest.remove_prefix(quote + 1);
    if (!rest.starts_with('"')) return true;
    field += '"';
    rest.remove_prefix(1);
  }
}

}  // namespace

std::optional<RowError> split_csv(std::string_view record, std::vector<std::string>& fields) {
  std::string_view rest = without_carriage_return(record);
  for (std::size_t count = 0;; rest.remove_prefix(1)) {
    std::string& field = field_at(fields, count++);
    if (rest.starts_with('"')) {
      if (!take_quoted(rest, field)) return row_error(reason::open_quote, field);
      if (!rest.empty() && rest.front() != ',')
        return row_error(reason::stray_quote, field + '"' + std::string(rest));
    } else {
      field = rest.substr(0, rest.find(','));
      if (field.find('"') != std::string::npos) return row_error(reason::stray_quote, field);
      rest.remove_prefix(field.size());
    }
    if (!rest.empty()) continue;
    fields.resize(count);
    return std::nullopt;
  }
}

void split_tsv(std::string_view record, std::vector<std::string>& fields) {
  std::string_view rest = without_carriage_return(record);
  std::size_t count = 0;
  while (true) {
    std::string& field = field_at(fields, count++);
    field = rest.substr(0, rest.find('\t'));
    rest.remove_prefix(field.size());
    if (rest.empty()) break;
    rest.remove_prefix(1);
  }
  fields.resize(count);
}

}  // namespace qdedup::import
