#include "refine/text_forms.h"

#include <cstddef>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "refine/flattened_marks.h"
#include "refine/parts.h"
#include "refine/unicode.h"
#include "tests/reference/normalising.h"
#include "tests/refine/assigned.h"
#include "tests/refine/trap_text.h"

namespace qdedup::refine {
namespace {

// Each form as what makes it alone has it.
void expect_each_form(const std::string& text) {
  const TextForms forms(text);
  ASSERT_EQ(forms.original(), to_utf32(text));
  ASSERT_EQ(forms.normal(), reference::normalise(text)) << text;
  ASSERT_EQ(forms.with_flattened_marks(), with_flattened_marks(to_utf32(text))) << text;
  ASSERT_EQ(forms.parts(), parts_of(text)) << text;
  for (std::size_t i = 0; i < forms.characters().size(); ++i) {
    ASSERT_LT(forms.origin(i), forms.original().size()) << text;
    ASSERT_LE(i == 0 ? 0 : forms.origin(i - 1), forms.origin(i)) << text;
  }
}

TEST(TextFormsTwin, AgreesOnEveryAssignedCodePoint) {
  for (char32_t c = 0; c <= 0x10FFFF; ++c) {
    if (is_assigned(c)) expect_each_form(to_utf8(std::u32string{U'1', c, c, U'A'}));
    if (testing::Test::HasFatalFailure()) return;
  }
}

TEST(TextFormsTwin, AgreesOnRandomTraps) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 20000 && !testing::Test::HasFatalFailure(); ++i)
    expect_each_form(to_utf8(trap_text(random, random() % 12)));
}

TEST(TextForms, KnowWhereEachCharacterComesFrom) {
  const TextForms forms("x²½，");
  EXPECT_EQ(to_utf8(forms.characters()), "x^2(1/2),");
  const std::vector<std::size_t> origins = {0, 1, 1, 2, 2, 2, 2, 2, 3};
  for (std::size_t i = 0; i < origins.size(); ++i) EXPECT_EQ(forms.origin(i), origins[i]) << i;
}

}  // namespace
}  // namespace qdedup::refine
