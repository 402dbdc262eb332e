#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/question_id.h"
#include "db/bank_import.h"
#include "import/question_reader.h"
#include "markup/extract.h"

namespace qdedup::import {

// A row that cannot be used, and why.
struct BadRow {
  std::uint64_t line = 0;
  RowError error;
};

inline constexpr std::string_view other_names = "(others)";

// Adds to `all` how often commands and tags without a rule were found. Long names are cut; where ten thousand
// stand already, all further ones count as `other_names`.
void count_unknown(const std::map<std::string, std::uint64_t>& found,
                   std::map<std::string, std::uint64_t>& all);

// The markup found in some texts.
struct MarkupCounts {
  std::uint64_t texts = 0;  // examined
  std::uint64_t html = 0;   // of those
  std::uint64_t formulas = 0;
  std::uint64_t figures = 0;
  std::uint64_t any = 0;
  std::map<std::string, std::uint64_t> unknown;  // commands and tags without a rule, with their frequency

  void add(const markup::Extracted& extracted);
  MarkupCounts& operator+=(const MarkupCounts& other);
};

// Some rows of a file, ready for the bank.
struct RowBatch {
  std::vector<db::BankQuestion> questions;
  std::vector<std::uint64_t> lines;  // where each question begins
  db::CharacterSums characters;      // of all of them
  MarkupCounts markup;
  std::vector<BadRow> bad_rows;
  std::uint64_t bytes_read = 0;  // of the file, up to the last row or slightly beyond
  std::optional<Error> error;    // that ended the reading after these rows
  bool is_last = false;
  bool is_split = false;  // more rows from the same lines follow in a later batch; it may have none itself
};

// Whether its ids are in no order. If stored as they come, such rows would cost a page of the bank each.
bool is_scattered(const RowBatch& batch);

// Reads up to `most_rows` rows, fewer if they are long, without fingerprints, sketches and characters.
RowBatch read_batch(QuestionReader& reader, std::size_t most_rows);

}  // namespace qdedup::import
