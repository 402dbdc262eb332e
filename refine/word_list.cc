#include "refine/word_list.h"

#include "base/utf8.h"
#include "refine/unicode.h"

namespace qdedup::refine {
namespace {

Error list_error(std::string_view file, std::size_t line, std::string_view message) {
  return {ErrorCode::data, std::string(file) + ":" + std::to_string(line) + ": " + std::string(message)};
}

std::vector<std::u32string> words_of(std::string_view line) {
  constexpr std::string_view white = " \t\r";
  std::vector<std::u32string> words;
  std::size_t begin = line.find_first_not_of(white);
  while (begin != std::string_view::npos) {
    const std::size_t end = std::min(line.find_first_of(white, begin), line.size());
    words.push_back(to_utf32(line.substr(begin, end - begin)));
    begin = line.find_first_not_of(white, end);
  }
  return words;
}

}  // namespace

Result<std::vector<WordLine>> read_word_list(std::string_view file, std::string_view text) {
  if (!text.starts_with("# ")) return list_error(file, 1, "no comment that says where the words come from");
  std::vector<WordLine> lines;
  std::size_t number = 0;
  while (!text.empty()) {
    ++number;
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!is_utf8(line)) return list_error(file, number, "not UTF-8");
    if (line.starts_with('#')) continue;
    if (std::vector<std::u32string> words = words_of(line); !words.empty()) {
      lines.push_back({number, std::move(words)});
    }
  }
  if (lines.empty()) return list_error(file, number, "no words");
  return lines;
}

}  // namespace qdedup::refine
