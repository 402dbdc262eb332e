#pragma once

#include <string>
#include <string_view>

namespace qdedup::markup {

// A text without the number, the score and the source that stand in front of it, without a score after its
// stem, and with its options marked as "A. ", however they were. UTF-8. Linear.
//
// A number is "5．", "5、", "第5题", or "（12）" with a full stop or a score after it; no decimal, and no
// number of a list: "2、3、5 的最小公倍数" stays as it is. A source is in brackets and has one of the words
// of markup/data/sources.txt.
std::string without_numbering(std::string_view text);

}  // namespace qdedup::markup
