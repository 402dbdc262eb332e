// Any text, in all readings: what is extracted is well-formed where the text is, holds no marks, and is the
// same when it is extracted again; what is drawn is nested right, and not deep. The first byte chooses the
// options.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "base/utf8.h"
#include "markup/display.h"
#include "markup/extract.h"
#include "markup/html_tokenizer.h"
#include "markup/marks.h"

namespace {

using namespace qdedup::markup;

void require(bool condition) {
  if (!condition) std::abort();
}

// The tokens of a page cover it in order.
void check_tokens(std::string_view page, HtmlTokenizer::Reading reading) {
  HtmlTokenizer tokenizer(page, reading);
  HtmlToken token;
  const char* before = page.data();
  while (tokenizer.next(token)) {
    if (token.text.empty()) continue;
    require(token.text.data() >= before);
    before = token.text.data() + token.text.size();
    require(before <= page.data() + page.size());
  }
}

// Every element ends, and shows a part of the text that it is of.
void check_drawing(std::string_view text, const std::vector<std::string>& images,
                   const std::string& extracted) {
  const Display display = draw(text, images);
  require(display.text.size() == display.compared.size());
  require(display.pieces.size() <= 16 * text.size() + 16);
  std::size_t depth = 0;
  for (const Piece& piece : display.pieces) {
    require(piece.begin <= piece.end && piece.end <= display.text.size());
    if (piece.kind == Piece::Kind::figure) require(piece.figure < display.figures.size());
    if (piece.kind == Piece::Kind::end) require(depth-- > 0);
    if (piece.kind != Piece::Kind::end && !piece.is_shown()) require(++depth <= 6 * max_drawn_depth);
  }
  require(depth == 0);
  for (const std::size_t place : places_in(display, extracted)) {
    require(place == std::string::npos || place < display.text.size());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  check_tokens(text, HtmlTokenizer::Reading::standard);
  check_tokens(text, HtmlTokenizer::Reading::caution);

  const Options options{.markup = (data[0] & 1U) != 0 ? Reading::plain : Reading::automatic,
                        .numbering = (data[0] & 2U) != 0 ? Numbering::drop : Numbering::keep};
  const std::vector<std::string> images((data[0] >> 2U) % 4, "hash");
  const Extracted extracted = extract(text, options, images);
  require(extract(text, options, images).text == extracted.text);
  check_drawing(text, images, extracted.text);
  if (!qdedup::is_utf8(text)) return 0;
  require(qdedup::is_utf8(extracted.text));
  if (options.markup == Reading::automatic) require(std::ranges::none_of(extracted.text, mark::is_control));
  return 0;
}
