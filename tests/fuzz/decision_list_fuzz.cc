// Lists that come back, of any bytes: what comes out keeps the promises of review/decision_list.h.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>

#include <fuzzer/FuzzedDataProvider.h>

#include "base/utf8.h"
#include "review/decision_list.h"
#include "tests/support/memory_source.h"

namespace {

using namespace qdedup;

void require(bool condition) {
  if (!condition) std::abort();
}

bool is_clean(const std::string& text) { return is_utf8(text) && text.find('\0') == std::string::npos; }

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  FuzzedDataProvider input(data, size);
  const auto use = input.ConsumeBool() ? review::ListUse::decisions : review::ListUse::questions;
  const std::string name = input.PickValueInArray({"a", "a.csv", "a.tsv", "a.jsonl"});
  const std::size_t portion = input.ConsumeIntegralInRange<std::size_t>(1, 64);
  auto source = std::make_unique<MemorySource>(input.ConsumeRemainingBytesAsString(), portion);
  const Status status = review::read_list(
      import::LineReader(std::move(source), size, name), use,
      [&](const review::ListedRow& row) {
        require(row.place.line > 0 && row.question >= min_question_id);
        require(!row.keeper || *row.keeper >= min_question_id);
        require(use == review::ListUse::questions || row.keeper);
        require(is_clean(row.decision) && is_clean(row.note));
        require(is_clean(row.question_text.value_or("")) && is_clean(row.keeper_text.value_or("")));
        return Status();
      },
      [](const review::ListPlace& place, const import::RowError& error) {
        require(place.line > 0 && is_clean(review::shown(error)));
      });
  require(status.ok() || status.error().code == ErrorCode::data);
  return 0;
}
