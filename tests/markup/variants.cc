#include "tests/markup/variants.h"

#include <array>
#include <cstddef>
#include <functional>
#include <map>
#include <utility>

#include "markup/formula_writer.h"

namespace qdedup::markup {
namespace {

using Kind = Formula::Kind;

// --- Making

std::size_t below(std::size_t bound, std::mt19937_64& random) {
  return std::uniform_int_distribution<std::size_t>(0, bound - 1)(random);
}

template <std::size_t n>
std::string any_of(const std::array<std::string_view, n>& words, std::mt19937_64& random) {
  return std::string(words[below(n, random)]);
}

constexpr std::array<std::string_view, 10> letters = {"x", "y", "z", "a", "b", "n", "m", "k", "t", "α"};
constexpr std::array<std::string_view, 7> operators = {"+", "-", "×", "÷", "±", "·", "+"};
constexpr std::array<std::string_view, 6> relations = {"=", "<", "≤", ">", "≥", "≠"};
constexpr std::array<std::string_view, 5> functions = {"sin", "cos", "tan", "ln", "lg"};

Formula atom(std::string text) { return {Kind::atom, std::move(text), {}}; }
Formula made(Kind kind, std::vector<Formula> parts) { return {kind, "", std::move(parts)}; }

Formula letter(std::mt19937_64& random) { return atom(any_of(letters, random)); }

Formula number(std::mt19937_64& random) {
  std::string digits = std::to_string(2 + below(97, random));
  if (below(6, random) == 0) digits += "." + std::to_string(1 + below(9, random));
  return atom(digits);
}

Formula sum(std::mt19937_64& random) {
  return made(Kind::row, {letter(random), atom(any_of(operators, random)), number(random)});
}

Formula small(std::mt19937_64& random) {
  switch (below(3, random)) {
    case 0:
      return letter(random);
    case 1:
      return number(random);
    default:
      return sum(random);
  }
}

Formula bracketed(Formula inner) { return made(Kind::row, {atom("("), std::move(inner), atom(")")}); }

Formula term(std::mt19937_64& random) {
  switch (below(9, random)) {
    case 0:
      return made(Kind::raised, {letter(random), small(random)});
    case 1:
      return made(Kind::raised, {bracketed(sum(random)), number(random)});
    case 2:
      return made(Kind::lowered, {letter(random), small(random)});
    case 3:
      return made(Kind::fraction, {small(random), small(random)});
    case 4:
      return made(Kind::fraction, {made(Kind::root, {number(random)}), letter(random)});
    case 5:
      return made(Kind::root, {small(random)});
    case 6:
      return made(Kind::nth_root, {small(random), atom("3")});
    case 7:
      return made(Kind::row, {atom(any_of(functions, random)), letter(random)});
    default:
      return made(Kind::row, {number(random), letter(random)});
  }
}

Formula made_formula(std::mt19937_64& random) {
  std::vector<Formula> parts = {term(random)};
  for (std::size_t more = below(3, random); more > 0; --more) {
    parts.push_back(atom(any_of(operators, random)));
    parts.push_back(term(random));
  }
  parts.push_back(atom(any_of(relations, random)));
  parts.push_back(number(random));
  return made(Kind::row, std::move(parts));
}

const std::vector<std::vector<std::string>>& frames() {
  static const std::vector<std::vector<std::string>> all = {
      {"已知", "成立，并且", "也成立，求这个未知数的值。"},
      {"小明在黑板上写下式子", "，请你指出他写的哪一步不成立。"},
      {"若", "恒成立，则实数的取值范围由", "确定，试说明理由。"},
      {"解关于未知数的方程", "，并检验所得的根。"},
      {"甲说", "，乙说", "，两人中谁的说法是正确的？"},
      {"当", "时，代数式的值最大，此时它满足", "，求最大值。"},
      {"用配方法证明：无论取何值，总有", "。"},
      {"数列的前几项满足", "，写出它的通项公式。"},
      {"某种细菌的数量符合", "，几小时后数量翻一番？"},
      {"在直角三角形中，两边满足", "，求斜边上的高。"},
  };
  return all;
}

// All but what has a script already.
std::vector<Formula*> atoms_of(Formula& formula) {
  if (formula.kind == Kind::atom) return {&formula};
  const bool has_script = formula.kind == Kind::raised || formula.kind == Kind::lowered;
  std::vector<Formula*> all;
  for (std::size_t i = has_script ? 1 : 0; i < formula.parts.size(); ++i) {
    for (Formula* found : atoms_of(formula.parts[i])) all.push_back(found);
  }
  return all;
}

bool is_number(const Formula& formula) { return formula.text[0] >= '0' && formula.text[0] <= '9'; }

// --- Formulas as text

// Each kind of notation says how it writes an atom, and two parts that were written already.
struct Notation {
  std::function<std::string(const std::string&)> atom;
  std::function<std::string(Kind, const std::string&, const std::string&)> join;
};

std::string written(const Formula& formula, const Notation& notation) {
  if (formula.kind == Kind::atom) return notation.atom(formula.text);
  if (formula.kind != Kind::row) {
    const std::string second = formula.parts.size() > 1 ? written(formula.parts[1], notation) : "";
    return notation.join(formula.kind, written(formula.parts[0], notation), second);
  }
  std::string all;
  for (const Formula& part : formula.parts) all += written(part, notation);
  return notation.join(Kind::row, all, "");
}

std::string in_brackets(const std::string& text) { return is_single(text) ? text : "(" + text + ")"; }

std::string join_plain(Kind kind, const std::string& first, const std::string& second) {
  switch (kind) {
    case Kind::raised:
      return first + "^" + in_brackets(second);
    case Kind::lowered:
      return first + "_{" + second + "}";
    case Kind::fraction:
      return "(" + in_brackets(first) + "/" + in_brackets(second) + ")";
    case Kind::root:
      return "√" + in_brackets(first);
    case Kind::nth_root:
      return "√[" + second + "]" + in_brackets(first);
    default:
      return first;
  }
}

const Notation plain_notation{[](const std::string& text) { return text; }, join_plain};

std::string replaced(const std::string& text, const std::map<char, std::string>& table) {
  std::string result;
  for (const char c : text) {
    if (!table.contains(c)) return "";
    result += table.at(c);
  }
  return result;
}

std::string join_unicode(Kind kind, const std::string& first, const std::string& second) {
  static const std::map<char, std::string> raised = {{'0', "⁰"}, {'1', "¹"}, {'2', "²"}, {'3', "³"},
                                                     {'4', "⁴"}, {'5', "⁵"}, {'6', "⁶"}, {'7', "⁷"},
                                                     {'8', "⁸"}, {'9', "⁹"}};
  static const std::map<char, std::string> lowered = {{'0', "₀"}, {'1', "₁"}, {'2', "₂"}, {'3', "₃"},
                                                      {'4', "₄"}, {'5', "₅"}, {'6', "₆"}, {'7', "₇"},
                                                      {'8', "₈"}, {'9', "₉"}};
  const bool is_script = kind == Kind::raised || kind == Kind::lowered;
  const std::string script = is_script ? replaced(second, kind == Kind::raised ? raised : lowered) : "";
  return script.empty() ? join_plain(kind, first, second) : first + script;
}

const Notation unicode{[](const std::string& text) { return text; }, join_unicode};

std::string latex_atom(const std::string& text) {
  static const std::map<std::string, std::string> commands = {
      {"×", "\\times "}, {"÷", "\\div "}, {"±", "\\pm "},    {"·", "\\cdot "},  {"≤", "\\leqslant "},
      {"≥", "\\geq "},   {"≠", "\\ne "},  {"α", "\\alpha "}, {"sin", "\\sin "}, {"cos", "\\cos "},
      {"tan", "\\tan "}, {"ln", "\\ln "}, {"lg", "\\lg "},   {"(", "\\left("},  {")", "\\right)"}};
  const auto found = commands.find(text);
  return found == commands.end() ? text : found->second;
}

std::string join_latex(Kind kind, const std::string& first, const std::string& second) {
  switch (kind) {
    case Kind::raised:
      return first + "^{" + second + "}";
    case Kind::lowered:
      return first + "_{" + second + "}";
    case Kind::fraction:
      return "\\dfrac{" + first + "}{" + second + "}";
    case Kind::root:
      return "\\sqrt{" + first + "}";
    case Kind::nth_root:
      return "\\sqrt[" + second + "]{" + first + "}";
    default:
      return first;
  }
}

const Notation latex{latex_atom, join_latex};

// --- Formulas as HTML

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '<') result += "&lt;";
    if (c == '>') result += "&gt;";
    if (c == '&') result += "&amp;";
    if (c != '<' && c != '>' && c != '&') result += c;
  }
  return result;
}

std::string mathjye(const std::string& rows) {
  return "<span class=\"MathJye\" mathtag=\"math\" style=\"whiteSpace:nowrap\"><table cellpadding=\"-1\" "
         "cellspacing=\"-1\" style=\"margin-right:1px\">" +
         rows + "</table></span>";
}

std::string join_tags(Kind kind, const std::string& first, const std::string& second) {
  const std::string radicand =
      "<td style=\"padding-top:1px;border-top:black 1px solid;font-size:90%\">" + first + "</td>";
  const std::string glyph = "<td style=\"font-size:0px\"><div hassize=\"14\">√</div></td>";
  switch (kind) {
    case Kind::raised:
      return first + "<sup>" + second + "</sup>";
    case Kind::lowered:
      return first + "<SUB>" + second + "</SUB>";
    case Kind::fraction:
      return mathjye("<tr><td style=\"border-bottom:1px solid black;font-size:90%\">" + first +
                     "</td></tr><tr><td style=\"font-size:90%\">" + second + "</td></tr>");
    case Kind::root:
      return mathjye("<tr>" + glyph + radicand + "</tr>");
    case Kind::nth_root:
      return "<math><mroot><mrow>" + first + "</mrow><mn>" + second + "</mn></mroot></math>";
    default:
      return first;
  }
}

const Notation tags{escaped, join_tags};

std::string mathml_atom(const std::string& text) {
  if (text == "×") return "<mo>&times;</mo>";
  if (is_number({Kind::atom, text, {}})) return "<mn>" + text + "</mn>";
  const bool is_name = (text[0] >= 'a' && text[0] <= 'z') || text == "α";
  return is_name ? "<mi>" + text + "</mi>" : "<mo stretchy=\"false\">" + escaped(text) + "</mo>";
}

std::string join_mathml(Kind kind, const std::string& first, const std::string& second) {
  static const std::map<Kind, std::string> names = {{Kind::row, "mrow"},     {Kind::raised, "msup"},
                                                    {Kind::lowered, "msub"}, {Kind::fraction, "mfrac"},
                                                    {Kind::root, "msqrt"},   {Kind::nth_root, "mroot"}};
  const std::string& name = names.at(kind);
  return "<" + name + ">" + first + "\n" + second + "</" + name + ">";
}

const Notation mathml{mathml_atom, join_mathml};

std::string percent_encoded(const std::string& text) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string result;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    result += {'%', digits[byte >> 4U], digits[byte & 15U]};
  }
  return result;
}

std::string math_element(const Formula& formula) { return written(formula, mathml); }

std::string as_katex(const Formula& formula) {
  return "<span class=\"katex\"><span class=\"katex-mathml\"><math><semantics>" + math_element(formula) +
         "<annotation encoding=\"application/x-tex\">" + escaped(written(formula, latex)) +
         "</annotation></semantics></math></span><span class=\"katex-html\" aria-hidden=\"true\"><span "
         "class=\"base\"><span class=\"mord\">" +
         written(formula, tags) + "</span></span></span></span>";
}

std::string as_mathjax(const Formula& formula) {
  return "<span class=\"MathJax_Preview\" style=\"color:inherit\">" + written(formula, tags) +
         "</span><span class=\"MathJax\" tabindex=\"0\"><nobr>" + written(formula, tags) +
         "</nobr></span><script type=\"math/tex\">" + written(formula, latex) + "</script>";
}

std::string as_mathjax_3(const Formula& formula) {
  return "<mjx-container class=\"MathJax\" jax=\"CHTML\"><mjx-math aria-hidden=\"true\">" +
         written(formula, tags) + "</mjx-math><mjx-assistive-mml unselectable=\"on\"><math>" +
         math_element(formula) + "</math></mjx-assistive-mml></mjx-container>";
}

std::string twice_escaped(const std::string& text) {
  std::string result;
  for (const char c : text) result += c == '\\' ? "\\\\" : std::string(1, c);
  return result;
}

struct FormulaWriting {
  std::string_view name;
  bool is_html;
  std::function<std::string(const Formula&)> write;
};

std::string latex_between(std::string_view begin, const Formula& formula, std::string_view end) {
  return std::string(begin) + written(formula, latex) + std::string(end);
}

const std::vector<FormulaWriting>& formula_writings() {
  static const std::vector<FormulaWriting> all = {
      {"plain", false, [](const Formula& f) { return written(f, plain_notation); }},
      {"Unicode", false, [](const Formula& f) { return written(f, unicode); }},
      {"dollars", false, [](const Formula& f) { return latex_between("$", f, "$"); }},
      {"double dollars", false, [](const Formula& f) { return latex_between("$$", f, "$$"); }},
      {"parentheses", false, [](const Formula& f) { return latex_between("\\(", f, "\\)"); }},
      {"square brackets", false, [](const Formula& f) { return latex_between("\\[", f, "\\]"); }},
      {"bare", false, [](const Formula& f) { return written(f, latex); }},
      {"escaped twice", false, [](const Formula& f) { return twice_escaped(latex_between("$", f, "$")); }},
      {"tags", true, [](const Formula& f) { return written(f, tags); }},
      {"MathML", true, [](const Formula& f) { return "<math>" + math_element(f) + "</math>"; }},
      {"KaTeX", true, as_katex},
      {"MathJax", true, as_mathjax},
      {"MathJax 3", true, as_mathjax_3},
      {"attribute", true,
       [](const Formula& f) {
         return "<span data-latex=\"" + escaped(written(f, latex)) + "\"><i>x</i></span>";
       }},
      {"picture", true,
       [](const Formula& f) {
         return "<img src=\"https://latex.codecogs.com/gif.latex?" + percent_encoded(written(f, latex)) +
                "\"/>";
       }},
  };
  return all;
}

// --- The page around them

std::string as_references(const std::string& words, std::mt19937_64& random) {
  std::string result;
  for (std::size_t at = 0; at < words.size();) {
    const auto lead = static_cast<unsigned char>(words[at]);
    const std::size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : 3;
    unsigned code = length == 3 ? lead & 15U : lead;
    for (std::size_t i = 1; i < length; ++i)
      code = code << 6U | (static_cast<unsigned char>(words[at + i]) & 63U);
    const bool is_referred = length == 3 && below(2, random) == 0;
    result += is_referred ? "&#" + std::to_string(code) + ";" : words.substr(at, length);
    at += length;
  }
  return result;
}

std::string as_soup(const std::string& words, std::mt19937_64& random) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 6> pieces = {
      {{"<P>", "</font>"},
       {"<b><i>", "</b></i>"},
       {"<font face=宋体 size=3>", "</span></P>"},
       {"<!-- 3 -->", "<br/>"},
       {"<p class='a b'><SPAN>", ""},
       {"</div><p><u>", "<!---->&nbsp;</u>"}}};
  const auto& [before, behind] = pieces[below(pieces.size(), random)];
  return std::string(before) + words + std::string(behind);
}

std::string with_hidden(const std::string& words, std::mt19937_64& random) {
  constexpr std::array<std::string_view, 6> pieces = {
      "<span style=\"display:none\">x12</span>",
      "<i hidden>7</i>",
      "<font style='FONT-SIZE: 0px'>水印9</font>",
      "<span style=\"color:#fff;visibility:hidden\">2+</span>",
      "<style>p{margin:0}</style>",
      "<script>var a=1;</script>"};
  return words + any_of(pieces, random);
}

std::string as_office(const std::string& words, std::mt19937_64&) {
  return "<!--[if gte mso 9]><xml><w:View>1</w:View></xml><![endif]--><span lang=EN-US "
         "style='font-size:10.5pt;"
         "mso-fareast-language:ZH-CN'>" +
         words + "<o:p></o:p></span>";
}

struct Dressing {
  std::string_view name;
  bool is_html;
  std::function<std::string(const std::string&, std::mt19937_64&)> write;
};

const std::vector<Dressing>& dressings() {
  static const std::vector<Dressing> all = {
      {"", false, [](const std::string& words, std::mt19937_64&) { return words; }},
      {"references", true, as_references},
      {"tag soup", true, as_soup},
      {"hidden spans", true, with_hidden},
      {"office", true, as_office},
  };
  return all;
}

std::string page_of(const Question& question, const FormulaWriting& writing, const Dressing& dressing,
                    std::mt19937_64& random) {
  std::string page = dressing.write(question.words[0], random);
  for (std::size_t i = 0; i < question.formulas.size(); ++i) {
    const std::string formula = writing.write(question.formulas[i]);
    page += dressing.is_html && !writing.is_html ? escaped(formula) : formula;
    page += dressing.write(question.words[i + 1], random);
  }
  return page;
}

}  // namespace

Question made_question(std::mt19937_64& random) {
  Question question;
  question.words = frames()[below(frames().size(), random)];
  while (question.formulas.size() + 1 < question.words.size())
    question.formulas.push_back(made_formula(random));
  return question;
}

Question changed(Question question, std::mt19937_64& random) {
  Formula& formula = question.formulas[below(question.formulas.size(), random)];
  std::vector<Formula*> atoms;
  for (Formula* found : atoms_of(formula)) {
    const bool is_operand = is_number(*found) || (found->text.size() == 1 && found->text >= "a");
    if (is_operand) atoms.push_back(found);
  }
  Formula& changed = *atoms[below(atoms.size(), random)];
  const Formula before = changed;
  switch (below(3, random)) {
    case 0:
      changed.text = is_number(before) ? before.text + "7" : "u";
      break;
    case 1:
      changed = made(Kind::raised, {before, atom("9")});
      break;
    default:
      changed = made(Kind::lowered, {before, atom("9")});
  }
  return question;
}

std::string as_plain_text(const Question& question) {
  std::string text = question.words[0];
  for (std::size_t i = 0; i < question.formulas.size(); ++i) {
    text += written(question.formulas[i], plain_notation) + question.words[i + 1];
  }
  return text;
}

std::vector<Writing> writings_of(const Question& question, std::mt19937_64& random) {
  std::vector<Writing> all;
  for (const FormulaWriting& writing : formula_writings()) {
    for (const Dressing& dressing : dressings()) {
      all.push_back({std::string(writing.name) + ", " + std::string(dressing.name),
                     page_of(question, writing, dressing, random)});
    }
  }
  return all;
}

}  // namespace qdedup::markup
