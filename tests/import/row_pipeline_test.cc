#include "import/row_pipeline.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <new>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace qdedup::import {
namespace {

TEST(BoundedQueue, HandsOverInOrderWhateverIsFaster) {
  BoundedQueue<int> queue(3);
  std::jthread first([&] {
    for (int i = 0; i < 1000; ++i) EXPECT_TRUE(queue.push(int{i}));
    queue.end(nullptr);
  });
  std::vector<int> taken;
  while (const std::optional<int> value = queue.pop()) taken.push_back(*value);
  ASSERT_EQ(taken.size(), 1000U);
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(taken[static_cast<std::size_t>(i)], i);
  EXPECT_FALSE(queue.pop());
}

TEST(BoundedQueue, AFailureComesBehindWhatWasHandedOver) {
  BoundedQueue<int> queue(3);
  EXPECT_TRUE(queue.push(1));
  queue.end(std::make_exception_ptr(std::bad_alloc()));
  EXPECT_EQ(queue.pop(), 1);
  EXPECT_THROW(queue.pop(), std::bad_alloc);
  EXPECT_FALSE(queue.pop());
}

TEST(BoundedQueue, TakesNothingThatIsNotWanted) {
  BoundedQueue<int> queue(3);
  queue.refuse();
  EXPECT_FALSE(queue.push(1));
}

TEST(BoundedQueue, ToRefuseWakesTheOneThatWaits) {
  BoundedQueue<int> queue(1);
  EXPECT_TRUE(queue.push(1));
  bool wanted = true;
  {
    const std::jthread first([&] { wanted = queue.push(2); });
    queue.refuse();
  }
  EXPECT_FALSE(wanted);
}

constexpr std::size_t rows_per_batch = 100;
constexpr std::uint64_t many_rows = 100'000;
constexpr std::string_view made_text = "小红买10本书";
constexpr std::size_t much_memory = std::size_t{1} << 40U;

QuestionId ascending(std::uint64_t row) { return static_cast<QuestionId>(row + 1); }
QuestionId descending(std::uint64_t row) { return static_cast<QuestionId>(many_rows - row); }

using End = std::function<Result<std::optional<Row>>()>;

Result<std::optional<Row>> end_of_file() { return std::optional<Row>(); }
Result<std::optional<Row>> damage() { return Error{ErrorCode::data, "damaged"}; }
Result<std::optional<Row>> no_memory() { throw std::bad_alloc(); }

// Makes rows, and counts those that were read.
class MadeRows final : public QuestionReader {
 public:
  explicit MadeRows(QuestionId (*id)(std::uint64_t), std::uint64_t rows = many_rows, End end = end_of_file)
      : id_(id), rows_(rows), end_(std::move(end)) {}

  Result<std::optional<Row>> next() override {
    if (read_ == rows_) return end_();
    const std::uint64_t row = read_++;
    return std::optional<Row>({row + 1, Question{id_(row), std::string(made_text), std::nullopt}});
  }

  [[nodiscard]] std::uint64_t bytes_read() const override { return read_; }
  [[nodiscard]] std::uint64_t size() const override { return rows_; }

 private:
  QuestionId (*id_)(std::uint64_t);
  std::uint64_t rows_;
  End end_;
  std::atomic<std::uint64_t> read_ = 0;
};

std::vector<RowBatch> all_batches(RowPipeline& pipeline) {
  std::vector<RowBatch> batches;
  while (std::optional<RowBatch> batch = pipeline.next()) batches.push_back(*std::move(batch));
  return batches;
}

std::vector<QuestionId> ids_of(const std::vector<RowBatch>& batches) {
  std::vector<QuestionId> ids;
  for (const RowBatch& batch : batches) {
    for (const db::BankQuestion& question : batch.questions) ids.push_back(question.id);
  }
  return ids;
}

TEST(RowPipeline, RowsInOrderGoThroughAsTheyCome) {
  MadeRows reader(ascending, 1'050);
  RowPipeline pipeline(reader, RowUse::question, {}, rows_per_batch, much_memory);
  const std::vector<RowBatch> batches = all_batches(pipeline);
  ASSERT_EQ(batches.size(), 11U);
  for (const RowBatch& batch : batches) {
    EXPECT_FALSE(batch.is_split);
    EXPECT_EQ(batch.questions.size(), &batch == &batches.back() ? 50U : 100U);
  }
}

TEST(RowPipeline, RowsInNoOrderComeInOrder) {
  MadeRows reader(descending);
  RowPipeline pipeline(reader, RowUse::question, {}, rows_per_batch, much_memory);
  const std::vector<QuestionId> ids = ids_of(all_batches(pipeline));
  EXPECT_EQ(ids.size(), many_rows);
  EXPECT_TRUE(std::ranges::is_sorted(ids));
}

// Rows are given away when they fill the memory: a run in order of the ids each time.
TEST(RowPipeline, HoldsRowsBackWithinBounds) {
  constexpr std::size_t held_bytes = 1U << 20U;
  MadeRows reader(descending);
  RowPipeline pipeline(reader, RowUse::question, {}, rows_per_batch, held_bytes);
  std::vector<std::size_t> run_rows(1);
  QuestionId last = 0;
  for (const RowBatch& batch : all_batches(pipeline)) {
    if (batch.questions.empty()) continue;
    if (batch.questions.front().id < last) run_rows.push_back(0);
    run_rows.back() += batch.questions.size();
    last = batch.questions.back().id;
  }
  EXPECT_GT(run_rows.size(), 5U);
  run_rows.pop_back();  // what was left at the end
  for (const std::size_t rows : run_rows) {
    EXPECT_GT(rows * (sizeof(db::BankQuestion) + sizeof(std::uint64_t)), held_bytes);
    EXPECT_LE(rows * (made_text.size() + sizeof(QuestionId) + sizeof(std::uint64_t)), held_bytes);
  }
}

TEST(RowPipeline, TellsHowFarItIsWhileRowsAreHeldBack) {
  MadeRows reader(descending);
  RowPipeline pipeline(reader, RowUse::question, {}, rows_per_batch, much_memory);
  std::uint64_t told = 0;
  std::uint64_t read = 0;
  std::optional<RowBatch> batch = pipeline.next();
  for (; batch && batch->questions.empty(); batch = pipeline.next()) {
    ++told;
    EXPECT_TRUE(batch->is_split);
    EXPECT_GE(batch->bytes_read, read);
    read = batch->bytes_read;
  }
  EXPECT_EQ(told, many_rows / rows_per_batch + 1);
}

// As where the bank fails: the rest of the file is not read.
TEST(RowPipeline, ReadsLittleFurtherWhenNoMoreIsWanted) {
  constexpr std::uint64_t few_rows = 2'000;
  constexpr std::size_t little_memory = 1U << 16U;
  for (const auto id : {ascending, descending}) {
    for (const std::size_t held_bytes : {std::size_t{1}, little_memory, much_memory}) {
      MadeRows reader(id);
      {
        RowPipeline pipeline(reader, RowUse::question, {}, rows_per_batch, held_bytes);
        ASSERT_TRUE(pipeline.next());
      }
      EXPECT_LE(reader.bytes_read(), few_rows) << held_bytes;
    }
  }
}

TEST(RowPipeline, ReadsNoFurtherWhenHeldRowsAreNotWanted) {
  constexpr std::size_t held_bytes = 1U << 20U;
  MadeRows reader(descending);
  std::uint64_t read = 0;
  {
    RowPipeline pipeline(reader, RowUse::question, {}, rows_per_batch, held_bytes);
    std::optional<RowBatch> batch = pipeline.next();
    while (batch && batch->questions.empty()) batch = pipeline.next();
    ASSERT_TRUE(batch && batch->is_split);
    read = batch->bytes_read;
  }
  EXPECT_EQ(reader.bytes_read(), read);
}

TEST(RowPipeline, NothingIsLostBeforeTroubleInTheFile) {
  for (const auto id : {ascending, descending}) {
    MadeRows reader(id, many_rows, damage);
    RowPipeline pipeline(reader, RowUse::question, {}, rows_per_batch, much_memory);
    const std::vector<RowBatch> batches = all_batches(pipeline);
    EXPECT_EQ(ids_of(batches).size(), many_rows);
    ASSERT_TRUE(batches.back().error);
    EXPECT_EQ(batches.back().error->message, "damaged");
    EXPECT_EQ(std::ranges::count(batches, true, &RowBatch::is_last), 1);
  }
}

TEST(RowPipeline, ThrowsWhatReadingHasThrown) {
  for (const auto id : {ascending, descending}) {
    MadeRows reader(id, 250, no_memory);
    RowPipeline pipeline(reader, RowUse::question, {}, rows_per_batch, much_memory);
    EXPECT_THROW(all_batches(pipeline), std::bad_alloc);
    EXPECT_FALSE(pipeline.next());
  }
}

TEST(RowPipeline, OnlyQuestionsArePrepared) {
  for (const RowUse use : {RowUse::question, RowUse::id}) {
    MadeRows reader(ascending, 10);
    RowPipeline pipeline(reader, use, {}, rows_per_batch, much_memory);
    const RowBatch batch = pipeline.next().value();
    const bool prepared = use == RowUse::question;
    EXPECT_EQ(batch.characters.questions, prepared ? 10 : 0);
    EXPECT_EQ(batch.questions.at(0).sign_fingerprint != 0, prepared);
  }
}

}  // namespace
}  // namespace qdedup::import
