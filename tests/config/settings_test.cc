#include "config/settings.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace qdedup::config {
namespace {

using testing::HasSubstr;

std::string problems_of(std::string_view text) {
  const Result<Settings> settings = parse_settings(text, "qdedup.toml");
  if (settings.ok()) return "";
  EXPECT_EQ(settings.error().code, ErrorCode::config);
  return settings.error().message;
}

TEST(Settings, AnEmptyConfigGivesTheDefaults) {
  const Result<Settings> settings = parse_settings("", "qdedup.toml");
  ASSERT_TRUE(settings.ok());
  EXPECT_EQ(dump_settings(*settings), dump_settings(Settings()));
}

TEST(Settings, TheDefaultTextGivesTheDefaults) {
  const Result<Settings> settings = parse_settings(default_settings_text(), "default");
  ASSERT_TRUE(settings.ok()) << settings.error().message;
  EXPECT_EQ(dump_settings(*settings), dump_settings(Settings()));
}

TEST(Settings, TheDefaultTextShowsEveryKey) {
  const std::string dump = dump_settings(Settings());
  const std::string text(default_settings_text());
  for (std::size_t begin = 0; begin < dump.size();) {
    const std::size_t end = dump.find('\n', begin);
    const std::string line = dump.substr(begin, end - begin);
    EXPECT_THAT(text, HasSubstr("\n" + line.substr(0, line.find('=')))) << line;
    begin = end + 1;
  }
}

TEST(Settings, EveryKeyIsRead) {
  const std::string text = R"([logs]
paths = ["/var/log/search/*.log*", "b \"quoted\".log"]
format = "object"
pointer = "/data/0"
id = "/_id"
score = "/_score"
quoted_numbers = true
order = "score"
max_line_bytes = 1000

[selection]
min_top_score = 0.25
min_score = -1.0

[merge]
max_cluster_size = 20

[refine]
min_similarity = 91
similarity = "jaccard"
signs = "any"
compare = "text"
features = "grams"
gram = 3

[tail]
commit_lines = 1
commit_ms = 60000
poll_seconds = 3600
rotate_wait_seconds = 0

[schedule]
every = "daily 23:59"
time_zone = "Europe/Berlin"
wait_for_logs = "0s"

[review]
auto_approve = "safe"
max_deletions_per_iteration = 500
image_url = "https://files.example/{name}.png"

[http]
listen = "[::1]:80"
reviewers_file = "/etc/qdedup/reviewers"
public_url = "https://dedup.example:8443"
token_file = "/etc/qdedup/token"
hosts = ["localhost:80", "qdedup.example"]

[check]
memory_mb = 0
keep_days = 90

[state]
folder = "/var/lib/qdedup"
kept_iterations = 0

[resources]
threads = 2
memory_mb = 300
)";
  const Result<Settings> settings = parse_settings(text, "qdedup.toml");
  ASSERT_TRUE(settings.ok()) << settings.error().message;
  EXPECT_EQ(settings->logs.paths.size(), 2U);
  EXPECT_EQ(settings->logs.shape.format, miner::LineFormat::object);
  EXPECT_EQ(settings->logs.shape.pointer, "/data/0");
  EXPECT_EQ(settings->logs.shape.id, "/_id");
  EXPECT_EQ(settings->logs.shape.score, "/_score");
  EXPECT_TRUE(settings->logs.shape.quoted_numbers);
  EXPECT_TRUE(settings->logs.shape.by_score);
  EXPECT_EQ(settings->logs.max_line_bytes, 1000U);
  EXPECT_EQ(settings->selection.min_top_score, 0.25);
  EXPECT_EQ(settings->selection.min_score, -1.0);
  EXPECT_EQ(settings->merge.max_cluster_size, 20U);
  EXPECT_EQ(settings->refine.min_similarity, 91);
  EXPECT_EQ(settings->refine.similarity, refine::Similarity::jaccard);
  EXPECT_EQ(settings->refine.signs, refine::SignRule::any);
  EXPECT_EQ(settings->refine.compare, refine::ComparedText::text);
  EXPECT_EQ(settings->refine.features, refine::FeatureKind::grams);
  EXPECT_EQ(settings->refine.gram, 3U);
  EXPECT_EQ(settings->check.memory_bytes, 0U);
  EXPECT_EQ(settings->check.keep_days, 90U);
  EXPECT_EQ(settings->tail.commit_lines, 1U);
  EXPECT_EQ(settings->tail.commit_ms, 60'000U);
  EXPECT_EQ(settings->tail.poll_seconds, 3600U);
  EXPECT_EQ(settings->tail.rotate_wait_seconds, 0U);
  EXPECT_EQ(settings->review.auto_approve.highest_risk, refine::Risk(refine::Risk::certain));
  EXPECT_EQ(text_of(settings->review.max_deletions_per_iteration), "500");
  EXPECT_EQ(settings->review.image_url, "https://files.example/{name}.png");
  EXPECT_EQ(settings->http.listen, "[::1]:80");
  EXPECT_EQ(settings->http.reviewers_file, "/etc/qdedup/reviewers");
  EXPECT_EQ(settings->http.public_url, "https://dedup.example:8443");
  EXPECT_EQ(settings->http.token_file, "/etc/qdedup/token");
  EXPECT_EQ(settings->http.hosts.size(), 2U);
  EXPECT_EQ(settings->schedule.every, "daily 23:59");
  EXPECT_EQ(settings->schedule.time_zone, "Europe/Berlin");
  EXPECT_EQ(settings->schedule.wait_for_logs, std::chrono::seconds(0));
  EXPECT_EQ(settings->state.folder, "/var/lib/qdedup");
  EXPECT_EQ(settings->state.kept_iterations, 0U);
  EXPECT_EQ(settings->resources.threads, 2U);
  EXPECT_EQ(settings->resources.memory_bytes, 300U << 20U);
  const Result<Settings> again = parse_settings(dump_settings(*settings), "dump");
  ASSERT_TRUE(again.ok()) << again.error().message;
  EXPECT_EQ(dump_settings(*again), dump_settings(*settings));
}

TEST(Settings, ADumpKeepsEveryCharacter) {
  const std::vector<std::string> paths = {"\n/x/*.log", "\r\n'''", "a\tb\x01\n", "\"\\", "小明"};
  Settings settings;
  settings.logs.paths = paths;
  const Result<Settings> again = parse_settings(dump_settings(settings), "dump");
  ASSERT_TRUE(again.ok()) << again.error().message;
  EXPECT_EQ(again->logs.paths, paths);
}

TEST(Settings, ApproveUpToARisk) {
  for (const auto& [value, dumped] : {std::pair("0.01", "0.0100"),
                                      {"0.0001", "0.0001"},
                                      {"0", "0.0000"},
                                      {"0.5", "0.5000"},
                                      {"1", "\"safe\""},
                                      {"1e-2", "0.0100"},
                                      {"\"safe\"", "\"safe\""},
                                      {"\"none\"", "\"none\""}}) {
    const auto settings = parse_settings(std::string("[review]\nauto_approve = ") + value, "qdedup.toml");
    ASSERT_TRUE(settings.ok()) << value;
    EXPECT_THAT(dump_settings(*settings), HasSubstr(std::string("\nauto_approve = ") + dumped + "\n"));
  }
}

TEST(Settings, AWholeNumberIsAScoreToo) {
  const Result<Settings> settings = parse_settings("[selection]\nmin_top_score = 1", "qdedup.toml");
  ASSERT_TRUE(settings.ok());
  EXPECT_EQ(settings->selection.min_top_score, 1.0);
}

TEST(Settings, AProblemNamesFileLineAndColumn) {
  EXPECT_EQ(problems_of("[merge]\n  max_cluster_size = 1\n"),
            "qdedup.toml:2:22: merge.max_cluster_size must be a whole number from 2 to 1000000");
}

TEST(Settings, TcpNeedsATokenAndHosts) {
  const std::string listen = "[http]\nlisten = \"127.0.0.1:9631\"\n";
  const std::string token = "token_file = \"token\"\n";
  const std::string hosts = "hosts = [\"localhost:9631\"]\n";
  const std::string problem =
      "qdedup.toml:2:10: http.listen needs http.token_file, and http.hosts or http.public_url";
  EXPECT_EQ(problems_of(listen), problem);
  EXPECT_EQ(problems_of(listen + token), problem);
  EXPECT_EQ(problems_of(listen + hosts), problem);
  EXPECT_EQ(problems_of(listen + token + hosts), "");
  EXPECT_EQ(problems_of(listen + token + "public_url = \"https://dedup.example\"\n"), "");
  EXPECT_EQ(problems_of("[http]\n" + token), "");
}

TEST(Settings, KeysOfLogsThatContradictEachOther) {
  EXPECT_EQ(problems_of("[logs]\nid = \"/_id\"\n"), "qdedup.toml:2:6: logs.id needs logs.score");
  EXPECT_EQ(problems_of("[logs]\nscore = \"/_score\"\n"), "qdedup.toml:2:9: logs.score needs logs.id");
  const std::string pointer = "[logs]\npointer = \"/hits\"\n";
  const std::string problem = "qdedup.toml:2:11: logs.pointer needs logs.format = \"object\"";
  EXPECT_EQ(problems_of(pointer), problem);
  EXPECT_EQ(problems_of(pointer + "format = \"embedded\"\n"), problem);
  EXPECT_EQ(problems_of(pointer + "format = \"object\"\n"), "");
}

TEST(Settings, UnknownKeysAreProblems) {
  EXPECT_EQ(problems_of("[merge]\nmax_size = 20\n"), "qdedup.toml:2:1: unknown key \"max_size\" in [merge]");
  EXPECT_EQ(problems_of("\n[mergers]\n"),
            "qdedup.toml:2:2: unknown section [mergers] (did you mean \"merge\"?)");
  EXPECT_EQ(problems_of("[merge]\nmax_cluster = 20\n"),
            "qdedup.toml:2:1: unknown key \"max_cluster\" in [merge] (did you mean \"max_cluster_size\"?)");
  EXPECT_EQ(problems_of("[refine]\nmin_similarity = 0.8\n"),
            "qdedup.toml:2:18: refine.min_similarity must be a whole number from 1 to 100: percent, not a "
            "share of 1");
  EXPECT_EQ(problems_of("threads = 2\n"), "qdedup.toml:1:1: key \"threads\" stands in no section");
  EXPECT_EQ(problems_of("merge = 2\n"), "qdedup.toml:1:9: [merge] is a section");
}

TEST(Settings, AllProblemsAreToldInTheirOrder) {
  const std::string problems =
      problems_of("[refine]\nmin_similarity = 0\nsimilarity = \"hamming\"\n[merge]\nx = 1\n");
  EXPECT_EQ(
      problems,
      "qdedup.toml:2:18: refine.min_similarity must be a whole number from 1 to 100\n"
      "qdedup.toml:3:14: refine.similarity must be \"cosine\" or \"jaccard\" or \"lcs\" or \"levenshtein\"\n"
      "qdedup.toml:5:1: unknown key \"x\" in [merge]");
}

TEST(Settings, SyntaxErrorsHaveAPlace) {
  EXPECT_THAT(problems_of("[logs]\npaths = [\"a\n"), HasSubstr("qdedup.toml:2:"));
}

struct BadValue {
  const char* text;
  const char* problem;
};

class BadValues : public testing::TestWithParam<BadValue> {};

TEST_P(BadValues, AreToldApart) { EXPECT_THAT(problems_of(GetParam().text), HasSubstr(GetParam().problem)); }

INSTANTIATE_TEST_SUITE_P(
    Settings, BadValues,
    testing::Values(
        BadValue{"[logs]\npaths = \"a\"", "must be an array of strings"},
        BadValue{"[logs]\npaths = [1]", "must be an array of strings"},
        BadValue{"[logs]\npaths = [\"a\", \"\"]", "logs.paths must not be empty"},
        BadValue{"[logs]\npaths = [\"~/log/*.log\"]", "logs.paths must name the home folder in full"},
        BadValue{"[logs]\nformat = \"csv\"", "must be \"array\" or \"embedded\" or \"object\""},
        BadValue{"[logs]\npointer = \"results\"", "logs.pointer"},
        BadValue{"[logs]\nid = \"_id\"\nscore = \"/s\"", "qdedup.toml:2:6: logs.id JSON pointer"},
        BadValue{"[logs]\nquoted_numbers = 1", "2:18: logs.quoted_numbers must be true or false"},
        BadValue{"[logs]\norder = \"id\"", "2:9: logs.order must be \"listed\" or \"score\""},
        BadValue{"[logs]\nmax_line_bytes = 63", "from 64"},
        BadValue{"[selection]\nmin_score = nan", "must be a finite number"},
        BadValue{"[selection]\nmin_score = inf", "must be a finite number"},
        BadValue{"[selection]\nmin_score = \"0.3\"", "must be a finite number"},
        BadValue{"[selection]\nmin_score = true", "must be a finite number"},
        BadValue{"[refine]\nmin_similarity = 101", "from 1 to 100"},
        BadValue{"[refine]\nmin_similarity = 80.5", "from 1 to 100"},
        BadValue{"[refine]\nsigns = \"none\"", "must be \"any\" or \"equal\""},
        BadValue{"[refine]\ncompare = true", "must be \"han\" or \"text\""},
        BadValue{"[refine]\nsimilarity = \"cosine\"\ngram = 65", "from 1 to 64"},
        BadValue{"[refine]\ngram = 3", "refine.gram needs refine.similarity"},
        BadValue{"[refine]\nfeatures = \"words\"", "refine.features needs refine.similarity"},
        BadValue{"[refine]\nsimilarity = \"cosine\"\nfeatures = \"words\"\ngram = 3",
                 "refine.gram needs refine.features"},
        BadValue{"[schedule]\nevery = \"Sun 24:00\"", "must be \"Sun 03:00\""},
        BadValue{"[schedule]\nevery = \"Sunday 03:00\"", "must be \"Sun 03:00\""},
        BadValue{"[schedule]\nevery = \"daily\"", "must be \"Sun 03:00\""},
        BadValue{"[schedule]\ntime_zone = \"\"", "schedule.time_zone names no time zone \"\""},
        BadValue{"[schedule]\ntime_zone = \"Mars/Base\"", "names no time zone \"Mars/Base\""},
        BadValue{"[tail]\ncommit_lines = 0", "from 1"},
        BadValue{"[tail]\ncommit_ms = 60001", "from 1 to 60000"},
        BadValue{"[tail]\npoll_seconds = 0", "from 1"},
        BadValue{"[review]\nauto_approve = \"all\"",
                 "must be \"none\", \"safe\", or the highest risk, a number from 0 to 1"},
        BadValue{"[review]\nauto_approve = \"0.01\"", "must be \"none\", \"safe\""},
        BadValue{"[review]\nauto_approve = 0.01234", "at most four decimals"},
        BadValue{"[review]\nauto_approve = 1.5", "a number from 0 to 1"},
        BadValue{"[review]\nauto_approve = -0.1", "a number from 0 to 1"},
        BadValue{"[review]\nauto_approve = nan", "a number from 0 to 1"},
        BadValue{"[review]\nauto_approve = true", "a number from 0 to 1"},
        BadValue{"[review]\nmax_deletions_per_iteration = \"500\"", "must be a number, a share"},
        BadValue{"[review]\nmax_deletions_per_iteration = -1", "must be a number, a share"},
        BadValue{"[review]\nimage_url = \"https://files.example/\"",
                 "2:13: review.image_url must be an address with {name} once in its path"},
        BadValue{"[http]\npublic_url = \"http://dedup.example\"",
                 "2:14: http.public_url must be \"https://\", a host"},
        BadValue{"[http]\nlisten = \"0.0.0.0:9631\"", "must be a loopback address with a port"},
        BadValue{"[http]\nhosts = \"localhost\"", "must be an array of strings"},
        BadValue{"[http]\nhosts = [\"localhost\", \"http://127.0.0.1:9631\"]",
                 "2:9: http.hosts must be hosts as browsers send them"},
        BadValue{"[http]\ntoken_file = \"~/token\"", "http.token_file must name the home folder"},
        BadValue{"[http]\nreviewers_file = \"a\\u0000b\"", "http.reviewers_file must not have a NUL"},
        BadValue{"[state]\nfolder = \"\"", "must not be empty"},
        BadValue{"[state]\nfolder = \"~\"", "state.folder must name the home folder"},
        BadValue{"[resources]\nmemory_mb = 15", "from 16"}, BadValue{"[check]\nmemory_mb = -1", "from 0"},
        BadValue{"[check]\nkeep_days = -1", "from 0 to 36500"},
        BadValue{"[resources]\nthreads = -1", "from 0"}));

TEST(Settings, AMissingFileIsNoInput) {
  const Result<Settings> settings = load_settings("/nowhere/qdedup.toml");
  ASSERT_FALSE(settings.ok());
  EXPECT_EQ(settings.error().code, ErrorCode::no_input);
  EXPECT_EQ(settings.error().message, "/nowhere/qdedup.toml: No such file or directory");
}

}  // namespace
}  // namespace qdedup::config
