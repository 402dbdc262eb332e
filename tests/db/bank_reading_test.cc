#include "db/bank_reading.h"

#include <atomic>
#include <map>
#include <mutex>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "db/fingerprints.h"
#include "tests/support/descriptor_limit.h"
#include "tests/support/sample_state.h"

namespace qdedup::db {
namespace {

using Texts = std::map<QuestionId, std::string>;

Texts read(Bank& bank, const std::vector<QuestionId>& ids) {
  Texts texts;
  must(read_texts(bank, ids, [&](std::size_t position, std::string_view text, auto answer) {
    EXPECT_FALSE(answer);
    EXPECT_TRUE(texts.emplace(ids[position], text).second) << ids[position];
  }));
  return texts;
}

// Every `step`-th id is asked for, from where rows are passed over to where each is looked up.
TEST(QuestionTexts, AreThoseThatWereAskedFor) {
  SampleState state;
  Texts all;
  std::mt19937_64 random(5);
  for (QuestionId id = 1; id < 4000; id += 1 + static_cast<QuestionId>(random() % 3))
    all[id] = id % 10 == 0 ? "" : "text " + std::to_string(id);
  state.put(all);
  for (const QuestionId step : {1, 2, 7, 40, 900, 5000}) {
    std::vector<QuestionId> ids;
    Texts expected;
    for (QuestionId id = step; id < 5000; id += step) {
      ids.push_back(id);
      if (all.contains(id)) expected[id] = all[id];
    }
    EXPECT_EQ(read(state.bank, ids), expected) << step;
  }
  EXPECT_EQ(read(state.bank, {}), Texts());
}

TEST(QuestionTexts, ComeWithTheirAnswers) {
  SampleState state;
  BankImport loading = must(BankImport::begin(state.bank, "test", "", 1000));
  const std::vector<BankQuestion> rows = {db::bank_question(3, "3米长", "3")};
  must(loading.put_all(rows, characters_of(rows)));
  must(loading.finish(""));
  must(read_texts(state.bank, std::vector<QuestionId>{3},
                  [](std::size_t, std::string_view text, std::optional<std::string_view> answer) {
                    EXPECT_EQ(text, "3米长");
                    EXPECT_EQ(answer, "3");
                  }));
}

TEST(BankReaders, EachHasAConnectionOfItsOwnAndOneTells) {
  SampleState state;
  state.put({{1, "甲"}});
  for (const unsigned threads : {1U, 2U, 5U}) {
    std::mutex guard;
    std::set<const Bank*> banks;
    int tell = 0;
    must(with_readers(state.bank, threads, [&](Bank& reader, bool tells) -> Status {
      EXPECT_EQ(*reader.count(), 1U);
      const std::lock_guard lock(guard);
      EXPECT_EQ(&reader == &state.bank, tells);
      tell += tells ? 1 : 0;
      banks.insert(&reader);
      return {};
    }));
    EXPECT_EQ(banks.size(), threads);
    EXPECT_EQ(tell, 1);
  }
}

TEST(BankReaders, TheErrorOfTheCallersThreadGoesFirst) {
  SampleState state;
  const auto fail = [](Bank&, bool tells) -> Status { return Error{ErrorCode::io, tells ? "own" : "other"}; };
  EXPECT_EQ(with_readers(state.bank, 3, fail).error().message, "own");
  const auto fail_elsewhere = [](Bank&, bool tells) -> Status {
    return tells ? Status() : Error{ErrorCode::io, "other"};
  };
  EXPECT_EQ(with_readers(state.bank, 3, fail_elsewhere).error().message, "other");
}

// As many threads as the config takes, where few files may be open.
TEST(BankReaders, AreNotMoreThanFilesMayBeOpen) {
  SampleState state;
  std::atomic<unsigned> readers{0};
  const DescriptorLimit few(128);
  must(with_readers(state.bank, 1024, [&](Bank& reader, bool) -> Status {
    ++readers;
    return reader.count().ok() ? Status() : Error{ErrorCode::io, "no count"};
  }));
  EXPECT_EQ(readers, max_readers);
}

}  // namespace
}  // namespace qdedup::db
