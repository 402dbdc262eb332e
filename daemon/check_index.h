#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "base/error.h"
#include "base/result.h"
#include "daemon/heartbeat.h"
#include "daemon/reading_state.h"
#include "db/state_folder.h"
#include "iteration/bank_index.h"
#include "refine/duplicate_test.h"

namespace qdedup::daemon {

// The index of the bank that checks are answered with, and the one thread that builds it: at the start, and
// anew when much of the bank has changed, when it was replaced, or when the settings change. While there is
// none, checks read the bank. An old index and the one that is to replace it keep to the memory of one; where
// they cannot, the old one is kept until it is of no use any more.
class CheckIndex {
 public:
  using Time = std::chrono::steady_clock::time_point;

  // What an index is made for.
  struct Wanted {
    refine::DuplicateSettings settings;
    std::size_t bytes = 0;  // of memory at most; 0: none is wanted

    friend bool operator==(const Wanted& a, const Wanted& b) {
      return a.settings.min_similarity == b.settings.min_similarity &&
             a.settings.similarity == b.settings.similarity && a.bytes == b.bytes;
    }
  };

  struct Report {
    bool wanted = false;
    std::optional<Time> building;  // when it moved last; none: nothing is being built
    std::optional<Time> built_at;  // none: there is no index
    std::uint64_t questions = 0;
    std::uint64_t bytes = 0;
    std::string failure;  // why there is none; empty where it is not known yet
  };

  // `told` is called on the thread that builds: with the new index, or why there is none.
  using Told = std::function<void(const Result<std::shared_ptr<iteration::BankIndex>>&)>;

  // Of `limits`, the bytes do not count.
  CheckIndex(db::StateFolder folder, Told told, const iteration::BankIndex::Limits& limits = {});
  ~CheckIndex();  // waits for the thread
  CheckIndex(const CheckIndex&) = delete;
  CheckIndex& operator=(const CheckIndex&) = delete;

  // These may be called on any thread.

  // From now on an index is made for `wanted`.
  void want(const Wanted& wanted);

  // The index of this file's bank; null while there is none. Whoever uses it begins its view of the bank
  // afterwards (iteration::BankIndex::follow).
  [[nodiscard]] std::shared_ptr<iteration::BankIndex> of(const std::optional<logs::FileIdentity>& bank_file);

  // While the answer lives, nothing is built that is not asked for yet, unless the settings change: what
  // changes the bank, or takes much memory, goes first.
  [[nodiscard]] std::shared_ptr<void> pause();

  // What somebody who has paused it may take of `bytes`, so that both keep to them: half of them at least.
  [[nodiscard]] std::uint64_t left_of(std::uint64_t bytes) const;

  [[nodiscard]] Report report() const;

  // Nothing is built from now on.
  void begin_stop();
  // Waits at most `patience` until nothing is being built; answers whether that is so.
  bool stop(std::chrono::milliseconds patience);

 private:
  using Built = Result<std::shared_ptr<iteration::BankIndex>>;

  // What is being built; it is given up when something else is wanted.
  struct Order {
    Wanted wanted;
    std::uint64_t time = 0;
  };

  void work();
  void build_next(std::unique_lock<std::mutex>& lock);
  Built build(const Order& order, std::optional<logs::FileIdentity>& bank_file);
  bool note(const Order& order, const Built& built, const std::optional<logs::FileIdentity>& bank_file);
  Status go_on(const Order& order);
  void ask_anew();
  [[nodiscard]] bool is_due() const;
  [[nodiscard]] bool two_fit() const;
  [[nodiscard]] std::size_t most_bytes() const;

  db::StateFolder folder_;
  Told told_;
  iteration::BankIndex::Limits limits_;
  Heartbeat heartbeat_;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  Wanted wanted_;
  std::uint64_t times_wanted_ = 0;
  int pauses_ = 0;
  bool asked_ = false;  // for an index that is not being built yet
  bool building_ = false;
  bool stopping_ = false;
  bool is_tight_ = false;  // another index did not fit beside this one
  std::shared_ptr<iteration::BankIndex> index_;
  std::optional<logs::FileIdentity> bank_file_;  // that the index is of
  std::optional<Time> built_at_;
  std::optional<Error> failure_;
  Time failed_at_;
  std::thread thread_;
};

}  // namespace qdedup::daemon
