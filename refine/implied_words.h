#pragma once

#include "refine/layout_comparison.h"

namespace qdedup::refine {

// May one text leave out what the other says here, as the rest of both says so? Of two questions that are to
// be calculated, the one side of the difference is empty and the other holds
// - the name of a result right after its operation: 商 of “12除以4，商是3”;
// - what is not yet done, after what is left: 没有修 of “还剩多少米没有修”;
// - what a change is measured by: 比原来 of “比原来降低了百分之几”;
// - 长 of “长3米” and 重 of “重多少千克”, where nothing else is measured that has a name of its own;
// - 到 of “到2015年”, 相向 where they meet, 每盒 where 各 is asked;
// - the price of “批发价平均每次下调的百分率”, and the only thing that the text introduces with 一, in the
//   clause that asks.
// `here` is the part that has the words, `there` the other. Linear in the lengths.
bool is_implied(const Difference& difference, const Part& here, const Part& there);

// Does one text say 除以7 and the other 用7除? `before` and `behind` are the differences before and behind
// the number.
bool divides_alike(const QuestionLayout& a, const QuestionLayout& b, const Difference& before,
                   const Difference& behind);

}  // namespace qdedup::refine
