#include "iteration/bank_readers.h"

#include <atomic>
#include <mutex>
#include <set>

#include <gtest/gtest.h>

#include "tests/support/descriptor_limit.h"
#include "tests/support/sample_state.h"

namespace qdedup::iteration {
namespace {

TEST(BankReaders, EachHasAConnectionOfItsOwnAndOneTells) {
  SampleState state;
  state.put({{1, "甲"}});
  for (const unsigned threads : {1U, 2U, 5U}) {
    std::mutex guard;
    std::set<const db::Bank*> banks;
    int tell = 0;
    must(with_readers(state.bank, threads, [&](db::Bank& reader, bool tells) -> Status {
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
  const auto fail = [](db::Bank&, bool tells) -> Status {
    return Error{ErrorCode::io, tells ? "own" : "other"};
  };
  EXPECT_EQ(with_readers(state.bank, 3, fail).error().message, "own");
  const auto fail_elsewhere = [](db::Bank&, bool tells) -> Status {
    return tells ? Status() : Error{ErrorCode::io, "other"};
  };
  EXPECT_EQ(with_readers(state.bank, 3, fail_elsewhere).error().message, "other");
}

// As many threads as the config takes, where few files may be open.
TEST(BankReaders, AreNotMoreThanFilesMayBeOpen) {
  SampleState state;
  std::atomic<unsigned> readers{0};
  const DescriptorLimit few(128);
  must(with_readers(state.bank, 1024, [&](db::Bank& reader, bool) -> Status {
    ++readers;
    return reader.count().ok() ? Status() : Error{ErrorCode::io, "no count"};
  }));
  EXPECT_EQ(readers, max_readers);
}

}  // namespace
}  // namespace qdedup::iteration
