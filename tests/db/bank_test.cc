#include <map>
#include <random>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <SQLiteCpp/SQLiteCpp.h>
#include <gtest/gtest.h>

#include "db/bank_import.h"
#include "db/bank_reading.h"
#include "db/fingerprints.h"
#include "db/sketches.h"
#include "markup/compared.h"
#include "refine/duplicate_test.h"
#include "tests/support/sqlite_file.h"
#include "tests/support/temporary_folder.h"

namespace qdedup::db {
namespace {

using Outcome = BankImport::Outcome;

// What imports leave of the questions they put.
class ExpectedRows {
 public:
  void begin() { ++import_; }

  Outcome put(const BankQuestion& question) {
    const auto [row, is_new] = rows_.try_emplace(question.id, question, import_);
    if (is_new) return Outcome::inserted;
    auto& [stored, import] = row->second;
    if (import == import_) return Outcome::repeated;
    const bool same = stored.text == question.text && stored.answer == question.answer;
    row->second = {question, import_};
    return same ? Outcome::unchanged : Outcome::replaced;
  }

  // As BankTest::rows() shows them.
  [[nodiscard]] std::string rows() const {
    std::string all;
    for (const auto& [id, row] : rows_) {
      const auto& [question, import] = row;
      all += (all.empty() ? "" : " ") + std::to_string(id) + ":" +
             std::to_string(static_cast<std::int64_t>(question.sign_fingerprint)) + question.text +
             question.answer.value_or("-") + std::to_string(import);
    }
    return all;
  }

 private:
  std::map<QuestionId, std::pair<BankQuestion, int>> rows_;
  int import_ = 0;
};

class BankTest : public testing::Test {
 protected:
  BankTest() : bank_(open()) {}

  Bank open() {
    Result<Bank> bank = Bank::open(state_, Access::read_write);
    if (!bank.ok()) throw std::runtime_error(bank.error().message);
    return *std::move(bank);
  }

  BankImport begin(std::uint64_t rows_per_commit = 10'000) {
    Result<BankImport> import =
        BankImport::begin(bank_, "questions.jsonl", "2026-11-20T00:00:00Z", rows_per_commit);
    if (!import.ok()) throw std::runtime_error(import.error().message);
    return *std::move(import);
  }

  static Outcome put(BankImport& import, QuestionId id, const std::string& text,
                     std::optional<std::string> answer = std::nullopt) {
    return put(import, {id, text, std::move(answer), 7, {}});
  }

  static Outcome put(BankImport& import, const BankQuestion& question) {
    static CharacterTally entering;
    entering.enter(question.text);
    const auto outcomes = import.put_all({&question, 1}, entering.take());
    EXPECT_TRUE(outcomes.ok());
    return outcomes->at(0);
  }

  void finish_with_one_question() {
    BankImport import = begin();
    put(import, 1, "text");
    finish(import);
  }

  static void finish(BankImport& import) { ASSERT_TRUE(import.finish("2026-11-20T00:00:01Z").ok()); }

  std::string text_of(QuestionId id) {
    const auto question = bank_.find(id);
    EXPECT_TRUE(question.ok());
    return question->has_value() ? (*question)->text : "(none)";
  }

  std::uint64_t count() { return *bank_.count(); }

  // Up to 130 of them; ids ascend, or come in any order, some twice.
  std::vector<BankQuestion> some_questions(std::mt19937_64& random, bool ascending) {
    std::vector<BankQuestion> questions(random() % 130);
    for (BankQuestion& question : questions) {
      highest_ += static_cast<QuestionId>(1 + random() % 3);
      question.id = ascending ? highest_ : static_cast<QuestionId>(1 + random() % 400);
      question.text = std::string(1, static_cast<char>('a' + random() % 3));
      if (random() % 4 == 0) question.answer = "x";
      question.sign_fingerprint = random();
    }
    return questions;
  }

  static std::string rows(const StateFolder& state) {
    return SqliteFile(state.bank_path())
        .query(
            "SELECT group_concat(id || ':' || signs || text || coalesce(answer, '-') || import_id, ' ') "
            "FROM (SELECT * FROM question ORDER BY id)");
  }

  TemporaryFolder folder_;
  StateFolder state_{folder_.path().string()};
  Bank bank_;
  QuestionId highest_ = 0;
};

TEST_F(BankTest, KeepsWhatIsPut) {
  BankImport import = begin();
  EXPECT_EQ(put(import, max_question_id, "小红买10本书", "十本"), Outcome::inserted);
  finish(import);
  const auto question = bank_.find(max_question_id);
  ASSERT_TRUE(question.ok() && question->has_value());
  EXPECT_EQ((*question)->text, "小红买10本书");
  EXPECT_EQ((*question)->answer, "十本");
  EXPECT_EQ((*question)->sign_fingerprint, 7U);
}

TEST_F(BankTest, AnAnswerIsOptional) {
  BankImport import = begin();
  put(import, 1, "text");
  finish(import);
  EXPECT_EQ((*bank_.find(1))->answer, std::nullopt);
}

TEST_F(BankTest, ReplacesById) {
  BankImport first = begin();
  put(first, 1, "old");
  put(first, 2, "same");
  finish(first);
  BankImport second = begin();
  EXPECT_EQ(put(second, 1, "new"), Outcome::replaced);
  EXPECT_EQ(put(second, 2, "same"), Outcome::unchanged);
  finish(second);
  EXPECT_EQ(text_of(1), "new");
  EXPECT_EQ(count(), 2U);
}

TEST_F(BankTest, AnotherAnswerIsAReplacement) {
  BankImport first = begin();
  put(first, 1, "text", "12");
  finish(first);
  BankImport second = begin();
  EXPECT_EQ(put(second, 1, "text", "13"), Outcome::replaced);
  finish(second);
  EXPECT_EQ((*bank_.find(1))->answer, "13");
}

TEST_F(BankTest, TheFirstOfRepeatedIdsStays) {
  BankImport import = begin();
  put(import, 1, "first");
  EXPECT_EQ(put(import, 1, "second"), Outcome::repeated);
  finish(import);
  EXPECT_EQ(text_of(1), "first");
}

TEST_F(BankTest, RepeatedIdsAreFoundAcrossCommits) {
  BankImport import = begin(1);
  put(import, 1, "first");
  put(import, 2, "other");
  EXPECT_EQ(put(import, 1, "second"), Outcome::repeated);
  finish(import);
  EXPECT_EQ(text_of(1), "first");
}

TEST_F(BankTest, Removes) {
  BankImport first = begin();
  put(first, 1, "text");
  finish(first);
  BankImport second = begin();
  EXPECT_EQ(*second.remove(1), Outcome::removed);
  EXPECT_EQ(*second.remove(2), Outcome::absent);
  finish(second);
  EXPECT_EQ(count(), 0U);
}

TEST_F(BankTest, CountsTheQuestionsOfEachCharacter) {
  BankImport first = begin(1);
  put(first, 1, "aab");
  put(first, 2, "bc");
  put(first, 3, "x");
  put(first, 1, "repeated");
  finish(first);
  BankImport second = begin(1);
  put(second, 1, "aab");
  put(second, 2, "cd");
  ASSERT_TRUE(second.remove(3).ok());
  ASSERT_TRUE(second.remove(4).ok());
  finish(second);
  const refine::CharacterCounts counts = *bank_.character_counts();
  EXPECT_EQ(counts.questions(), 2U);
  EXPECT_EQ(counts.counts(),
            (std::unordered_map<char32_t, std::uint64_t>{{U'a', 1}, {U'b', 1}, {U'c', 1}, {U'd', 1}}));
}

// Put together and one by one, questions have the same outcomes and leave the same bank.
TEST_F(BankTest, PuttingAllAgreesWithPuttingEach) {
  std::mt19937_64 random(5);
  TemporaryFolder twin_folder;
  const StateFolder twin_state{twin_folder.path().string()};
  Bank twin = *Bank::open(twin_state, Access::read_write);
  CharacterTally entering;
  ExpectedRows expected;
  for (int file = 0; file < 30; ++file) {
    BankImport import = begin(100);
    BankImport one_by_one = *BankImport::begin(twin, "questions.jsonl", "", 7);
    expected.begin();
    for (std::size_t batch = 0; batch < 4; ++batch) {
      const std::vector<BankQuestion> questions = some_questions(random, file % 2 == 0);
      for (const BankQuestion& question : questions) entering.enter(question.text);
      const auto outcomes = import.put_all(questions, entering.take());
      ASSERT_TRUE(outcomes.ok());
      ASSERT_EQ(outcomes->size(), questions.size());
      for (std::size_t i = 0; i < questions.size(); ++i) {
        ASSERT_EQ((*outcomes)[i], expected.put(questions[i])) << questions[i].id;
        ASSERT_EQ(put(one_by_one, questions[i]), (*outcomes)[i]) << questions[i].id;
      }
    }
    finish(import);
    finish(one_by_one);
    ASSERT_EQ(rows(state_), expected.rows());
    ASSERT_EQ(rows(twin_state), expected.rows());
    ASSERT_EQ(*bank_.character_counts(), *twin.character_counts());
    ASSERT_EQ(*bank_.count(), *twin.count());
    ASSERT_EQ(*Sketches(bank_).entries(), *Sketches(twin).entries());
  }
}

TEST_F(BankTest, CommitsInBatches) {
  {
    BankImport import = begin(10);
    for (QuestionId id = 1; id <= 25; ++id) put(import, id, "text");
  }
  EXPECT_EQ(count(), 20U);
}

TEST_F(BankTest, ARerunCompletesWhatWasInterrupted) {
  {
    BankImport import = begin(10);
    for (QuestionId id = 1; id <= 25; ++id) put(import, id, "text");
  }
  BankImport again = begin(10);
  for (QuestionId id = 1; id <= 25; ++id) {
    EXPECT_EQ(put(again, id, "text"), id <= 20 ? Outcome::unchanged : Outcome::inserted);
  }
  finish(again);
  EXPECT_EQ(count(), 25U);
}

TEST_F(BankTest, FingerprintsAreComputedAnewForNewRules) {
  BankImport import = begin();
  put(import, 1, "a");
  put(import, 2, "bb");
  finish(import);
  EXPECT_EQ(*bank_.fingerprint_version(), "");
  EXPECT_EQ(expect_current_options(bank_).error().code, ErrorCode::busy);
  std::uint64_t told = 0;
  int signs_of_life = 0;
  bank_.on_activity([&](Activity) { ++signs_of_life; });
  ASSERT_TRUE(refresh_texts(bank_, {}, "2", [&](std::uint64_t done) { told = done; }).ok());
  EXPECT_EQ(told, 2U);
  EXPECT_GT(signs_of_life, 0);
  EXPECT_EQ(*bank_.fingerprint_version(), "2");
  const markup::Options otherwise{.markup = markup::Reading::automatic};
  ASSERT_TRUE(refresh_texts(bank_, otherwise, markup::rules_version(otherwise), [&](std::uint64_t) {
                EXPECT_EQ(must(known_options(bank_)), otherwise);
                EXPECT_EQ(must(current_options(bank_)), std::nullopt);
              }).ok());
  EXPECT_EQ(must(current_options(bank_)), otherwise);
  ASSERT_TRUE(refresh_texts(bank_, {}, markup::rules_version({}), [](std::uint64_t) {}).ok());
  EXPECT_EQ(must(expect_current_options(bank_)), markup::Options());
  EXPECT_EQ((*bank_.find(2))->sign_fingerprint, bank_question(2, "bb", std::nullopt).sign_fingerprint);
}

// A kill may come after the runs were dropped.
TEST_F(BankTest, NumbersOfChangesNeverFall) {
  BankImport import = begin();
  put(import, 1, "text");
  finish(import);
  const std::int64_t change = must(newest_change(bank_));
  EXPECT_GT(change, 0);
  EXPECT_EQ(SqliteFile(state_.bank_path()).query("DELETE FROM sketch_run"), "");
  EXPECT_EQ(must(newest_change(bank_)), change);
  EXPECT_EQ(must(changed_since(bank_, 0, 10)), std::nullopt);
  EXPECT_EQ(must(changed_since(bank_, change, 10)), std::vector<QuestionId>());
}

TEST(BankQuestions, WithALongTextAreKeptAndNotCompared) {
  const std::string longest(refine::max_compared_bytes, 'a');
  const BankQuestion compared = bank_question(1, longest, std::nullopt);
  EXPECT_FALSE(compared.is_too_long);
  EXPECT_EQ(compared.text, longest);
  EXPECT_TRUE(compared.original.empty());
  const BankQuestion kept = bank_question(1, longest + "a", std::nullopt);
  EXPECT_TRUE(kept.is_too_long);
  EXPECT_EQ(kept.text, "");
  EXPECT_EQ(kept.original_text(), longest + "a");
  EXPECT_EQ(kept.sign_fingerprint, bank_question(1, "", std::nullopt).sign_fingerprint);
}

TEST(BankQuestions, AreAsLongAsTheirTextWithoutMarkup) {
  const markup::Options options{.markup = markup::Reading::automatic};
  const std::string with_markup = std::string(refine::max_compared_bytes, 'a') + "<br>";
  const BankQuestion compared = bank_question(1, with_markup, std::nullopt, options);
  EXPECT_FALSE(compared.is_too_long);
  EXPECT_EQ(compared.original_text(), with_markup);
  const BankQuestion kept = bank_question(1, "b" + with_markup, std::nullopt, options);
  EXPECT_TRUE(kept.is_too_long);
  EXPECT_EQ(kept.original_text(), "b" + with_markup);
}

TEST(BankQuestions, AreNotComparedWithALongAnswerOrOriginal) {
  const markup::Options options{.markup = markup::Reading::automatic};
  const std::string longest(refine::max_compared_bytes, 'a');
  EXPECT_FALSE(bank_question(1, "text", longest).is_too_long);
  EXPECT_TRUE(bank_question(1, "text", longest + "a").is_too_long);
  std::string original = "text<!---->";
  original.insert(original.size() - 3, markup::max_imported_bytes - original.size(), 'a');
  EXPECT_FALSE(bank_question(1, original, original, options).is_too_long);
  original += "a";
  for (const BankQuestion& kept :
       {bank_question(1, original, "b", options), bank_question(1, "text", original, options)}) {
    EXPECT_TRUE(kept.is_too_long);
    EXPECT_EQ(kept.text, "");
  }
}

// As a bank has them that was made without the bound.
TEST_F(BankTest, LongTextsAreLeftOutByNewRules) {
  const std::string text(refine::max_compared_bytes + 1, 'a');
  BankQuestion question = bank_question(1, "a", std::nullopt);
  question.text = text;
  set_fingerprints(question);
  BankImport import = begin();
  ASSERT_TRUE(import.put_all(std::span(&question, 1), {}).ok());
  finish(import);
  EXPECT_EQ((*bank_.find(1))->text, text);
  for (int round = 0; round < 2; ++round) {
    ASSERT_TRUE(refresh_texts(bank_, {}, "2", [](std::uint64_t) {}).ok());
    EXPECT_EQ((*bank_.find(1))->text, "");
    EXPECT_EQ((*bank_.find(1))->original_text(), text);
  }
}

TEST_F(BankTest, TellsThatACommitBegins) {
  std::vector<Activity> told;
  bank_.on_activity([&](Activity activity) { told.push_back(activity); });
  BankImport import = begin();
  told.clear();
  put(import, 1, "text");
  EXPECT_EQ(told, (std::vector<Activity>{}));
  finish(import);
  ASSERT_FALSE(told.empty());
  EXPECT_EQ(told.back(), Activity::commit);
}

// An import of "bank.gz", or of standard input, that stored the questions from 1 to `stored` and was then
// interrupted; and the next one that came to its end.
struct Interrupted {
  const char* name;
  const char* source;
  QuestionId stored;
  const char* next_source;
  QuestionId next_first;
  QuestionId next_last;
  bool is_completed;
};

class InterruptedImport : public BankTest, public testing::WithParamInterface<Interrupted> {
 protected:
  BankImport begin_of(const char* source) {
    Result<BankImport> import = BankImport::begin(bank_, source, "2026-11-20T00:00:00Z", 1);
    if (!import.ok()) throw std::runtime_error(import.error().message);
    return *std::move(import);
  }

  void put_all(BankImport& import, QuestionId first, QuestionId last) {
    for (QuestionId id = first; id <= last; ++id) put(import, id, "text");
  }
};

TEST_P(InterruptedImport, IsCompletedByItsSourceOrItsQuestions) {
  {
    BankImport interrupted = begin_of(GetParam().source);
    put_all(interrupted, 1, GetParam().stored);
  }
  EXPECT_EQ(*bank_.interrupted_import(), GetParam().source);
  BankImport next = begin_of(GetParam().next_source);
  put_all(next, GetParam().next_first, GetParam().next_last);
  finish(next);
  EXPECT_EQ(bank_.interrupted_import()->has_value(), !GetParam().is_completed);
}

INSTANTIATE_TEST_SUITE_P(
    All, InterruptedImport,
    testing::Values(Interrupted{"TheSame", "bank.gz", 20, "bank.gz", 1, 20, true},
                    Interrupted{"TheSameIsSmallerByNow", "bank.gz", 20, "bank.gz", 1, 2, true},
                    Interrupted{"AnotherWithItsQuestions", "bank.gz", 20, "whole.gz", 3, 30, true},
                    Interrupted{"AnotherWithTooFew", "bank.gz", 20, "whole.gz", 4, 30, false},
                    Interrupted{"AnotherPart", "bank.gz", 20, "part.gz", 21, 60, false},
                    Interrupted{"AFewQuestions", "bank.gz", 20, "few.jsonl", 1, 19, false},
                    Interrupted{"NoQuestions", "bank.gz", 20, "few.jsonl", 1, 0, false},
                    Interrupted{"AFewOfStandardInput", "-", 20, "-", 1, 2, false},
                    Interrupted{"AsManyOfStandardInput", "-", 20, "-", 1, 20, true},
                    Interrupted{"NothingWasStored", "bank.gz", 0, "few.jsonl", 1, 1, true},
                    Interrupted{"NothingWasStoredOfTheSame", "bank.gz", 0, "bank.gz", 1, 0, true},
                    Interrupted{"NothingWasStoredOfStandardInput", "-", 0, "-", 1, 1, true},
                    Interrupted{"NothingWasStoredNorIs", "-", 0, "-", 1, 0, false}),
    [](const auto& test) { return std::string(test.param.name); });

TEST_F(BankTest, AnInterruptedRemovalIsCompletedByAnotherOfAsManyIds) {
  finish_with_one_question();
  const auto remove_many = [&](const char* source, QuestionId ids) {
    Result<BankImport> removal = BankImport::begin(bank_, source, "2026-11-20T00:00:00Z", 1);
    if (!removal.ok()) throw std::runtime_error(removal.error().message);
    for (QuestionId id = 1; id <= ids; ++id) EXPECT_TRUE(removal->remove(id).ok());
    return *std::move(removal);
  };
  remove_many("-", 3);
  BankImport few = remove_many("-", 2);
  finish(few);
  EXPECT_EQ(*bank_.interrupted_import(), "-");
  finish_with_one_question();
  EXPECT_EQ(*bank_.interrupted_import(), "-");
  BankImport all = remove_many("gone.txt", 3);
  finish(all);
  EXPECT_FALSE(bank_.interrupted_import()->has_value());
}

TEST_F(BankTest, ARemovalCompletesNoImport) {
  {
    BankImport interrupted = begin(1);
    put(interrupted, 1, "text");
  }
  Result<BankImport> removal = BankImport::begin(bank_, "gone.txt", "2026-11-20T00:00:00Z", 1);
  ASSERT_TRUE(removal.ok());
  for (QuestionId id = 1; id <= 3; ++id) ASSERT_TRUE(removal->remove(id).ok());
  finish(*removal);
  EXPECT_EQ(*bank_.interrupted_import(), "questions.jsonl");
}

TEST_F(BankTest, AnInterruptedImportOfAnOlderVersionIsTold) {
  finish_with_one_question();
  SqliteFile(state_.bank_path()).query("INSERT INTO import (source, started_at) VALUES ('old.gz', '')");
  EXPECT_EQ(*bank_.interrupted_import(), "old.gz");
  finish_with_one_question();
  EXPECT_FALSE(bank_.interrupted_import()->has_value());
}

TEST_F(BankTest, AReaderSeesOnlyWhatIsCommitted) {
  BankImport import = begin();
  put(import, 1, "text");
  Result<Bank> reader = Bank::open(state_, Access::read_only);
  Result<Bank> another = bank_.reader();
  ASSERT_TRUE(reader.ok() && another.ok());
  EXPECT_EQ(*reader->count(), 0U);
  EXPECT_EQ(*another->count(), 0U);
  finish(import);
  EXPECT_EQ(*reader->count(), 1U);
  EXPECT_EQ(*another->count(), 1U);
}

TEST_F(BankTest, AFurtherReaderShowsSignsOfLifeAndWritesNothing) {
  BankImport import = begin();
  for (QuestionId id = 1; id <= 1000; ++id) put(import, id, "text");
  finish(import);
  int signs_of_life = 0;
  bank_.on_activity([&](Activity) { ++signs_of_life; });
  Result<Bank> reader = bank_.reader();
  ASSERT_TRUE(reader.ok());
  reader->database().execAndGet("SELECT count(*) FROM question AS a, question AS b WHERE a.text < b.text");
  EXPECT_GT(signs_of_life, 0);
  EXPECT_THROW(reader->database().exec("DELETE FROM question"), SQLite::Exception);
}

}  // namespace
}  // namespace qdedup::db
