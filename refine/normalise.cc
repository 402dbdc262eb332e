#include "refine/normalise.h"

#include <cstddef>
#include <utility>

#include "refine/normal_forms.h"
#include "refine/unicode.h"

namespace qdedup::refine {
namespace {

// Normalises a text one code point after another, into whatever `Output` is.
template <class Output>
class Normaliser {
 public:
  Normaliser(std::u32string_view text, Output& output) : text_(text), output_(output) {}

  // False if the normal form is not that of the code points one by one, or the output is full. Han characters
  // and punctuation take the same branch, as which comes next cannot be predicted.
  bool run() {
    for (std::size_t at = 0; at < text_.size(); ++at) {
      const char32_t single = forms_.single(text_[at]);
      if (single != NormalForms::no_single) {
        put_single(single);
      } else if (!take(text_[at], text_.size() - at - 1)) {
        return false;
      }
    }
    return true;
  }

 private:
  // A code point that comes without mark.
  void put_single(char32_t code_point) {
    output_.put(code_point);
    run_mark_ = 0;
  }

  // `left` code points of the text follow.
  bool take(char32_t code_point, std::size_t left) {
    const NormalForms::Form form = forms_[code_point];
    if (form == NormalForms::in_context) return false;
    if (form == NormalForms::itself) {
      put_single(code_point);
      return true;
    }
    const NormalForms::Replacement& replacement = forms_.replacement(form);
    if (!output_.has_room(1 + replacement.text.size() + left)) return false;
    if (replacement.run_mark != 0 && replacement.run_mark != run_mark_) output_.put(replacement.run_mark);
    run_mark_ = replacement.run_mark;
    for (const char32_t c : replacement.text) output_.put(c);
    return true;
  }

  const NormalForms& forms_ = NormalForms::instance();
  std::u32string_view text_;
  Output& output_;
  char32_t run_mark_ = 0;  // of the code point before
};

// Room for as many code points as the text has.
struct Buffer {
  char32_t* next;
  char32_t* end;

  void put(char32_t code_point) { *next++ = code_point; }
  [[nodiscard]] bool has_room(std::size_t count) const {
    return count <= static_cast<std::size_t>(end - next);
  }
};

struct String {
  std::u32string text;

  void put(char32_t code_point) { text.push_back(code_point); }
  static bool has_room(std::size_t /*count*/) { return true; }
};

}  // namespace

std::u32string normalise(std::string_view text) { return normalise(DecodedText(text).code_points()); }

std::u32string normalise(std::u32string_view text) {
  String result;
  result.text.reserve(text.size());
  if (!Normaliser(text, result).run()) return icu_normalise(text);
  return std::move(result.text);
}

std::optional<std::u32string_view> normalise_in(std::span<char32_t> room, std::u32string_view text) {
  Buffer result{room.data(), room.data() + room.size()};
  if (!Normaliser(text, result).run()) return std::nullopt;
  return std::u32string_view(room.data(), result.next);
}

}  // namespace qdedup::refine
