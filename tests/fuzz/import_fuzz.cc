// Readers of questions over any bytes: whatever comes out keeps the promises of import/question_reader.h.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include <fuzzer/FuzzedDataProvider.h>

#include "base/utf8.h"
#include "import/question_reader.h"
#include "import/text_source.h"
#include "tests/support/memory_source.h"

namespace {

using namespace qdedup;
using namespace qdedup::import;

void require(bool condition) {
  if (!condition) std::abort();
}

bool is_clean(const std::string& text) { return is_utf8(text) && text.find('\0') == std::string::npos; }

void check(const Question& question) {
  require(question.id >= min_question_id);
  require(is_clean(question.text));
  require(is_clean(question.answer.value_or("")));
  for (const std::string& image : question.images) require(is_clean(image));
}

void check(const RowError& error) {
  require(!error.reason.empty());
  require(is_clean(error.detail) && error.detail.find('\n') == std::string::npos);
}

void read_all(QuestionReader& reader) {
  std::uint64_t last_line = 0;
  while (true) {
    const auto row = reader.next();
    if (!row.ok() || !row->has_value()) return;
    require((*row)->line > last_line);
    last_line = (*row)->line;
    std::visit([](const auto& content) { check(content); }, (*row)->content);
  }
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  FuzzedDataProvider provider(data, size);
  const std::optional<QuestionFormat> formats[] = {std::nullopt, QuestionFormat::jsonl, QuestionFormat::csv,
                                                   QuestionFormat::tsv};
  FileShape shape;
  shape.format = provider.PickValueInArray(formats);
  if (provider.ConsumeBool()) shape.encoding = provider.PickValueInArray(encodings);
  if (provider.ConsumeBool()) shape.columns = {"q", {"text", "A", "options"}, "id"};
  const bool only_ids = provider.ConsumeBool();
  const auto portion = provider.ConsumeIntegralInRange<std::size_t>(1, 64);
  auto source = std::make_unique<MemorySource>(provider.ConsumeRemainingBytesAsString(), portion);
  const auto reader =
      read_questions({std::move(source), 0, "memory"}, shape, only_ids ? RowUse::id : RowUse::question);
  if (reader.ok()) read_all(**reader);
  return 0;
}
