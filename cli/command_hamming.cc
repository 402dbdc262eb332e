#include <algorithm>
#include <bit>
#include <ostream>
#include <vector>

#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "finder/hamming_index.h"
#include "import/line_reader.h"

namespace qdedup::cli {
namespace {

struct HammingOptions {
  std::string hashes;
  std::string asked = "-";
  unsigned distance = finder::HammingPlan().distance;
  bool strict = false;
};

// A line as `qdedup simhash` prints it. A text without features has no hash.
struct HashLine {
  QuestionId id = 0;
  std::optional<std::uint64_t> hash{};
};

std::optional<HashLine> hash_line(std::string_view line) {
  const std::size_t tab = line.find('\t');
  if (tab == std::string_view::npos) return {};
  const std::optional<QuestionId> id = import::parse_id(line.substr(0, tab));
  const std::string_view digits = import::without_blanks(line.substr(tab));
  const std::optional<std::uint64_t> hash = finder::parse_hash(digits);
  if (!id || (!hash && !digits.empty())) return {};
  return HashLine{*id, hash};
}

// Takes the lines of a file that are not blank, and reports those that cannot be used. Returns how many.
template <class Take>
Result<std::uint64_t> for_each_hash(const std::string& path, const CommandContext& context,
                                    const Take& take) {
  QDEDUP_ASSIGN_OR_RETURN(import::Input input, import::open_input(path, context.files()));
  import::LineReader lines(std::move(input.source), input.size, std::move(input.name));
  RejectedRows rejected(context.console(), path);
  while (true) {
    QDEDUP_ASSIGN_OR_RETURN(const bool more, lines.next());
    if (!more) break;
    if (!lines.too_long() && import::without_blanks(lines.text()).empty()) continue;
    if (const std::optional<HashLine> line = hash_line(lines.text())) {
      take(*line);
    } else {
      rejected.report(lines.number(), "expected an id, a tab and a hash of 16 hexadecimal digits",
                      import::excerpt(lines.text()));
    }
  }
  rejected.report_rest();
  return rejected.count();
}

struct Neighbour {
  unsigned distance;
  std::uint64_t id;

  friend auto operator<=>(const Neighbour&, const Neighbour&) = default;  // NOLINT(modernize-use-nullptr)
};

std::vector<Neighbour> neighbours(const finder::HammingIndex& index, const HashLine& asked) {
  std::vector<Neighbour> near;
  if (!asked.hash) return near;
  index.find(*asked.hash, [&](const finder::HashRecord& record) {
    near.push_back({static_cast<unsigned>(std::popcount(record.hash ^ *asked.hash)), record.number});
  });
  std::ranges::sort(near);
  return near;
}

// Nearest first. Whoever asks through a pipe gets each answer at once.
void print(const CommandContext& context, QuestionId asked, const std::vector<Neighbour>& near) {
  if (context.json()) {
    Json list = Json::array();
    for (const Neighbour& one : near) list.push_back({{"id", one.id}, {"distance", one.distance}});
    context.out() << json_text(Json{{"id", asked}, {"near", std::move(list)}}) << '\n' << std::flush;
    return;
  }
  context.out() << asked;
  for (const Neighbour& one : near) context.out() << '\t' << one.id << ':' << one.distance;
  context.out() << '\n' << std::flush;
}

Result<int> run_hamming(const HammingOptions& options, const CommandContext& context) {
  std::vector<finder::HashRecord> records;
  QDEDUP_ASSIGN_OR_RETURN(std::uint64_t rejected,
                          for_each_hash(options.hashes, context, [&](const HashLine& line) {
                            if (line.hash)
                              records.push_back({*line.hash, static_cast<std::uint64_t>(line.id)});
                          }));
  if (records.size() > finder::HammingIndex::max_records) {
    return Error{ErrorCode::data, options.hashes + ": more than " +
                                      grouped(finder::HammingIndex::max_records) +
                                      " hashes: split the file, and ask each part"};
  }
  const auto plan = finder::HammingPlan::of(options.distance, records.size());
  const finder::HammingIndex index(plan, std::move(records));
  if (!context.quiet()) context.err() << grouped(index.size()) << " hashes to look among\n";
  QDEDUP_ASSIGN_OR_RETURN(const std::uint64_t rejected_asked,
                          for_each_hash(options.asked, context, [&](const HashLine& line) {
                            print(context, line.id, neighbours(index, line));
                          }));
  rejected += rejected_asked;
  return batch_exit_code(rejected > 0, options.strict);
}

}  // namespace

void add_hamming_command(CLI::App& app, Command& chosen) {
  auto options = std::make_shared<HammingOptions>();
  CLI::App* command = app.add_subcommand("hamming",
                                         "Find stored hashes within a few bits of each query hash; a line "
                                         "each: its id, then each near one's id and distance, nearest first");
  command->add_option("HASHES", options->hashes, "Hashes to look among, lines as simhash prints them")
      ->required()
      ->type_name("FILE");
  command
      ->add_option("ASKED", options->asked,
                   "Hashes to look for, lines of the same form (default: standard input)")
      ->type_name("FILE");
  command->add_option("--distance", options->distance, "Bits in which near hashes may differ (default: 3)")
      ->check(whole_number(0, 15));
  command->add_flag("--strict", options->strict, "Exit with 65 when a line was rejected");
  command->callback([options, &chosen] {
    if (options->hashes == "-" && options->asked == "-")
      throw CLI::ValidationError("ASKED", "is needed where HASHES is standard input");
    chosen = {.run = with_options(options, run_hamming), .inputs = {options->hashes, options->asked}};
  });
}

}  // namespace qdedup::cli
