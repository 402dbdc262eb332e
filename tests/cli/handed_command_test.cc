#include "cli/handed_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/remote_lines.h"

namespace qdedup::cli {
namespace {

TEST(HandedCommand, IsReadAsItWasWritten) {
  const HandedCommand command{
      "0.1.0", "import", {"import", "a b.csv", "-"}, "[logs]\n", {{"a b.csv", 2}, {"-", 0}}, "ann"};
  const Result<HandedCommand> read = parse_handed_command(to_json(command));
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read->version, command.version);
  EXPECT_EQ(read->name, command.name);
  EXPECT_EQ(read->arguments, command.arguments);
  EXPECT_EQ(read->user, "ann");
  EXPECT_EQ(read->config, command.config);
  ASSERT_EQ(read->inputs.size(), 2U);
  EXPECT_EQ(read->inputs[0].path, "a b.csv");
  EXPECT_EQ(read->inputs[0].failure, 2);
  EXPECT_EQ(read->inputs[1].failure, 0);
}

TEST(HandedCommand, ThatIsNoneIsAnError) {
  for (const char* wrong :
       {"", "{}", "[]", "null",
        R"({"version":1,"name":"","arguments":[],"config":null,"inputs":[],"user":""})",
        R"({"version":"","name":"","arguments":[1],"config":null,"inputs":[],"user":""})",
        R"({"version":"","name":"","arguments":[],"config":null,"inputs":[{}],"user":""})"}) {
    EXPECT_FALSE(parse_handed_command(wrong).ok()) << wrong;
  }
}

TEST(RemoteLines, ProgressIsReadAsItWasWritten) {
  const auto read = parse_progress(progress_text({12, 34, "bytes", "read logs"}));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->done, 12U);
  EXPECT_EQ(read->total, 34U);
  EXPECT_EQ(read->unit, "bytes");
  EXPECT_EQ(read->stage, "read logs");
  for (const char* wrong : {"", "1", "1 2", "a b c d", "1 2 bytes"})
    EXPECT_FALSE(parse_progress(wrong)) << wrong;
}

}  // namespace
}  // namespace qdedup::cli
