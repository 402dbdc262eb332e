#include "markup/compared.h"

#include <string_view>
#include <utility>

#include "refine/duplicate_test.h"
#include "refine/parts.h"
#include "refine/unicode.h"

namespace qdedup::markup {
namespace {

// In the version of rules: the options that are not the default ones.
constexpr std::string_view with_markup = ", markup";
constexpr std::string_view without_numbers = ", no numbering";

}  // namespace

Compared compared(std::string_view text, std::optional<std::string_view> answer, const Options& options,
                  std::span<const std::string> images) {
  Compared compared;
  compared.text = text;
  compared.answer = answer;
  const bool is_unread = text.size() > max_imported_bytes || (answer && answer->size() > max_imported_bytes);
  if (!is_unread && !options.change_nothing()) {
    compared.found = extract(text, options, images);
    compared.text = std::exchange(compared.found.text, {});
    if (answer) compared.answer = extract(*answer, {options.markup, Numbering::keep}).text;
  }
  compared.is_too_long = is_unread || compared.text.size() > refine::max_compared_bytes ||
                         (compared.answer && compared.answer->size() > refine::max_compared_bytes);
  if (compared.is_too_long) compared.text.clear();
  if (options.markup == Reading::plain && !compared.text.empty()) {
    const std::string marks = image_marks(images);
    if (compared.text.size() + marks.size() <= refine::max_compared_bytes) compared.text += marks;
  }
  return compared;
}

std::string rules_version(const Options& options) {
  std::string version = refine::sign_rules_version() + ", up to " +
                        std::to_string(refine::max_compared_bytes) + " of " +
                        std::to_string(max_imported_bytes) + " bytes";
  if (options.change_nothing()) return version + ", images 2";
  version += ", text " + std::string(extraction_version());
  if (options.markup == Reading::automatic) version += with_markup;
  if (options.numbering == Numbering::drop) version += without_numbers;
  return version;
}

Options options_in(std::string_view rules_version) {
  const auto has = [&](std::string_view words) {
    return rules_version.find(words) != std::string_view::npos;
  };
  return {.markup = has(with_markup) ? Reading::automatic : Reading::plain,
          .numbering = has(without_numbers) ? Numbering::drop : Numbering::keep};
}

}  // namespace qdedup::markup
