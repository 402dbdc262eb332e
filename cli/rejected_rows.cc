#include "cli/rejected_rows.h"

#include <ostream>

#include "cli/number.h"

namespace qdedup::cli {
namespace {

constexpr std::uint64_t rows_told = 100;

}  // namespace

void RejectedRows::tell(std::uint64_t line, std::string_view reason, std::string_view detail) {
  if (++count_ > rows_told) return;
  std::ostream& err = session_.err();
  err << path_ << ':' << line << ": " << reason;
  if (!detail.empty()) err << " (" << detail << ')';
  err << '\n';
}

void RejectedRows::tell_rest() const {
  if (count_ <= rows_told) return;
  session_.err() << path_ << ": " << grouped(count_ - rows_told)
                 << " more rows were rejected; they are only counted\n";
}

}  // namespace qdedup::cli
