#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace qdedup {

// What became of log lines. lines == selected + unselected + rejected_total(), always.
struct LineTotals {
  std::uint64_t lines = 0;
  std::uint64_t selected = 0;
  std::uint64_t unselected = 0;
  std::map<std::string, std::uint64_t> rejected;  // those that occur, by reason
  std::uint64_t nul_bytes = 0;                    // skipped at the start of lines

  [[nodiscard]] std::uint64_t rejected_total() const;
  // Several lines, not all blank, of which none could be used: a wrong file. A bad line alone is a bad line.
  [[nodiscard]] bool is_wrong_file() const;
  LineTotals& operator+=(const LineTotals& other);
};

}  // namespace qdedup
