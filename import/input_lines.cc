#include "import/input_lines.h"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "import/fields.h"
#include "logs/byte_source.h"
#include "logs/unpack.h"

namespace qdedup::import {
namespace {

Result<LineReader> open_standard_input(const logs::Files& files) {
  const std::string name = logs::StreamSource::standard_input;
  auto packed = files.standard_input();
  if (!packed.ok()) return std::move(packed).error();
  auto unpacked = logs::unpack(*std::move(packed), name);
  if (!unpacked.ok()) return std::move(unpacked).error();
  return LineReader(std::move(unpacked->source), 0, name);
}

std::string in_lower_case(std::string_view name) {
  std::string lower(name);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](char letter) {
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter + 32) : letter;
  });
  return lower;
}

}  // namespace

Result<LineReader> open_lines(const std::string& path, const logs::Files& files) {
  if (path == "-") return open_standard_input(files);
  const auto file = files.open(path);
  if (!file.ok()) return file.error();
  auto unpacked = logs::unpack(*file);
  if (!unpacked.ok()) return std::move(unpacked).error();
  return LineReader(std::move(unpacked->source), (*file)->size(), path);
}

std::optional<QuestionFormat> format_of_name(std::string_view path) {
  const std::string lower = in_lower_case(path);
  std::string_view name = lower;
  for (const std::string_view packed : {".gz", ".zst"}) {
    if (name.ends_with(packed)) name.remove_suffix(packed.size());
  }
  constexpr std::array<std::pair<std::string_view, QuestionFormat>, 6> endings = {{
      {".jsonl", QuestionFormat::jsonl},
      {".ndjson", QuestionFormat::jsonl},
      {".json", QuestionFormat::jsonl},
      {".csv", QuestionFormat::csv},
      {".tsv", QuestionFormat::tsv},
      {".tab", QuestionFormat::tsv},
  }};
  for (const auto& [ending, format] : endings) {
    if (name.ends_with(ending)) return format;
  }
  return std::nullopt;
}

QuestionFormat format_of_line(std::string_view line) {
  if (without_blanks(line).starts_with('{')) return QuestionFormat::jsonl;
  return line.find('\t') != std::string_view::npos ? QuestionFormat::tsv : QuestionFormat::csv;
}

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

Result<std::optional<std::string_view>> first_line(LineReader& lines) {
  while (true) {
    const auto more = lines.next();
    if (!more.ok()) return more.error();
    if (!*more) return std::optional<std::string_view>();
    if (!lines.too_long() && without_blanks(lines.text()).empty()) continue;
    lines.repeat();
    return std::optional(lines.text());
  }
}

}  // namespace qdedup::import
