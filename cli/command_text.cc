#include <ostream>

#include <nlohmann/json.hpp>

#include "base/escaped.h"
#include "cli/commands.h"
#include "import/row_batch.h"
#include "markup/compared.h"
#include "refine/normalise.h"
#include "refine/unicode.h"

namespace qdedup::cli {
namespace {

struct TextOptions {
  std::string file;
  import::FileShape shape;
  std::string markup = "auto";
  std::string numbering;  // empty: the config's
  bool strict = false;

  [[nodiscard]] markup::Options extraction(const markup::Options& config) const {
    markup::Options options = config;
    options.markup = markup == "auto" ? markup::Reading::automatic : markup::Reading::plain;
    if (!numbering.empty())
      options.numbering = numbering == "drop" ? markup::Numbering::drop : markup::Numbering::keep;
    return options;
  }
};

// Totals of a file.
struct TextTotals {
  std::uint64_t questions = 0;
  std::uint64_t with_markup = 0;
  std::map<std::string, std::uint64_t> unknown;
};

std::vector<std::string> signs_of(const markup::Compared& compared) {
  return refine::sign_list(refine::parts_of(compared.text));
}

std::string_view name(markup::Figure::Kind kind) {
  if (kind == markup::Figure::Kind::content) return "content";
  return kind == markup::Figure::Kind::file ? "file" : "unnamed";
}

void print(std::ostream& out, const import::Question& question, const markup::Compared& compared) {
  out << question.id << "\n  original " << Verbatim{escaped(question.text)} << '\n';
  if (compared.is_too_long) {
    out << "  not compared: " << markup::too_long_rule << '\n';
    return;
  }
  const std::string signs = shown_signs(refine::parts_of(compared.text));
  out << "  text     " << Verbatim{escaped(compared.text)} << "\n  signs   " << (signs.empty() ? "" : " ")
      << Verbatim{signs} << '\n';
  for (const markup::Figure& figure : compared.found.figures) {
    out << "  figure   " << name(figure.kind) << (figure.name.empty() ? "" : " ")
        << Verbatim{escaped(figure.name)} << '\n';
  }
}

Json to_json(const import::Question& question, const markup::Compared& compared) {
  Json figures = Json::array();
  for (const markup::Figure& figure : compared.found.figures) {
    figures.push_back({{"kind", name(figure.kind)}, {"name", figure.name}, {"in_place", figure.in_place}});
  }
  return {{"id", question.id},
          {"original", question.text},
          {"text", compared.text},
          {"signs", signs_of(compared)},
          {"figures", std::move(figures)},
          {"has_markup", compared.found.has_markup()},
          {"too_long", compared.is_too_long},
          {"unknown", compared.found.unknown}};
}

Status show(const import::Question& question, const TextOptions& options, const CommandContext& context,
            TextTotals& totals) {
  const markup::Compared compared = markup::compared(
      question.text, question.answer, options.extraction(context.settings().text), question.images);
  ++totals.questions;
  totals.with_markup += compared.found.has_markup() ? 1 : 0;
  import::count_unknown(compared.found.unknown, totals.unknown);
  if (context.json()) {
    context.out() << json_text(to_json(question, compared)) << '\n';
  } else {
    print(context.words(), question, compared);
  }
  return {};
}

void print_totals(const CommandContext& context, std::string_view file, const TextTotals& totals,
                  std::uint64_t rejected) {
  if (context.quiet()) return;
  context.err() << counted(totals.questions, "question") << ": " << grouped(totals.with_markup)
                << " with markup, " << grouped(rejected) << " rejected\n";
  report_unknown_markup(context, file, totals.unknown);
}

Result<int> run_text(const TextOptions& options, const CommandContext& context) {
  TextTotals totals;
  QDEDUP_ASSIGN_OR_RETURN(const std::uint64_t rejected,
                          for_each_question(options.file, options.shape, context, [&](const auto& question) {
                            return show(question, options, context, totals);
                          }));
  print_totals(context, options.file, totals, rejected);
  return batch_exit_code(rejected > 0, options.strict);
}

}  // namespace

std::string shown_signs(const refine::Parts& parts) {
  const std::string subscript = refine::to_utf8(std::u32string_view(&refine::subscript_mark, 1));
  std::string shown;
  for (const std::string& sign : refine::sign_list(parts))
    shown += (shown.empty() ? "" : " ") + (sign == subscript ? "[subscript]" : sign);
  return shown;
}

void add_text_command(CLI::App& app, Command& chosen) {
  auto options = std::make_shared<TextOptions>();
  CLI::App* command = app.add_subcommand(
      "text", "Show what is compared of questions once their markup is removed: text, signs and figures");
  command->add_option("FILE", options->file, "Questions, as import takes them; - reads standard input")
      ->required();
  add_question_file_options(*command, options->shape);
  command
      ->add_option("--markup", options->markup,
                   "HTML, LaTeX and figures are read (auto, the default), or texts taken as they are")
      ->type_name("HOW")
      ->check(CLI::IsMember({"auto", "plain"}));
  command
      ->add_option("--numbering", options->numbering,
                   "Numbers, scores and sources in front stay (keep) or go (default: the config's)")
      ->type_name("WHAT")
      ->check(CLI::IsMember({"keep", "drop"}));
  command->add_flag("--strict", options->strict, "Exit with 65 when a row was rejected");
  command->callback(
      [options, &chosen] { chosen = {.run = with_options(options, run_text), .inputs = {options->file}}; });
}

}  // namespace qdedup::cli
