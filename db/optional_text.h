#pragma once

#include <optional>
#include <string>

#include <SQLiteCpp/SQLiteCpp.h>

namespace qdedup::db {

inline std::optional<std::string> optional_text(const SQLite::Column& column) {
  return column.isNull() ? std::nullopt : std::optional(column.getString());
}

inline void bind_optional(SQLite::Statement& statement, int index, const std::optional<std::string>& value) {
  if (value) {
    statement.bindNoCopy(index, *value);
  } else {
    statement.bind(index);
  }
}

}  // namespace qdedup::db
