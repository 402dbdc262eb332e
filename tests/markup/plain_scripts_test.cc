#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "markup/tidying.h"
#include "tests/markup/texts.h"

namespace qdedup::markup {
namespace {

TEST(PlainScripts, ChemicalFormulasAreAsInLatex) {
  const std::pair<std::string, std::string> pairs[] = {
      {"CO2的固定", "$\\mathrm{CO}_{2}$的固定"},
      {"CO 2的固定", "CO₂的固定"},
      {"H2SO4和Al2(SO4)3", "$H_2SO_4$和$Al_2(SO_4)_3$"},
      {"C6H12O6", "C<sub>6</sub>H<sub>12</sub>O<sub>6</sub>"},
      {"血Na+、K+和Cl-", "血$Na^{+}$、$\\mathrm{K}^{+}$和$Cl^-$"},
      {"Cu2+与Fe3＋", "$Cu^{2+}$与Fe<sup>3+</sup>"},
      {"NH4+与MnO4-", "$NH_4^+$与$\\mathrm{MnO}_{4}^{-}$"},
      {"SO42-沉淀", "$\\mathrm{SO}_{4}^{2-}$沉淀"},
      {"2Fe2++Cl2=2Fe3++2Cl-", "$2Fe^{2+}+Cl_2=2Fe^{3+}+2Cl^-$"},
      {"2Na+2H2O=2NaOH+H2", "$2Na+2H_2O=2NaOH+H_2$"},
      {"C+O2=CO2", "$C+O_2=CO_2$"},
  };
  for (const auto& [plain, latex] : pairs) EXPECT_EQ(signs_of_markup(plain), signs_of_markup(latex)) << plain;
}

TEST(PlainScripts, LettersWithAnIndexAreToo) {
  const std::pair<std::string, std::string> pairs[] = {
      {"焦点F1、F2", "焦点$F_1$、$F_{2}$"},
      {"长方体ABCD-A1B1C1D1", "长方体$ABCD-A_1B_1C_1D_1$"},
      {"△PF1F2", "$\\triangle PF_1F_2$"},
      {"T2噬菌体", "$T_{2}$噬菌体"},
  };
  for (const auto& [plain, latex] : pairs) EXPECT_EQ(signs_of_markup(plain), signs_of_markup(latex)) << plain;
}

TEST(PlainScripts, PowersOfUnitsAreToo) {
  EXPECT_EQ(signs_of_markup("140hm2，5m2，3 kg/m3，8cm 2"),
            signs_of_markup("140$hm^2$，5m²，3 kg/m<sup>3</sup>，8cm²"));
  EXPECT_EQ(text_of("质量m2，cm20，8cm2a"), "质量m2，cm20，8cm2a");
}

TEST(PlainScripts, ChargesAreOneWithTheirNumber) {
  const std::pair<std::string, std::string> pairs[] = {
      {"Fe^3＋", "$\\mathrm{Fe}^{3+}$"},    {"Fe³+和", "$Fe^{3+}$和"},
      {"$SO_4^2-$", "$SO_4^{2-}$"},         {"\\ce{SO4^2-}", "SO<sub>4</sub><sup>2-</sup>"},
      {"Al^3＋＋3OH－", "$Al^{3+}+3OH^-$"}, {"CO_3^2-，", "$\\mathrm{CO}_{3}^{2-}$，"},
      {"$PO_4^3－$", "$PO^{3-}_4$"},        {"2H2+O2->2H2O", "$2H_2+O_2->2H_2O$"},
  };
  for (const auto& [plain, latex] : pairs) EXPECT_EQ(signs_of_markup(plain), signs_of_markup(latex)) << plain;
  for (const std::string text : {"x^2+1", "A^2-B^2", "AB^2-，", "S^2-", "H_2^2-3"}) {
    EXPECT_EQ(text_of(text).find("^("), std::string::npos) << text;
  }
}

TEST(PlainScripts, PowersBelowZeroOfUnitsAreRaised) {
  const std::pair<std::string, std::string> pairs[] = {
      {"0.1 mol·L-1", "$0.1\\mathrm{~mol}\\cdot\\mathrm{L}^{-1}$"},
      {"40 g·mol－1", "40 g·mol⁻¹"},
      {"mol•L－1•s－1", "$mol\\cdot L^{-1}\\cdot s^{-1}$"},
      {"-57.3 kJ·mol−1", "$-57.3 kJ\\cdot mol^{-1}$"},
      {"1.5mol·L-1·min-1", "1.5mol·L<sup>-1</sup>·min<sup>-1</sup>"},
      {"0.2 mol · L-1", "$0.2\\mathrm{mol}\\cdot \\mathrm{L}^{-1}$"},
      {"1.2 g·cm－3", "1.2 g·cm⁻³"},
      {"9.8m/s2", "9.8m/s²"},
  };
  for (const auto& [plain, latex] : pairs) EXPECT_EQ(signs_of_markup(plain), signs_of_markup(latex)) << plain;
  for (const std::string text : {"a·m-1", "2·L-1", "3m·s-1", "mol·L-10", "n·h-1", "(n-1)·L-1"})
    EXPECT_EQ(text_of(text), text);
}

TEST(PlainScripts, GenesAreRaised) {
  const std::pair<std::string, std::string> pairs[] = {
      {"基因型XBXb", "基因型$\\mathrm{X}^{\\mathrm{B}}\\mathrm{X}^{\\mathrm{b}}$"},
      {"XbY和AaXBXB", "$X^bY$和AaX<sup>B</sup>X<sup>B</sup>"},
      {"aaXbY和bbXAXa", "$aaX^bY$和$bbX^AX^a$"},
      {"XAYa", "$X^AY^a$"},
      {"IAIB×IAi", "$I^AI^B\\times I^Ai$"},
      {"PrPSc和PrPc", "$\\operatorname{PrP}^{\\mathrm{Sc}}$和$PrP^{c}$"},
      {"HbS", "Hb<sup>S</sup>"},
  };
  for (const auto& [plain, latex] : pairs) EXPECT_EQ(signs_of_markup(plain), signs_of_markup(latex)) << plain;
  for (const std::string text :
       {"XXY", "XYY", "XO", "XaXB", "XML", "IAEA", "XBOX", "PrPs", "HbA1c", "EXBXb", "XBY2"}) {
    EXPECT_EQ(text_of(text).find('^'), std::string::npos) << text_of(text);
  }
  EXPECT_NE(signs_of_markup("XBXb"), signs_of_markup("XBXB"));
}

TEST(PlainScripts, OthersStay) {
  for (const std::string text : {"A、B2种", "C919", "PM2.5", "GB2312", "x2", "A4纸", "N-乙酰", "A+B-C", "pH7",
                                 "F-16", "In 2 days", "Unit 3", "a+b", "A 4 B 8 C 16 D 32"}) {
    EXPECT_EQ(text_of(text), text);
  }
}

TEST(PlainScripts, DifferentSpeciesStayDifferent) {
  EXPECT_NE(signs_of_markup("Fe2+"), signs_of_markup("Fe3+"));
  EXPECT_NE(signs_of_markup("$O_2^-$"), signs_of_markup("$O^{2-}$"));
  EXPECT_NE(signs_of_markup("S2="), signs_of_markup("$S^2=$"));
  EXPECT_NE(signs_of_markup("5cm2"), signs_of_markup("5cm3"));
}

}  // namespace
}  // namespace qdedup::markup
